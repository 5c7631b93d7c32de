package import Contract
package import Database

/// What of an inbox is unread, by who sent it.
extension Inbox {
  /// How many unread texts an account has from each sender.
  package func unread(of account: AccountID, tx: any Transaction) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    try tx.rows(
      "SELECT sender, COUNT(*) FROM inbound WHERE account = $1 AND is_read = 0 GROUP BY sender", [.id(account)]
    ) { row in counts[row.text(0)] = row.int(1) }
    return counts
  }

  /// Marks a sender's texts read, the oldest first.
  /// - Parameters:
  ///   - last: the newest of them; nil for all.
  ///   - limit: at most so many; where as many were marked there may be more.
  /// - Returns: how many there were.
  package func markRead(
    from sender: String, of account: AccountID, through last: InboundID?, limit: Int, events: inout EventBatch,
    tx: any Transaction
  ) throws -> Int {
    let ids: [InboundID] = try tx.all(
      """
      SELECT id FROM inbound WHERE account = $1 AND is_read = 0 AND sender = $2 AND id <= $3
      ORDER BY account, id LIMIT $4
      """,
      [
        .id(account), .text(sender), .id(last?.value ?? ID128(high: .max, low: .max)), .integer(limit),
      ]
    ) { $0.identifier(0) }
    for id in ids { try tx.run("UPDATE inbound SET is_read = 1 WHERE id = $1", [.id(id)]) }
    if !ids.isEmpty { announceRead(ids, account, &events) }
    return ids.count
  }
}
