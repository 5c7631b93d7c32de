import Foundation
import Runtime

/// A program that this one started, and that is gone at the latest when `stop` returns.
final class ChildProcess: Sendable {
  private let process: Lock<Process>
  let pid: Int32
  let name: String
  private let log: String

  /// - Parameter log: the file that gets what it writes to its outputs.
  init(_ path: String, _ arguments: [String], log: String, input: FileHandle = .nullDevice) throws {
    guard FileManager.default.createFile(atPath: log, contents: nil), let output = FileHandle(forWritingAtPath: log)
    else { throw BenchmarkError("\(log) can not be written") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = output
    process.standardInput = input
    try process.run()
    pid = process.processIdentifier
    self.log = log
    name = (path as NSString).lastPathComponent
    self.process = Lock(process)
    Self.note("\(pid) \(name)\n")
  }

  /// For whoever started this program, in case it ends before its children.
  private static func note(_ line: String) {
    guard let path = ProcessInfo.processInfo.environment["SWITCHBOARD_BENCH_PROCESSES"],
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data(line.utf8))
    try? file.close()
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
    _ path: String, _ arguments: [String], input: String = "", within limit: Duration = .seconds(60)
  ) async throws -> String {
    let log = NSTemporaryDirectory() + "benchmark-output-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    let child = try ChildProcess(path, arguments, log: log, input: pipe.fileHandleForReading)
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

  /// The most megabytes that it ever held.
  static func mostResidentMegabytes(_ pid: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
    else { return 0 }
    return kilobytes * 1024 / 1e6
  }

  /// Megabytes that it holds in memory now.
  static func residentMegabytes(_ pid: Int32) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return 0 }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
  }
}
