package import Contract
package import Database
package import Delivery

/// A carrier's report of one delivery, as its profile read it.
package struct IncomingReceipt: Sendable, Equatable {
  /// The carrier's own id of the message.
  package var carrierID: String?
  /// Our reference, where the carrier gives it back.
  package var reference: String?
  package var status: ReceiptStatus
  package var code: String?
  /// A sentence for a person; nil for `delivered`.
  package var detail: String?
  package var at: Instant?
  /// The report as it came, bounded.
  package var raw: String

  package init(
    carrierID: String?, reference: String?, status: ReceiptStatus, code: String?, detail: String?, at: Instant?,
    raw: String
  ) {
    self.carrierID = carrierID
    self.reference = reference
    self.status = status
    self.code = code
    self.detail = detail
    self.at = at
    self.raw = raw
  }
}

/// What a report turned out to be.
package enum ReceiptFate: Sendable, Equatable {
  /// It ended (or corrected) its delivery.
  case applied
  /// It changes nothing: it came before, tells nothing final, is about an earlier attempt, or names nothing of ours.
  /// Kept in the timeline unless it is the same again.
  case noted
  /// It is kept, and applied when the attempt that it is about has been answered.
  case waiting
}

extension Outbox {
  /// Matches a report to its attempt and lets the delivery follow.
  package func receive(
    _ receipt: IncomingReceipt, from carrier: Int, at now: Instant, events: inout EventBatch, tx: any Transaction
  ) throws -> ReceiptFate {
    if let found = try attempt(named: receipt, by: carrier, tx: tx), let row = try progress(of: found.delivery, tx: tx)
    {
      return try apply(receipt, from: carrier, to: row, found.attempt, at: now, &events, tx: tx)
    }
    if let id = try delivery(referredToBy: receipt, from: carrier, tx: tx), let row = try progress(of: id, tx: tx) {
      return try receiveByReference(receipt, from: carrier, for: row, at: now, &events, tx: tx)
    }
    let isWaiting = receipt.carrierID != nil
    try keep(receipt, from: carrier, of: nil, isWaiting: isWaiting, at: now, tx: tx)
    return isWaiting ? .waiting : .noted
  }

  // MARK: Match

  /// The recorded attempt, and the part of it, whose carrier id a report names.
  private typealias NamedAttempt = (number: Int, part: Int, parts: Int)

  private func attempt(
    named receipt: IncomingReceipt, by carrier: Int, tx: any Transaction
  ) throws -> (delivery: DeliveryID, attempt: NamedAttempt)? {
    guard let carrierID = receipt.carrierID else { return nil }
    // A carrier may use an id again after years: the latest delivery is meant.
    return try tx.first(
      """
      SELECT delivery, number, part, parts FROM attempts
      WHERE carrier = $1 AND carrier_id = $2 AND carrier_id IS NOT NULL
      ORDER BY carrier DESC, carrier_id DESC, delivery DESC, number DESC, part DESC LIMIT 1
      """, [.integer(carrier), .text(carrierID)]
    ) { ($0.identifier(0), ($0.int(1), $0.int(2), $0.int(3))) }
  }

  /// The delivery whose reference a report gives back, if this carrier was ever given it.
  private func delivery(
    referredToBy receipt: IncomingReceipt, from carrier: Int, tx: any Transaction
  ) throws -> DeliveryID? {
    guard let range = receipt.reference.flatMap(ID128.range(shortReference:)) else { return nil }
    return try tx.first(
      """
      SELECT id FROM deliveries
      WHERE id BETWEEN $1 AND $2
        AND (state = $4 AND carrier = $3
          OR EXISTS (SELECT 1 FROM attempts WHERE attempts.delivery = deliveries.id AND attempts.carrier = $3))
      LIMIT 1
      """,
      [
        .id(range.lowerBound), .id(range.upperBound), .integer(carrier), .integer(DeliveryState.leased.rawValue),
      ]
    ) { $0.identifier(0) }
  }

  /// A report that only our reference matches: of an attempt under way, of one whose answer was lost, or from a carrier
  /// that gives no ids.
  private func receiveByReference(
    _ receipt: IncomingReceipt, from carrier: Int, for row: Progress, at now: Instant, _ events: inout EventBatch,
    tx: any Transaction
  ) throws -> ReceiptFate {
    let isUnderWay = row.life.state == .leased && row.carrier == carrier
    if receipt.status == .delivered {
      // An id that is not known yet may name one part of several.
      guard row.parts > 1, receipt.carrierID != nil else {
        return try apply(receipt, from: carrier, to: row, nil, at: now, &events, tx: tx)
      }
      let fate = try note(receipt, from: carrier, of: row.id, isWaiting: isUnderWay, at: now, tx: tx)
      guard try partsReported(of: row, by: carrier, isUnderWay: isUnderWay, tx: tx) >= row.parts else { return fate }
      return try apply(receipt, from: carrier, to: row, nil, isKept: true, at: now, &events, tx: tx)
    }
    // The attempt may yet turn out not to be the one that failed: its answer comes first.
    if isUnderWay { return try note(receipt, from: carrier, of: row.id, isWaiting: true, at: now, tx: tx) }
    // A failure of an earlier attempt says nothing about the one that a carrier took.
    guard row.carrier == carrier, try receipt.carrierID == nil || !hasCarrierIDs(row, tx: tx) else {
      return try note(receipt, from: carrier, of: row.id, isWaiting: false, at: now, tx: tx)
    }
    return try apply(receipt, from: carrier, to: row, nil, at: now, &events, tx: tx)
  }

