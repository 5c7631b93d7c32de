import Foundation
import Runtime

/// Kannel and this exchange in the same run, with the same load and the same stand-in for a carrier.
///
/// Sending is on while messages are accepted: whoever accepts fast at the cost of sending shows it in the other columns.
struct ExchangeBenchmark {
  private let folder: String
  private let program: String
  private let only: String?
  private let part: String?
  private let seconds: Int
  private let rounds: Int

  init(_ options: inout Options) throws {
    folder = options.value("--folder") ?? NSTemporaryDirectory() + "switchboard-exchange-\(getpid())"
    program = options.value("--program") ?? ".build/release/switchboard"
    only = options.value("--only")
    part = options.value("--part")
    seconds = options.integer("--seconds") ?? 5
    rounds = max(1, options.integer("--rounds") ?? 3)
  }

  func run() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let standIn = try StandIn()
    let port = try await standIn.start()
    defer { standIn.stop() }

    var names: [String] = []
    if only != "ours" { names.append("kannel") }
    if only != "kannel" { names.append("ours") }
    var accepts: [(name: String, phases: [AcceptPhase])] = []
    var runs: [ExchangeRun] = []
    // In turns, and the best of the rounds for each: what else the machine does comes and goes.
    for round in 1...rounds {
      for (index, name) in names.enumerated() where part != "through" {
        let run = try await accept(name, port, round)
        if round == 1 { accepts.append(run) }
        accepts[index].phases = zip(accepts[index].phases, run.phases).map {
          $0.load.perSecond >= $1.load.perSecond ? $0 : $1
        }
      }
    }
    if !accepts.isEmpty { AcceptPhase.print(accepts) }
    for round in 1...rounds {
      for (index, name) in names.enumerated() where part != "accept" {
        let run = try await through(name, port, standIn, round)
        if round == 1 { runs.append(run) }
        runs[index].phases = zip(runs[index].phases, run.phases).map {
          $0.wholePerSecond >= $1.wholePerSecond ? $0 : $1
        }
      }
    }
    if !runs.isEmpty { ExchangeRun.print(runs) }
    if accepts.count == 2 || runs.count == 2 { judge(accepts, runs) }
  }

  /// The gate: at least as fast as Kannel in everything, and 7 ms for 99 of 100 accepted over 16 connections. The aim:
  /// twice.
  private func judge(_ accepts: [(name: String, phases: [AcceptPhase])], _ runs: [ExchangeRun]) {
    func line(_ what: String, _ connections: Int, _ ratio: Double) {
      let word = ratio >= 2 ? "the aim is met" : ratio >= 1 ? "the gate is met" : "the gate is NOT met"
      Output.line("  \(what), \(connections) connections: \(ratio.text(2)) of Kannel, \(word)")
    }
    if accepts.count == 2 {
      for (peer, ours) in zip(accepts[0].phases, accepts[1].phases) {
        line("accept, sending held back", ours.connections, ours.load.perSecond / peer.load.perSecond)
      }
    }
    if runs.count == 2 {
      for (peer, ours) in zip(runs[0].phases, runs[1].phases) {
        line("accept while sending", ours.connections, ours.load.perSecond / peer.load.perSecond)
        line("through, with receipts", ours.connections, ours.throughPerSecond / peer.throughPerSecond)
        line("from first to last receipt", ours.connections, ours.wholePerSecond / peer.wholePerSecond)
      }
    }
    let slowest =
      (accepts.last?.phases.map { ($0.connections, $0.load.p99) } ?? [])
      + (runs.last?.phases.map { ($0.connections, $0.load.p99) } ?? [])
    for (connections, p99) in slowest where connections == 16 {
      Output.line("  p99 of accepting, 16 connections: \(p99.text(1)) ms, \(p99 < 7 ? "within" : "NOT within") 7 ms")
    }
    Output.line("")
  }

  private func start(_ name: String, _ port: Int, _ round: Int, rate: Int?) async throws -> any MeasuredExchange {
    let folder = "\(folder)/\(name)-\(rate.map(String.init) ?? "full")-\(round)"
    return name == "kannel"
      ? try await Kannel.start(in: folder, standIn: port, rate: rate)
      : try await Switchboard.start(program: program, in: folder, standIn: port, rate: rate)
  }

  private func accept(_ name: String, _ port: Int, _ round: Int) async throws -> (name: String, phases: [AcceptPhase]) {
    let exchange = try await start(name, port, round, rate: 1)
    do {
      var phases: [AcceptPhase] = []
      for (connections, seconds) in [(16, 2), (16, seconds), (64, seconds)] {
        phases.append(
          try await AcceptPhase.measure(
            exchange, LoadGenerator(folder: folder), connections: connections, seconds: seconds))
      }
      await exchange.stop()
      // The first one warms up.
      return (exchange.name, Array(phases.dropFirst()))
    } catch {
      await exchange.stop()
      throw error
    }
  }

  private func through(_ name: String, _ port: Int, _ standIn: StandIn, _ round: Int) async throws -> ExchangeRun {
    let exchange = try await start(name, port, round, rate: nil)
    do {
      standIn.serve(exchange.receipts)
      var phases: [ExchangePhase] = []
      for (connections, seconds) in [(16, 2), (16, seconds + 7), (64, seconds - 1)] {
        phases.append(
          try await ExchangePhase.measure(
            exchange, standIn, LoadGenerator(folder: folder), connections: connections, seconds: seconds))
      }
      await exchange.stop()
      return ExchangeRun(name: exchange.name, phases: Array(phases.dropFirst()))
    } catch {
      await exchange.stop()
      throw error
    }
  }
}
