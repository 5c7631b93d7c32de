import Contract
import Database

/// Who accepted which terms, and when.
enum TermsStore {
  static func accept(_ version: String, by account: AccountID, at now: Instant, tx: any Transaction) throws {
    try tx.run(
      """
      INSERT INTO account_terms (account, version, accepted) VALUES ($1, $2, $3)
      ON CONFLICT (account, version) DO NOTHING
      """, [.id(account), .text(version), .instant(now)])
  }

  static func accepted(by account: AccountID, tx: any Transaction) throws -> [(version: String, at: Instant)] {
    try tx.all(
      "SELECT version, accepted FROM account_terms WHERE account = $1 ORDER BY version LIMIT 100", [.id(account)]
    ) { ($0.text(0), $0.instant(1)) }
  }
}
