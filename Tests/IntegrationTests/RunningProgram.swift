import Foundation
import Runtime

/// The real program, started as an operator would, on ports and a folder of its own; ended when the test lets it go.
final class RunningProgram: Sendable {
  let pid: pid_t
  private let output: String
  private let isReaped = Lock(false)

  /// The program as `swift build --build-tests` left it, or the one that the environment names.
  static var path: String {
    if let named = ProcessInfo.processInfo.environment["SWITCHBOARD_PROGRAM"] { return named }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return root.path + "/.build/debug/switchboard"
  }

  /// Starts it; what it prints goes to a file in `folder`.
  init(_ words: [String], folder: TemporaryFolder, environment: [String: String] = [:]) throws {
    output = folder.path + "/output-\(UUID().uuidString).txt"
    pid = try Self.spawn(words, output: output, environment: environment)
  }

  /// What it printed so far.
  var printed: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

  /// Waits until `found` sees in what was printed what it looks for.
  func waitUntilPrinted<Found>(
    within limit: Duration = .seconds(60), _ found: (String) -> Found?
  ) async throws -> Found {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if let match = found(printed) { return match }
      if let status = exitStatus(hanging: false) { throw Failure("it ended with \(status): \(printed)") }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Failure("it did not print what was awaited: \(printed)")
  }

  func kill(_ signal: Int32) { Foundation.kill(pid, signal) }

  /// Waits for its end.
  func waitForEnd(within limit: Duration = .seconds(60)) async throws -> Int32 {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if let status = exitStatus(hanging: false) { return status }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Failure("it did not end: \(printed)")
  }

  private let status = Lock<Int32?>(nil)

  /// The exit status (or minus the signal's number), once it has ended.
  private func exitStatus(hanging: Bool) -> Int32? {
    status.withLock { known in
      if let known { return known }
      var raw: Int32 = 0
      guard waitpid(pid, &raw, hanging ? 0 : WNOHANG) == pid else { return nil }
      known = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
      return known
    }
  }

  deinit {
    if exitStatus(hanging: false) == nil {
      Foundation.kill(pid, SIGKILL)
      _ = exitStatus(hanging: true)
    }
  }

  /// Runs a command to its end.
  static func run(
    _ words: [String], folder: TemporaryFolder, input: String? = nil, within limit: Duration = .seconds(60)
  ) async throws -> (status: Int32, printed: String) {
    if let input { try Data(input.utf8).write(to: URL(fileURLWithPath: folder.path + "/input.txt")) }
    let program = try RunningProgram(words, folder: folder, inputFile: input == nil ? nil : folder.path + "/input.txt")
    let status = try await program.waitForEnd(within: limit)
    return (status, program.printed)
  }

  private init(_ words: [String], folder: TemporaryFolder, inputFile: String?) throws {
    output = folder.path + "/output-\(UUID().uuidString).txt"
    pid = try Self.spawn(words, output: output, environment: [:], input: inputFile ?? "/dev/null")
  }

  /// posix_spawn rather than Foundation's `Process`, so that the child has no blocked signals of the test's threads.
  private static func spawn(
    _ words: [String], output: String, environment: [String: String], input: String = "/dev/null"
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWITCHBOARD_") }
    variables.merge(environment) { $1 }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) } + [nil]
    var pairs: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + pairs { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, path, &actions, &attributes, &arguments, &pairs)
    guard result == 0 else { throw Failure("\(path) can not be started: \(String(cString: strerror(result)))") }
    return pid
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = what }
}

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "switchboard-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