  /// How many parts this carrier has reported delivered, as far as they can only be of one attempt: those of two may be
  /// the same part twice.
  private func partsReported(
    of row: Progress, by carrier: Int, isUnderWay: Bool, tx: any Transaction
  ) throws -> Int {
    let attempts = try tx.first(
      "SELECT COUNT(*) FROM attempts WHERE delivery = $1 AND carrier = $2 AND part = 1",
      [.id(row.id), .integer(carrier)]
    ) { $0.int(0) }
    guard (attempts ?? 0) + (isUnderWay ? 1 : 0) == 1 else { return 0 }
    return try tx.first(
      """
      SELECT COUNT(DISTINCT carrier_id) FROM receipts
      WHERE delivery = $1 AND delivery IS NOT NULL AND carrier = $2 AND status = $3
      """, [.id(row.id), .integer(carrier), .integer(ReceiptStatus.delivered.rawValue)]
    ) { $0.int(0) } ?? 0
  }

  private func hasCarrierIDs(_ row: Progress, tx: any Transaction) throws -> Bool {
    try tx.first(
      "SELECT 1 FROM attempts WHERE delivery = $1 AND number = $2 AND part = 1 AND carrier_id IS NOT NULL",
      [.id(row.id), .integer(row.life.attempt)]
    ) { _ in true } ?? false
  }

  // MARK: Apply

  /// - Parameters:
  ///   - named: the attempt and part whose id it names; nil where only our reference matched.
  ///   - isKept: whether it stands in the table of receipts already.
  private func apply(
    _ receipt: IncomingReceipt, from carrier: Int, to row: Progress, _ named: NamedAttempt?, isKept: Bool = false,
    at now: Instant, _ events: inout EventBatch, tx: any Transaction
  ) throws -> ReceiptFate {
    var status = receipt.status
    if let named, named.parts > 1 { status = try together(status, row.id, named, tx: tx) }
    var life = row.life
    guard life.receive(status) else {
      if isKept { return .noted }
      return try note(receipt, from: carrier, of: row.id, isWaiting: false, at: now, tx: tx)
    }
    if row.life.state == .leased {
      // Nobody looks after the attempt any more if the process dies before its answer.
      let error = (
        code: AttemptRecord.reportedFirst,
        detail: "The message was reported delivered before this attempt was answered."
      )
      try recordUncertain(row, error, at: now, tx: tx)
    }
    if row.life.state.isFinal, !isKept {
      // A correction: what it says and what was thought before both stay to be seen.
      try keep(receipt, from: carrier, of: row.id, isWaiting: false, at: now, tx: tx)
    }
    let error =
      life.state == .delivered
      ? nil : (receipt.code ?? status.name, receipt.detail ?? "The carrier could not deliver the message.")
    try write(
      life, of: row, carrier: carrier, error: error, receipt: receipt.raw, receiptAt: receipt.at, at: now, &events,
      tx: tx)
    return .applied
  }

  /// A message whose parts are reported one by one is delivered when all are, and has failed when one has.
  private func together(
    _ status: ReceiptStatus, _ delivery: DeliveryID, _ attempt: NamedAttempt, tx: any Transaction
  ) throws -> ReceiptStatus {
    // What is final of a part stays, unless it turns out to be delivered.
    try tx.run(
      """
      UPDATE attempts SET receipt = $4
      WHERE delivery = $1 AND number = $2 AND part = $3
        AND (receipt IS NULL OR receipt IN ($5, $6) OR $4 = $7 AND receipt <> $7)
      """,
      [
        .id(delivery), .integer(attempt.number), .integer(attempt.part), .integer(status.rawValue),
        .integer(ReceiptStatus.buffered.rawValue), .integer(ReceiptStatus.unknown.rawValue),
        .integer(ReceiptStatus.delivered.rawValue),
      ])
    let known = try tx.all(
      "SELECT receipt FROM attempts WHERE delivery = $1 AND number = $2",
      [.id(delivery), .integer(attempt.number)]
    ) { $0.integerIfPresent(0).flatMap { ReceiptStatus(rawValue: Int($0)) } }
    if let failure = known.compactMap({ $0 }).first(where: { [.failed, .expired, .rejected].contains($0) }) {
      return failure
    }
    return known.allSatisfy { $0 == .delivered } ? .delivered : .buffered
  }

