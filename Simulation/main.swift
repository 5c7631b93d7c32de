import Cryptography
import Foundation
import Runtime

/// `Simulation --seeds 1000 [--from N] [--jobs N]`, `Simulation --seed N [--trace]`, `Simulation --regressions`
struct Options {
  var from: UInt64 = 1
  var count: UInt64 = 1000
  var jobs = 2
  var prints = false
  var runsRegressions = false

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    func number() -> UInt64? { rest.popFirst().flatMap { UInt64($0) } }
    while let argument = rest.popFirst() {
      switch argument {
      case "--seeds":
        guard let value = number() else { return nil }
        count = value
      case "--from":
        guard let value = number() else { return nil }
        from = value
      case "--seed":
        guard let value = number() else { return nil }
        from = value
        count = 1
      case "--jobs":
        guard let value = number(), (1...64).contains(value) else { return nil }
        jobs = Int(value)
      case "--trace": prints = true
      case "--regressions": runsRegressions = true
      default: return nil
      }
    }
  }
}

/// Runs some seeds and gathers what they showed.
func run(_ seeds: [UInt64], jobs: Int, prints: Bool, key: MasterKey) async -> (
  failures: [(UInt64, String)], counts: World.Counts
) {
  let results = Lock<(failures: [(UInt64, String)], counts: World.Counts, next: Int)>(([], World.Counts(), 0))
  await withTaskGroup { group in
    for _ in 0..<jobs {
      group.addTask {
        while true {
          let index = results.withLock { state -> Int? in
            guard state.next < seeds.count, state.failures.count < 20 else { return nil }
            state.next += 1
            return state.next - 1
          }
          guard let index else { return }
          var failure: String?
          var counts = World.Counts()
          do {
            let world = try World(seed: seeds[index], key: key, prints: prints)
            defer { counts = world.counts }
            try world.run()
          } catch {
            failure = "\(error)"
          }
          results.withLock { state in
            state.counts.add(counts)
            if let failure { state.failures.append((seeds[index], failure)) }
          }
        }
      }
    }
  }
  return results.withLock { ($0.failures.sorted { $0.0 < $1.0 }, $0.counts) }
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())),
  let key = MasterKey(hex: String(repeating: "5a", count: 32))
else {
  print("Simulation --seeds 1000 [--from N] [--jobs N] | --seed N [--trace] | --regressions")
  exit(64)
}
let seeds =
  options.runsRegressions ? regressions.map(\.seed) : Array(options.from..<(options.from + options.count))
let began = ContinuousClock.now
let (failures, counts) = await run(seeds, jobs: options.count == 1 ? 1 : options.jobs, prints: options.prints, key: key)
for (seed, failure) in failures { print("FAILED seed \(seed): \(failure)") }
let took = ContinuousClock.now - began
if !options.prints {
  print(
    "\(seeds.count) seeds in \(took.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))): "
      + "\(counts.messages) messages, \(counts.calls) attempts (\(counts.uncertain) uncertain), \(counts.turns) turns, "
      + "\(counts.crashes) crashes, \(counts.failedTransactions) failed transactions")
}
print("simulation: \(seeds.count - failures.count) passed, \(failures.count) failed")
exit(failures.isEmpty ? 0 : 1)
