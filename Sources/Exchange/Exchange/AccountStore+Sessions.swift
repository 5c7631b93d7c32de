package import Contract
package import Database

/// One browser that is signed in.
package struct SessionRecord: Sendable, Equatable {
  package let id: SessionID
  /// What the browser calls itself.
  package let agent: String?
  package let created: Instant
  package let expires: Instant
}

extension AccountStore {
  /// An account's sessions that are not over, the newest first.
  package func sessions(of account: AccountID, at now: Instant, tx: any Transaction) throws -> [SessionRecord] {
    try tx.all(
      """
      SELECT id, agent, created, expires FROM sessions WHERE account = $1 AND expires > $2 ORDER BY id DESC LIMIT $3
      """, [.id(account), .instant(now), .integer(Self.mostSessions)]
    ) { row in
      SessionRecord(
        id: row.identifier(0), agent: row.textIfPresent(1), created: row.instant(2), expires: row.instant(3))
    }
  }

  /// - Returns: false where the account has no such session.
  package func endSession(_ id: SessionID, of account: AccountID, tx: any Transaction) throws -> Bool {
    try tx.run("DELETE FROM sessions WHERE id = $1 AND account = $2", [.id(id), .id(account)]) > 0
  }

  /// Signs an account out everywhere but here.
  package func endSessions(of account: AccountID, except id: SessionID, tx: any Transaction) throws {
    try tx.run("DELETE FROM sessions WHERE account = $1 AND id <> $2", [.id(account), .id(id)])
  }

  /// Removes all keys of an account.
  package func removeKeys(of account: AccountID, tx: any Transaction) throws {
    try tx.run("DELETE FROM api_keys WHERE account = $1", [.id(account)])
  }
}