  // MARK: Keep

  /// Keeps a report in the timeline, unless it stands there already.
  private func note(
    _ receipt: IncomingReceipt, from carrier: Int, of delivery: DeliveryID, isWaiting: Bool, at now: Instant,
    tx: any Transaction
  ) throws -> ReceiptFate {
    if try !isRepeated(receipt, of: delivery, tx: tx) {
      try keep(receipt, from: carrier, of: delivery, isWaiting: isWaiting, at: now, tx: tx)
    }
    return isWaiting ? .waiting : .noted
  }

  /// Whether the same was said before: in the row itself, or among the receipts kept beside it.
  private func isRepeated(_ receipt: IncomingReceipt, of delivery: DeliveryID, tx: any Transaction) throws -> Bool {
    try tx.first(
      """
      SELECT 1 FROM deliveries WHERE id = $1 AND receipt = $2
      UNION ALL SELECT 1 FROM receipts WHERE delivery = $1 AND delivery IS NOT NULL AND raw = $2 LIMIT 1
      """, [.id(delivery), .text(receipt.raw)]
    ) { _ in true } ?? false
  }

  private func keep(
    _ receipt: IncomingReceipt, from carrier: Int, of delivery: DeliveryID?, isWaiting: Bool, at now: Instant,
    tx: any Transaction
  ) throws {
    try tx.run(
      """
      INSERT INTO receipts (id, carrier, carrier_id, delivery, status, code, detail, at, received, raw, waiting)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      """,
      [
        .id(ids.next(at: now)), .integer(carrier), .text(receipt.carrierID), .id(delivery),
        .integer(receipt.status.rawValue), .text(receipt.code), .text(receipt.detail), .instant(receipt.at),
        .instant(now), .text(receipt.raw), .bool(isWaiting),
      ])
  }

  // MARK: Early ones

  /// Applies the reports that came before the answer to this attempt.
  func applyEarlyReceipts(
    to lease: Lease, _ settlement: Settlement, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    guard case .accepted(let ids) = settlement.outcome else { return }
    for carrierID in ids {
      let named = try tx.all(
        """
        SELECT id, carrier_id, status, code, detail, at, raw, received FROM receipts
        WHERE carrier = $1 AND carrier_id = $2 AND waiting = 1 ORDER BY id
        """, [.integer(lease.carrier), .text(carrierID)], EarlyReceipt.init)
      for early in named { try apply(early, to: lease, settlement, &events, tx: tx) }
    }
    let referred = try tx.all(
      """
      SELECT id, carrier_id, status, code, detail, at, raw, received FROM receipts
      WHERE delivery = $1 AND delivery IS NOT NULL AND carrier = $2 AND waiting = 1 ORDER BY id
      """, [.id(lease.delivery), .integer(lease.carrier)], EarlyReceipt.init)
    for early in referred { try apply(early, to: lease, settlement, &events, tx: tx) }
  }

  private struct EarlyReceipt {
    let id: ID128
    let receipt: IncomingReceipt
    let received: Instant

    init(_ row: any Row) {
      id = row.id(0)
      receipt = IncomingReceipt(
        carrierID: row.textIfPresent(1), reference: nil, status: ReceiptStatus(rawValue: row.int(2)) ?? .unknown,
        code: row.textIfPresent(3), detail: row.textIfPresent(4), at: row.instantIfPresent(5), raw: row.text(6))
      received = row.instant(7)
    }
  }

  private func apply(
    _ early: EarlyReceipt, to lease: Lease, _ settlement: Settlement, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    try tx.run("UPDATE receipts SET waiting = 0, delivery = $2 WHERE id = $1", [.id(early.id), .id(lease.delivery)])
    guard let row = try progress(of: lease.delivery, tx: tx) else { return }
    let named = try attempt(named: early.receipt, by: lease.carrier, tx: tx)
    // What names another id, or came before this attempt began, is about an earlier one.
    if let named {
      guard named.delivery == lease.delivery else { return }
    } else {
      guard early.received >= lease.started, try early.receipt.carrierID == nil || !hasCarrierIDs(row, tx: tx)
      else { return }
      // One part of several, as far as anybody knows.
      if early.receipt.status == .delivered, row.parts > 1 { return }
    }
    _ = try apply(
      early.receipt, from: lease.carrier, to: row, named?.attempt, isKept: true, at: settlement.ended, &events, tx: tx)
  }
}

extension Outbox {
  /// How long a report waits for its attempt.
  package static let unmatchedLimit: Duration = .seconds(7 * 24 * 3600)

  /// Removes reports that nothing ever matched.
  package func forgetUnmatchedReceipts(at now: Instant, tx: any Transaction) throws {
    let oldest = ID128(high: UInt64(clamping: (now - Self.unmatchedLimit).milliseconds) << 16, low: 0)
    try tx.run("DELETE FROM receipts WHERE id < $1 AND delivery IS NULL", [.id(oldest)])
  }
}
