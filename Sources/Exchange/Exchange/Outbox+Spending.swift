package import Contract
package import Database

extension Outbox {
  /// What an account spent, day by day (counted from 1970-01-01, UTC), in millionths.
  package func spending(of account: AccountID, tx: any Transaction) throws -> [(day: Int64, micros: Int64)] {
    try tx.all(
      "SELECT day, amount FROM spending WHERE account = $1 ORDER BY account, day DESC LIMIT 10000", [.id(account)]
    ) { ($0.integer(0), $0.integer(1)) }
  }
}
