package import Contract
import Cryptography
package import Database
import Delivery
import Formats

extension Outbox {
  /// Writes a delivery down. Once the transaction is committed it will be delivered, or its end will be known.
  package func accept(
    _ new: NewDelivery, at now: Instant, events: inout EventBatch, tx: any Transaction
  ) throws -> Acceptance {
    let requestHash = storedHash(of: new)
    if let again = new.idempotencyKey, let before = try existing(again, of: new.account, tx: tx) {
      return before.hash == requestHash ? .repeated(before.id) : .keyReused
    }
    if let refused = try charge(new, at: now, tx: tx) { return refused }
    let id = DeliveryID(ids.next(at: now))
    let place = try place(
      at: now, account: new.account, address: new.address, deliveryClass: new.deliveryClass, tx: tx)
    let life = Life.accepted(at: now, notBefore: new.notBefore, expires: new.expires, behind: place.isBehind)
    let isSealed = new.deliveryClass == .code
    let body = isSealed ? key.seal(new.body, purpose: Self.bodyPurpose) : new.body
    try tx.run(
      """
      INSERT INTO deliveries (id, account, channel, lane, address, class, state, carrier, fixed_carrier, due, ready,
        attempt, not_before, expires, created, updated, body, sealed, events, idempotency_key, request_hash, reference,
        parts, price, currency)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $13, $14, $14, $15, $16, $17, $18, $19, $20, $21,
        $22, $23)
      """,
      [
        .id(id), .id(new.account), .integer(new.channel.rawValue), .integer(Lane.of(new.channel, new.address)),
        .text(new.address), .integer(new.deliveryClass.rawValue), .integer(life.state.rawValue),
        .integer(new.carrier), .integer(new.fixedCarrier), .instant(life.due), .instant(place.ready),
        .instant(new.notBefore), .instant(new.expires), .instant(now), .bytes(body), .bool(isSealed),
        .integer(new.events.rawValue), .text(new.idempotencyKey), .bytes(requestHash), .text(new.reference),
        .integer(new.parts), .integer(new.price?.micros), .text(new.price?.currency),
      ])
    if new.events == .all {
      announce(id, new.account, new.address, life.state, error: nil, at: now, &events)
    }
    return .accepted(id: id, state: life.state, at: now)
  }

  /// A short code could be guessed from a plain digest of its request, which stays when the body is erased.
  private func storedHash(of new: NewDelivery) -> [UInt8]? {
    guard let hash = new.requestHash, new.deliveryClass == .code else { return new.requestHash }
    return key.hash(hash, purpose: Self.requestPurpose)
  }

  /// The delivery that an idempotency key made.
  private func existing(
    _ key: String, of account: AccountID, tx: any Transaction
  ) throws -> (id: DeliveryID, hash: [UInt8]?)? {
    try tx.first(
      """
      SELECT id, request_hash FROM deliveries
      WHERE account = $1 AND idempotency_key = $2 AND idempotency_key IS NOT NULL
      """, [.id(account), .text(key)]
    ) { ($0.identifier(0), $0.bytesIfPresent(1)) }
  }

  /// What the same request made before; nil where it made nothing.
  package func earlier(
    _ idempotencyKey: String, requestHash: [UInt8], of account: AccountID, tx: any Transaction
  ) throws -> DeliveryID? {
    guard let before = try existing(idempotencyKey, of: account, tx: tx) else { return nil }
    let isSame = [requestHash, key.hash(requestHash, purpose: Self.requestPurpose)].contains(before.hash)
    return isSame ? before.id : nil
  }

  /// Counts the price against the account's limit of the day (UTC).
  private func charge(_ new: NewDelivery, at now: Instant, tx: any Transaction) throws -> Acceptance? {
    guard let price = new.price, price.micros > 0 else { return nil }
    let cap = new.dailyCap ?? .max
    let counted =
      price.micros > cap
      ? 0
      : try tx.run(
        """
        INSERT INTO spending (account, day, amount) VALUES ($1, $2, $3)
        ON CONFLICT (account, day) DO UPDATE SET amount = spending.amount + $3 WHERE spending.amount <= $4 - $3
        """, [.id(new.account), .integer(now.day), .integer(price.micros), .integer(cap)])
    if counted > 0 { return nil }
    return .overCap(spent: try spent(by: new.account, on: now, tx: tx), cap: cap)
  }

  /// What an account spent on the day of `now` (UTC), in millionths.
  package func spent(by account: AccountID, on now: Instant, tx: any Transaction) throws -> Int64 {
    try tx.first(
      "SELECT amount FROM spending WHERE account = $1 AND day = $2", [.id(account), .integer(now.day)]
    ) { $0.integer(0) } ?? 0
  }

  /// Gives back what a delivery was charged that no carrier took.
  func refund(_ account: AccountID, _ micros: Int64?, acceptedAt created: Instant, tx: any Transaction) throws {
    guard let micros, micros > 0 else { return }
    try tx.run(
      "UPDATE spending SET amount = amount - $3 WHERE account = $1 AND day = $2 AND amount >= $3",
      [.id(account), .integer(created.day), .integer(micros)])
  }

  /// Where one that may go from now on stands among those of its account, address and class: behind the last that waits
  /// still or is being sent. Not the clock alone, which may stand still or be set back.
  func place(
    at now: Instant, account: AccountID, address: String, deliveryClass: DeliveryClass, tx: any Transaction
  ) throws -> (ready: Instant, isBehind: Bool) {
    let last = try tx.first(
      """
      SELECT ready FROM deliveries WHERE account = $1 AND address = $2 AND class = $3 AND state IN (1, 2)
      ORDER BY account DESC, address DESC, class DESC, ready DESC, id DESC LIMIT 1
      """, [.id(account), .text(address), .integer(deliveryClass.rawValue)]
    ) { $0.instant(0) }
    guard let last else { return (now, false) }
    return (max(now, last + .milliseconds(1)), true)
  }

  func announce(
    _ id: DeliveryID, _ account: AccountID, _ address: String, _ state: DeliveryState, error: String?,
    at now: Instant, _ events: inout EventBatch
  ) {
    events.add(
      to: account.value, "message.\(state.name)",
      JSONWriter.object { json in
        json.field("id", id)
        json.field("state", state.name)
        json.field("to", address)
        if let error { json.field("error", error) }
        json.field("updatedAt", now)
      })
  }
}

extension Instant {
  /// Days since 1970-01-01 in UTC.
  package var day: Int64 { milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds - 86_399_999) / 86_400_000 }
}
