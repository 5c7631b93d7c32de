import Foundation

/// What an exchange accepts while it sends next to nothing: its carrier grants one message a second.
struct AcceptPhase {
  let connections: Int
  let load: LoadGenerator.Result
  let cpuMicrosecondsEach: Double
  let residentMegabytes: Double
  /// Accepted, and not held afterwards.
  let missing: Int

  static func measure(
    _ exchange: some MeasuredExchange, _ generator: LoadGenerator, connections: Int, seconds: Int
  ) async throws -> AcceptPhase {
    let held = try await exchange.unfinished()
    let cpuBefore = exchange.processes.map { ProcessTable.cpu($0.pid) }.reduce(0, +)
    let load = try await generator.run(
      exchange.name, address: exchange.address, request: exchange.request, connections: connections, seconds: seconds)
    let cpu = exchange.processes.map { ProcessTable.cpu($0.pid) }.reduce(0, +) - cpuBefore
    // A few went out in the meantime, one a second, and a first burst.
    try await Task.sleep(for: .seconds(1))
    let missing = load.accepted - (try await exchange.unfinished() - held)
    return AcceptPhase(
      connections: connections, load: load, cpuMicrosecondsEach: cpu / Double(max(1, load.accepted)) * 1e6,
      residentMegabytes: exchange.processes.map { ProcessTable.residentMegabytes($0.pid) }.reduce(0, +),
      missing: missing > seconds * 2 + 10 ? missing : 0)
  }

  static func print(_ runs: [(name: String, phases: [AcceptPhase])]) {
    var table = Table([
      "accept over HTTP, sending held back", "connections", "accepted/s", "p50 ms", "p99 ms", "CPU us each", "MB",
      "missing",
    ])
    for run in runs {
      for phase in run.phases {
        table.add([
          run.name, String(phase.connections), phase.load.perSecond.text(), phase.load.p50.text(1),
          phase.load.p99.text(1), phase.cpuMicrosecondsEach.text(), phase.residentMegabytes.text(),
          String(phase.missing),
        ])
      }
    }
    if runs.count == 2 {
      for (peer, ours) in zip(runs[0].phases, runs[1].phases) {
        func ratio(_ value: KeyPath<AcceptPhase, Double>) -> String {
          (ours[keyPath: value] / peer[keyPath: value]).text(2) + "x"
        }
        table.add([
          "ratio", String(peer.connections), ratio(\.load.perSecond), ratio(\.load.p50), ratio(\.load.p99),
          ratio(\.cpuMicrosecondsEach), ratio(\.residentMegabytes),
        ])
      }
    }
    table.print()
  }
}
