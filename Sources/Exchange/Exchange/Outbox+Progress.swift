package import Contract
package import Database
package import Delivery

/// The part of a row that changes as a delivery goes on.
struct Progress {
  let id: DeliveryID
  let account: AccountID
  let channel: Channel
  let address: String
  let deliveryClass: DeliveryClass
  let life: Life
  let carrier: Int
  let leased: Instant?
  let insteadOf: String?
  let events: EventPolicy
  let created: Instant
  let price: Int64?
  let isSealed: Bool
  let parts: Int
  /// Whether it was called back while an attempt was under way.
  let isCancelAsked: Bool
}

extension Outbox {
  func progress(of id: DeliveryID, tx: any Transaction) throws -> Progress? {
    try tx.first(
      """
      SELECT account, channel, address, class, state, due, attempt, expires, carrier, leased, instead_of, events,
        created, price, sealed, parts, cancel_asked
      FROM deliveries WHERE id = $1
      """, [.id(id)]
    ) { row in
      Progress(
        id: id, account: row.identifier(0), channel: Channel(rawValue: row.int(1)) ?? .sms, address: row.text(2),
        deliveryClass: DeliveryClass(rawValue: row.int(3)) ?? .normal,
        life: Life(
          state: DeliveryState(rawValue: row.int(4)) ?? .unknown, due: row.instantIfPresent(5), attempt: row.int(6),
          expires: row.instant(7)),
        carrier: row.int(8), leased: row.instantIfPresent(9), insteadOf: row.textIfPresent(10),
        events: EventPolicy(rawValue: row.int(11)) ?? .none, created: row.instant(12),
        price: row.integerIfPresent(13), isSealed: row.bool(14), parts: row.int(15),
        isCancelAsked: !row.isNull(16))
    }
  }

  /// Writes what a delivery's life has come to, tells who wants to hear it, and lets the next one to the same address
  /// go.
  func write(
    _ life: Life, of row: Progress, carrier: Int, error: (code: String, detail: String)?, receipt: String? = nil,
    receiptAt: Instant? = nil, at now: Instant, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    let before = row.life.state
    try tx.run(
      """
      UPDATE deliveries SET state = $2, due = $3, carrier = $4, error_code = $5, error = $6, updated = $7,
        receipt = COALESCE($8, receipt), receipt_at = COALESCE($9, receipt_at)
      WHERE id = $1
      """,
      [
        .id(row.id), .integer(life.state.rawValue), .instant(life.due), .integer(carrier), .text(error?.code),
        .text(error?.detail), .instant(now), .text(receipt), .instant(receiptAt),
      ])
    if life.state.isFinal, row.isSealed {
      try tx.run("UPDATE deliveries SET body = NULL WHERE id = $1", [.id(row.id)])
    }
    if row.events == .all || row.events == .final && life.state.isFinal {
      announce(row.id, row.account, row.address, life.state, error: error?.code, at: now, &events)
    }
    // One that waits behind another stands in nobody's way.
    let wasInTheWay = before == .queued && row.life.due != nil || before == .leased
    let isInTheWay = life.state == .queued || life.state == .leased
    if wasInTheWay, !isInTheWay {
      try wakeNext(account: row.account, address: row.address, row.deliveryClass, at: now, tx: tx)
    }
    if try costsNothing(life, after: row, tx: tx) {
      try refund(row.account, row.price, acceptedAt: row.created, tx: tx)
    }
  }

  /// Whether it ends now and no carrier can have taken it.
  private func costsNothing(_ life: Life, after row: Progress, tx: any Transaction) throws -> Bool {
    switch row.life.state {
    case .scheduled, .queued, .leased, .held: break
    default: return false
    }
    guard [.rejected, .expired, .cancelled].contains(life.state), row.price != nil else { return false }
    if row.life.attempt == 0 { return true }
    return try tx.first(
      "SELECT 1 FROM attempts WHERE delivery = $1 AND outcome IN ($2, $3) LIMIT 1",
      [
        .id(row.id), .integer(AttemptOutcome.Kind.accepted.rawValue), .integer(AttemptOutcome.Kind.uncertain.rawValue),
      ]
    ) { _ in true } == nil
  }

  /// The first one that waited behind it is due now.
  private func wakeNext(
    account: AccountID, address: String, _ deliveryClass: DeliveryClass, at now: Instant, tx: any Transaction
  ) throws {
    let next: DeliveryID? = try tx.first(
      """
      SELECT id FROM deliveries WHERE account = $1 AND address = $2 AND class = $3 AND state IN (1, 2)
      ORDER BY account, address, class, ready, id LIMIT 1
      """, [.id(account), .text(address), .integer(deliveryClass.rawValue)]
    ) { $0.identifier(0) }
    guard let next else { return }
    try tx.run(
      "UPDATE deliveries SET due = $2 WHERE id = $1 AND state = 1 AND due IS NULL", [.id(next), .instant(now)])
  }

  /// Calls a delivery back. While an attempt is under way nobody can know whether its carrier takes it: that it was called
  /// back is remembered, and it is not tried again.
  /// - Returns: its state afterwards, or nil where there is no such delivery of this account. One that is leased may
  ///   still end as cancelled.
  package func cancel(
    _ id: DeliveryID, of account: AccountID, at now: Instant, events: inout EventBatch, tx: any Transaction
  ) throws -> (state: DeliveryState, isCancelled: Bool)? {
    guard let row = try progress(of: id, tx: tx), row.account == account else { return nil }
    var life = row.life
    if life.state == .leased {
      try tx.run(
        "UPDATE deliveries SET cancel_asked = $2 WHERE id = $1 AND cancel_asked IS NULL", [.id(id), .instant(now)])
    }
    guard life.cancel() else { return (row.life.state, row.life.state == .cancelled) }
    try write(life, of: row, carrier: row.carrier, error: nil, at: now, &events, tx: tx)
    return (.cancelled, true)
  }
}
