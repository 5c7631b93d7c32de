package import Contract
import Runtime

/// Bounds how often a password may be tried, by address and by account. Kept in memory, and bounded.
package final class AttemptLimiter: Sendable {
  package static let window: Duration = .seconds(600)
  package static let mostInWindow = 10
  private static let mostKeys = 20_000

  private let tried = Lock<[String: (count: Int, since: Instant)]>([:])

  package init() {}

  /// Counts one attempt under each of `keys`.
  /// - Returns: false where one of them has been tried too often.
  package func mayTry(_ keys: [String], at now: Instant) -> Bool {
    tried.withLock { tried in
      if tried.count > Self.mostKeys { tried = tried.filter { now - $0.value.since < Self.window } }
      // A flood of keys must not let the counts of others be forgotten: then nobody may try for a while.
      if tried.count > Self.mostKeys { return false }
      var isAllowed = true
      for key in keys {
        var entry = tried[key] ?? (0, now)
        if now - entry.since >= Self.window { entry = (0, now) }
        entry.count += 1
        tried[key] = entry
        if entry.count > Self.mostInWindow { isAllowed = false }
      }
      return isAllowed
    }
  }

  /// The right password was given: earlier mistakes are forgiven.
  package func succeeded(_ keys: [String]) {
    tried.withLock { tried in for key in keys { tried[key] = nil } }
  }
}
