import Foundation
import Runtime

/// A program that this one started, and that is gone at the latest when `stop` returns.
final class ChildProcess: Sendable {
  private let process: Lock<Process>
  let pid: Int32
  let name: String
  private let log: String

  /// - Parameter log: the file that gets what it writes to its outputs.
  init(_ path: String, _ arguments: [String], log: String, environment: [String: String] = [:]) throws {
    guard FileManager.default.createFile(atPath: log, contents: nil), let output = FileHandle(forWritingAtPath: log)
    else { throw BenchmarkError("\(log) can not be written") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    try process.run()
    pid = process.processIdentifier
    self.log = log
    name = (path as NSString).lastPathComponent
    self.process = Lock(process)
  }

  /// The end of what it wrote.
  var lastWords: String { String(((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").suffix(600)) }

  var isRunning: Bool { process.withLock { $0.isRunning } }

  func stop(within limit: Duration = .seconds(10)) async {
    if isRunning { kill(pid, SIGTERM) }
    let end = ContinuousClock.now + limit
    while isRunning, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(20)) }
    if isRunning { kill(pid, SIGKILL) }
    while isRunning { try? await Task.sleep(for: .milliseconds(20)) }
  }

  /// Runs a program to its end.
  /// - Returns: what it wrote to its standard output.
  static func output(
    _ path: String, _ arguments: [String], environment: [String: String] = [:], within limit: Duration = .seconds(60)
  ) async throws -> String {
    let log = NSTemporaryDirectory() + "benchmark-output-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let child = try ChildProcess(path, arguments, log: log, environment: environment)
    let end = ContinuousClock.now + limit
    while child.isRunning, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    let isLate = child.isRunning
    await child.stop()
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    if isLate { throw BenchmarkError("\(child.name) took more than \(limit)") }
    let status = child.process.withLock { $0.terminationStatus }
    guard status == 0 else { throw BenchmarkError("\(child.name) ended with \(status): \(text.suffix(400))") }
    return text
  }
}

/// What the kernel says of a process (proc(5)).
enum ProcessTable {
  /// Seconds of CPU since it began, its ended children left out.
  static func cpu(_ pid: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let afterName = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[text.index(after: afterName)...].split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Megabytes that it holds in memory now.
  static func residentMegabytes(_ pid: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return 0 }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
  }
}
