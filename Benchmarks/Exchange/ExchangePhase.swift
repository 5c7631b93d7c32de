import Foundation

/// One load, from its first message to the last receipt.
struct ExchangePhase {
  let connections: Int
  let load: LoadGenerator.Result
  /// Receipts acknowledged a second while the load went on, its first three seconds left out.
  let throughPerSecond: Double
  /// All messages by the time from the first request to the last receipt.
  let wholePerSecond: Double
  let cpuMicrosecondsEach: Double
  let residentMegabytes: Double
  /// Messages accepted whose receipt never came, and messages that came twice.
  let lost: Int
  let doubled: Int
  let passedOn: Int
  let resent: Int

  private static let drainLimit: Duration = .seconds(90)

  static func measure(
    _ exchange: some MeasuredExchange, _ standIn: StandIn, _ generator: LoadGenerator, connections: Int, seconds: Int
  ) async throws -> ExchangePhase {
    standIn.serve(exchange.receipts)
    let cpuBefore = exchange.processes.map { ProcessTable.cpu($0.pid) }.reduce(0, +)
    let began = ContinuousClock.now
    async let loading = generator.run(
      exchange.name, address: exchange.address, request: exchange.request, connections: connections, seconds: seconds)
    let skipped = min(3, seconds / 2)
    try await Task.sleep(for: .seconds(skipped))
    let (early, earlyAt) = (standIn.counts.acknowledged, ContinuousClock.now)
    let load = try await loading
    let (late, lateAt) = (standIn.counts.acknowledged, ContinuousClock.now)
    let resident = exchange.processes.map { ProcessTable.residentMegabytes($0.pid) }.reduce(0, +)

    // Until nothing has come for a while, or all of it has.
    var last = (count: late, at: lateAt)
    while ContinuousClock.now - last.at < .seconds(12), ContinuousClock.now - began < drainLimit + .seconds(seconds) {
      try await Task.sleep(for: .milliseconds(50))
      let count = standIn.counts.acknowledged
      if count > last.count { last = (count, ContinuousClock.now) }
      if count >= load.accepted, ContinuousClock.now - last.at > .milliseconds(500),
        try await exchange.unfinished() == 0
      {
        break
      }
    }
    let counts = standIn.counts
    let cpu = exchange.processes.map { ProcessTable.cpu($0.pid) }.reduce(0, +) - cpuBefore
    // wrk does not count requests that its end cut off, so that a few more may arrive than it saw accepted.
    return ExchangePhase(
      connections: connections, load: load, throughPerSecond: Double(late - early) / (lateAt - earlyAt).inSeconds,
      wholePerSecond: Double(counts.acknowledged) / (last.at - began).inSeconds,
      cpuMicrosecondsEach: cpu / Double(max(1, counts.acknowledged)) * 1e6, residentMegabytes: resident,
      lost: max(0, max(load.accepted, counts.taken) - counts.acknowledged) + (try await exchange.unfinished()),
      doubled: counts.doubled, passedOn: counts.passedOn, resent: counts.resent)
  }
}

struct ExchangeRun {
  let name: String
  var phases: [ExchangePhase]

  static func print(_ runs: [ExchangeRun]) {
    var table = Table([
      "HTTP in, HTTP carrier out, receipts", "connections", "accepted/s", "p50 ms", "p99 ms", "through/s", "whole/s",
      "CPU us each", "MB", "lost", "doubled", "resent",
    ])
    for run in runs {
      for phase in run.phases {
        table.add([
          run.name, String(phase.connections), phase.load.perSecond.text(), phase.load.p50.text(1),
          phase.load.p99.text(1), phase.throughPerSecond.text(), phase.wholePerSecond.text(),
          phase.cpuMicrosecondsEach.text(), phase.residentMegabytes.text(), String(phase.lost),
          String(phase.doubled), String(phase.resent),
        ])
      }
    }
    if runs.count == 2 {
      for (peer, ours) in zip(runs[0].phases, runs[1].phases) {
        func ratio(_ value: KeyPath<ExchangePhase, Double>) -> String {
          (ours[keyPath: value] / peer[keyPath: value]).text(2) + "x"
        }
        table.add([
          "ratio", String(peer.connections), ratio(\.load.perSecond), ratio(\.load.p50), ratio(\.load.p99),
          ratio(\.throughPerSecond), ratio(\.wholePerSecond), ratio(\.cpuMicrosecondsEach), ratio(\.residentMegabytes),
        ])
      }
    }
    table.print()
    for run in runs where run.phases.contains(where: { $0.passedOn > 0 }) {
      Output.line("  \(run.name) passed \(run.phases.map(\.passedOn).reduce(0, +)) reports on to its user.")
    }
    for run in runs where run.phases.contains(where: { $0.load.failed > 0 }) {
      Output.line("  \(run.name) refused \(run.phases.map(\.load.failed).reduce(0, +)) requests.")
    }
  }
}
