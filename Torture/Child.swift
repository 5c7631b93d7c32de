import Foundation
import Runtime

/// A process of ours: started, watched, and ended with us.
final class Child: Sendable {
  let pid: pid_t
  private let output: String
  private let status = Lock<Int32?>(nil)

  private static let alive = Lock<Set<pid_t>>([])

  /// - Parameter output: the file that takes what it prints.
  init(_ program: String, _ words: [String], output: String) throws {
    self.output = output
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWITCHBOARD_") }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
    var pairs: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + pairs { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, program, &actions, nil, &arguments, &pairs)
    guard result == 0 else { throw Failure("\(program) can not be started: \(String(cString: strerror(result)))") }
    self.pid = pid
    _ = Self.alive.withLock { $0.insert(pid) }
  }

  deinit { kill() }

  /// What it printed so far.
  var printed: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

  /// The exit status, or minus the signal's number; nil while it runs.
  var ended: Int32? { reap(waiting: false) }

  /// SIGKILL, and its end.
  func kill() {
    guard ended == nil else { return }
    Foundation.kill(pid, SIGKILL)
    _ = reap(waiting: true)
  }

  func signal(_ number: Int32) { if ended == nil { Foundation.kill(pid, number) } }

  private func reap(waiting: Bool) -> Int32? {
    status.withLock { known in
      if let known { return known }
      var raw: Int32 = 0
      guard waitpid(pid, &raw, waiting ? 0 : WNOHANG) == pid else { return nil }
      _ = Self.alive.withLock { $0.remove(pid) }
      known = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
      return known
    }
  }

  /// Waits until `found` sees in what was printed what it looks for; nil where it ends or takes too long before.
  func waitUntilPrinted<Found>(within limit: Duration, _ found: (String) -> Found?) async -> Found? {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if let match = found(printed) { return match }
      if ended != nil { return nil }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return nil
  }

  /// Ends what still runs, for when this program is interrupted itself.
  static func killAll() { for pid in alive.withLock({ $0 }) { Foundation.kill(pid, SIGKILL) } }
}
