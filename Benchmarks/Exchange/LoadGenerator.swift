import Foundation

/// wrk, with 50,000 different numbers.
struct LoadGenerator {
  let folder: String

  struct Result {
    /// Answers that were no error.
    let accepted: Int
    let failed: Int
    let seconds: Double
    let p50: Double
    let p99: Double

    var perSecond: Double { Double(accepted) / seconds }
  }

  /// - Parameter request: Lua that returns one request and may use the variable `number`, digits without a plus sign.
  func run(
    _ name: String, address: String, request: String, connections: Int, seconds: Int
  ) async throws -> Result {
    let script = """
      local seed = \(connections)
      function init(args) math.randomseed(seed) end
      function request()
        local number = 358400000000 + math.random(0, 49999) * 137 + 1000
        number = string.format("%d", number)
        \(request)
      end
      function done(summary, latency, requests)
        local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write
          + summary.errors.timeout
        io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests - summary.errors.status, failed,
          summary.duration, latency:percentile(50), latency:percentile(99)))
      end
      """
    let path = "\(folder)/\(name).lua"
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    let output = try await ChildProcess.output(
      "/usr/bin/env", ["wrk", "-t1", "-c\(connections)", "-d\(seconds)s", "--timeout", "10s", "-s", path, address],
      within: .seconds(seconds + 20))
    let numbers = output.split(separator: "\n").first { $0.hasPrefix("RESULT") }?
      .split(separator: " ").dropFirst().compactMap { Double($0) }
    guard let numbers, numbers.count == 5 else { throw BenchmarkError("wrk said: \(output.suffix(400))") }
    return Result(
      accepted: Int(numbers[0]), failed: Int(numbers[1]), seconds: numbers[2] / 1e6, p50: numbers[3] / 1000,
      p99: numbers[4] / 1000)
  }
}
