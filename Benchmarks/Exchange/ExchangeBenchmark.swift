import Foundation
import Runtime

/// Kannel and this exchange in the same run, with the same load and the same stand-in for a carrier.
///
/// Sending is on while messages are accepted: whoever accepts fast at the cost of sending shows it in the other columns.
struct ExchangeBenchmark {
  private let folder: String
  private let program: String
  private let only: String?
  private let seconds: Int

  init(_ options: inout Options) throws {
    folder = options.value("--folder") ?? NSTemporaryDirectory() + "switchboard-exchange-\(getpid())"
    program = options.value("--program") ?? ".build/release/switchboard"
    only = options.value("--only")
    seconds = options.integer("--seconds") ?? 15
  }

  func run() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let standIn = try StandIn()
    let port = try await standIn.start()
    let service = Task { try await standIn.run() }
    defer { service.cancel() }

    var runs: [ExchangeRun] = []
    if only != "ours" {
      let kannel = try await Kannel.start(in: folder + "/kannel", standIn: port)
      runs.append(try await measure(kannel, standIn))
    }
    if only != "kannel" {
      let ours = try await Switchboard.start(program: program, in: folder + "/switchboard", standIn: port)
      runs.append(try await measure(ours, standIn))
    }
    ExchangeRun.print(runs)
  }

  private func measure(_ exchange: some MeasuredExchange, _ standIn: StandIn) async throws -> ExchangeRun {
    do {
      standIn.serve(exchange.receipts)
      var run = ExchangeRun(name: exchange.name)
      for (connections, seconds) in [(16, 3), (16, seconds), (64, max(5, seconds / 2))] {
        let phase = try await ExchangePhase.measure(
          exchange, standIn, LoadGenerator(folder: folder), connections: connections, seconds: seconds)
        // The first one warms up.
        if run.hasWarmedUp { run.phases.append(phase) }
        run.hasWarmedUp = true
      }
      await exchange.stop()
      return run
    } catch {
      await exchange.stop()
      throw error
    }
  }
}
