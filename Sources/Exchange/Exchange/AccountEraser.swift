package import Contract
package import Database
import Delivery

/// Takes everything of one account out of the exchange's tables, in pieces that hold up nobody else.
package struct AccountEraser: Sendable {
  /// Removes up to `limit` rows of an account from a room's own tables.
  /// - Returns: how many it removed; fewer than `limit` once there are no more.
  package typealias Step =
    @Sendable (_ account: AccountID, _ limit: Int, _ tx: any Transaction) throws -> Int

  private let outbox: Outbox
  private let steps: [Step]

  /// - Parameter steps: tables that belong to others than the exchange.
  package init(outbox: Outbox, steps: [Step] = []) {
    self.outbox = outbox
    self.steps = steps
  }

  /// Calls back what of an account's deliveries was not sent yet, from one of them on.
  /// - Returns: where to go on, nil at the end; and whether an attempt is under way, after which a delivery may wait again.
  package func cancel(
    of account: AccountID, after cursor: DeliveryID?, limit: Int, at now: Instant, events: inout EventBatch,
    tx: any Transaction
  ) throws -> (next: DeliveryID?, isUnderWay: Bool) {
    let found = try tx.all(
      "SELECT id, state FROM deliveries WHERE account = $1 AND id > $2 ORDER BY account, id LIMIT $3",
      [.id(account), .id(cursor?.value ?? ID128(high: 0, low: 0)), .integer(limit)]
    ) { (id: DeliveryID($0.id(0)), state: DeliveryState(rawValue: $0.int(1)) ?? .unknown) }
    var isUnderWay = false
    for delivery in found {
      switch delivery.state {
      case .scheduled, .queued, .held:
        _ = try outbox.cancel(delivery.id, of: account, at: now, events: &events, tx: tx)
      case .leased:
        // Remembered: it is not tried again.
        _ = try outbox.cancel(delivery.id, of: account, at: now, events: &events, tx: tx)
        isUnderWay = true
      default: break
      }
    }
    return (found.count < limit ? nil : found.last?.id, isUnderWay)
  }

  /// Shuts an account for good: from here on nobody can sign in to it, and its number is free.
  package func shut(_ account: AccountID, at now: Instant, tx: any Transaction) throws {
    try tx.run(
      "UPDATE accounts SET phone = NULL, name = NULL, password = NULL, updated = $2 WHERE id = $1",
      [.id(account), .instant(now)])
    try tx.run("UPDATE carrier_numbers SET account = NULL WHERE account = $1", [.id(account)])
    try tx.run("DELETE FROM sessions WHERE account = $1", [.id(account)])
    try tx.run("DELETE FROM api_keys WHERE account = $1", [.id(account)])
  }

  /// Removes up to `limit` rows of each kind, and the account itself when there are no more.
  /// - Returns: whether all of it is gone.
  package func erase(_ account: AccountID, limit: Int, tx: any Transaction) throws -> Bool {
    guard try eraseDeliveries(of: account, limit: limit, tx: tx) < limit else { return false }
    let removed = try tx.run(
      "DELETE FROM inbound WHERE id IN (SELECT id FROM inbound WHERE account = $1 ORDER BY account, id LIMIT $2)",
      [.id(account), .integer(limit)])
    guard removed < limit else { return false }
    for step in steps where try step(account, limit, tx) >= limit { return false }
    let events = try tx.run(
      """
      DELETE FROM events WHERE stream = $1
        AND seq IN (SELECT seq FROM events WHERE stream = $1 ORDER BY stream, seq LIMIT $2)
      """, [.id(account), .integer(limit)])
    guard events < limit else { return false }
    try tx.run("DELETE FROM streams WHERE stream = $1", [.id(account)])
    try tx.run("DELETE FROM spending WHERE account = $1", [.id(account)])
    try tx.run("DELETE FROM sessions WHERE account = $1", [.id(account)])
    try tx.run("DELETE FROM api_keys WHERE account = $1", [.id(account)])
    try tx.run("DELETE FROM accounts WHERE id = $1", [.id(account)])
    return true
  }

  private func eraseDeliveries(of account: AccountID, limit: Int, tx: any Transaction) throws -> Int {
    let ids: [DeliveryID] = try tx.all(
      "SELECT id FROM deliveries WHERE account = $1 ORDER BY account, id LIMIT $2", [.id(account), .integer(limit)]
    ) { $0.identifier(0) }
    for id in ids {
      try tx.run("DELETE FROM attempts WHERE delivery = $1", [.id(id)])
      try tx.run("DELETE FROM receipts WHERE delivery = $1 AND delivery IS NOT NULL", [.id(id)])
      try tx.run("DELETE FROM deliveries WHERE id = $1", [.id(id)])
    }
    return ids.count
  }
}
