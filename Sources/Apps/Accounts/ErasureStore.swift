package import Contract
package import Database
package import Exchange

/// Accounts that were deleted and can still be had back.
package struct ErasureStore: Sendable {
  /// For how long.
  package static let grace: Duration = .seconds(7 * 24 * 3600)

  package init() {}

  package struct Pending: Sendable, Equatable {
    package let erases: Instant
    /// From then on there is no way back.
    package let isBegun: Bool
  }

  package func pending(_ account: AccountID, tx: any Transaction) throws -> Pending? {
    try tx.first("SELECT erases, begun FROM account_erasures WHERE account = $1", [.id(account)]) {
      Pending(erases: $0.instant(0), isBegun: $0.bool(1))
    }
  }

  /// Deletes an account: it is signed out and its keys are gone at once, all else after the grace.
  /// - Returns: when it will be erased.
  package func ask(
    _ account: AccountID, accounts: AccountStore, at now: Instant, tx: any Transaction
  ) throws -> Instant {
    try tx.run(
      """
      INSERT INTO account_erasures (account, asked, erases, begun) VALUES ($1, $2, $3, 0)
      ON CONFLICT (account) DO NOTHING
      """, [.id(account), .instant(now), .instant(now + Self.grace)])
    try accounts.endSessions(of: account, tx: tx)
    try accounts.removeKeys(of: account, tx: tx)
    // At once, for what waits to be sent is called back first.
    try TimerStore.set(AccountErasure.timerKind, key: account.description, due: now, tx: tx)
    return try pending(account, tx: tx)?.erases ?? now + Self.grace
  }

  /// Gives an account back.
  /// - Returns: whether it was deleted.
  package func undo(_ account: AccountID, tx: any Transaction) throws -> Bool {
    let undone = try tx.run("DELETE FROM account_erasures WHERE account = $1 AND begun = 0", [.id(account)]) > 0
    if undone { try TimerStore.remove(AccountErasure.timerKind, key: account.description, tx: tx) }
    return undone
  }

  /// - Returns: false where somebody had it back in the last moment.
  func begin(_ account: AccountID, tx: any Transaction) throws -> Bool {
    try tx.run("UPDATE account_erasures SET begun = 1 WHERE account = $1", [.id(account)]) > 0
  }

  func finish(_ account: AccountID, tx: any Transaction) throws {
    try tx.run("DELETE FROM account_terms WHERE account = $1", [.id(account)])
    try tx.run("DELETE FROM account_erasures WHERE account = $1", [.id(account)])
  }
}
