package import Contract
import Runtime

/// Bounds how often a password may be tried, by address and by account. Kept in memory, and bounded.
package final class AttemptLimiter: Sendable {
  package static let window: Duration = .seconds(600)
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

  private struct State {
    var tried: [Key: Entry] = [:]
    var swept: Instant?
  }

  private let state = Lock(State())
  private let mostInWindow: Int

  /// - Parameter mostInWindow: how many attempts of one address, and for one account, are let pass in ten minutes.
  package init(mostInWindow: Int = 10) { self.mostInWindow = max(1, mostInWindow) }

  /// Counts one attempt.
  /// - Parameter account: what the account signs in with; nil where it can be none.
  /// - Returns: false where the address or the account has been tried too often.
  package func mayTry(from address: String, for account: String?, at now: Instant) -> Bool {
    state.withLock { state in
      // A flood of keys must not let the counts of others be forgotten: then nobody may try for a while.
      guard Self.hasRoom(&state, at: now) else { return false }
      // An address that is stopped counts against no account, and fills no memory with numbers that it makes up.
      guard count(Self.key(address), at: now, &state.tried) else { return false }
      return account.map { count(Key(kind: .account, name: $0), at: now, &state.tried) } ?? true
    }
  }

  /// Looks through all of them once in a while only, however many attempts come.
  private static func hasRoom(_ state: inout State, at now: Instant) -> Bool {
    if state.tried.count < mostKeys { return true }
    if let swept = state.swept, now - swept < .seconds(10) { return false }
    state.swept = now
    state.tried = state.tried.filter { now - $0.value.since < window }
    return state.tried.count < mostKeys
  }

  private static func key(_ address: String) -> Key { Key(kind: .address, name: ClientAddress(address).own) }

  private func count(_ key: Key, at now: Instant, _ tried: inout [Key: Entry]) -> Bool {
    var entry = tried[key] ?? Entry(since: now)
    if now - entry.since >= Self.window { entry = Entry(since: now) }
    entry.count = min(entry.count + 1, mostInWindow + 1)
    tried[key] = entry
    return entry.count <= mostInWindow
  }

  /// The right password was given: earlier mistakes with this account are forgiven, those of the address are not, or
  /// somebody with an account could go on trying others.
  package func succeeded(from address: String, for account: String?) {
    state.withLock { state in
      if let account { state.tried[Key(kind: .account, name: account)] = nil }
      let key = Self.key(address)
      if let entry = state.tried[key], entry.count > 0 { state.tried[key]?.count -= 1 }
    }
  }
}
