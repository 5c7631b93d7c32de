import Contract
import Database
package import Exchange

/// What the conversations keep of an account, for when it is erased.
package enum TextsErasure {
  package static let step: AccountEraser.Step = { account, limit, tx in
    let texts = try tx.run(
      """
      DELETE FROM conversation_texts WHERE account = $1
        AND id IN (SELECT id FROM conversation_texts WHERE account = $1 ORDER BY account, id LIMIT $2)
      """, [.id(account), .integer(limit)])
    guard texts < limit else { return limit }
    let peer = try tx.first(
      "SELECT peer FROM conversation_entries WHERE account = $1 ORDER BY account, peer LIMIT 1", [.id(account)]
    ) { $0.text(0) }
    if let peer {
      let entries = try tx.run(
        """
        DELETE FROM conversation_entries WHERE account = $1 AND peer = $2 AND id IN (
          SELECT id FROM conversation_entries WHERE account = $1 AND peer = $2 ORDER BY account, peer, id LIMIT $3
        )
        """, [.id(account), .text(peer), .integer(limit)])
      if entries < limit {
        try tx.run("DELETE FROM conversations WHERE account = $1 AND peer = $2", [.id(account), .text(peer)])
      }
      return limit
    }
    try tx.run("DELETE FROM conversations WHERE account = $1", [.id(account)])
    // Last, since without it nobody keeps the others up to date.
    try tx.run("DELETE FROM conversation_marks WHERE account = $1", [.id(account)])
    return 0
  }
}
