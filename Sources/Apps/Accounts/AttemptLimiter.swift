package import Contract
import Runtime

/// Bounds how often a password may be tried, by address and by account. Kept in memory, and bounded.
package final class AttemptLimiter: Sendable {
  package static let window: Duration = .seconds(600)
  package static let mostInWindow = 10
  private static let mostKeys = 20_000

  private struct Key: Hashable {
    enum Kind { case address, account }
    let kind: Kind
    let name: String
  }

  private struct Entry {
    var count = 0
    var since: Instant
  }

  private let tried = Lock<[Key: Entry]>([:])

  package init() {}

  /// Counts one attempt.
  /// - Parameter account: what the account signs in with; nil where it can be none.
  /// - Returns: false where the address or the account has been tried too often.
  package func mayTry(from address: String, for account: String?, at now: Instant) -> Bool {
    tried.withLock { tried in
      if tried.count >= Self.mostKeys { tried = tried.filter { now - $0.value.since < Self.window } }
      // A flood of keys must not let the counts of others be forgotten: then nobody may try for a while.
      guard tried.count < Self.mostKeys else { return false }
      // An address that is stopped counts against no account, and fills no memory with numbers that it makes up.
      guard Self.count(Key(kind: .address, name: address), at: now, &tried) else { return false }
      return account.map { Self.count(Key(kind: .account, name: $0), at: now, &tried) } ?? true
    }
  }

  private static func count(_ key: Key, at now: Instant, _ tried: inout [Key: Entry]) -> Bool {
    var entry = tried[key] ?? Entry(since: now)
    if now - entry.since >= window { entry = Entry(since: now) }
    entry.count = min(entry.count + 1, mostInWindow + 1)
    tried[key] = entry
    return entry.count <= mostInWindow
  }

  /// The right password was given: earlier mistakes with this account are forgiven, those of the address are not, or
  /// somebody with an account could go on trying others.
  package func succeeded(from address: String, for account: String?) {
    tried.withLock { tried in
      if let account { tried[Key(kind: .account, name: account)] = nil }
      let key = Key(kind: .address, name: address)
      if let entry = tried[key], entry.count > 0 { tried[key]?.count -= 1 }
    }
  }
}
