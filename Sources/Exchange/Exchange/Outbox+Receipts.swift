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
  /// It changes nothing: it came before, or tells nothing final. Kept in the timeline unless it is the same again.
  case noted
  /// Nothing matches it yet: kept, and applied when its attempt is answered.
  case waiting
}

extension Outbox {
  /// Matches a report to its attempt and lets the delivery follow.
  package func receive(
    _ receipt: IncomingReceipt, from carrier: Int, at now: Instant, events: inout EventBatch, tx: any Transaction
  ) throws -> ReceiptFate {
    guard let match = try match(receipt, from: carrier, tx: tx), let row = try progress(of: match.delivery, tx: tx)
    else {
      try keep(receipt, from: carrier, of: nil, isWaiting: receipt.carrierID != nil, at: now, tx: tx)
      return .waiting
    }
    // The attempt is under way and a failure may be of it: its answer must come first.
    if row.life.state == .leased, match.attempt == nil, receipt.status != .delivered {
      try keep(receipt, from: carrier, of: nil, isWaiting: receipt.carrierID != nil, at: now, tx: tx)
      return .waiting
    }
    return try apply(receipt, from: carrier, to: row, match, at: now, &events, tx: tx)
  }

  private struct Match {
    let delivery: DeliveryID
    /// The attempt and part whose id it names; nil where only our reference matched.
    let attempt: (number: Int, part: Int, parts: Int)?
  }

  private func match(_ receipt: IncomingReceipt, from carrier: Int, tx: any Transaction) throws -> Match? {
    if let carrierID = receipt.carrierID {
      // A carrier may use an id again after years: the latest delivery is meant.
      let found: Match? = try tx.first(
        """
        SELECT delivery, number, part, parts FROM attempts
        WHERE carrier = $1 AND carrier_id = $2 AND carrier_id IS NOT NULL
        ORDER BY delivery DESC, number DESC LIMIT 1
        """, [.integer(carrier), .text(carrierID)]
      ) { Match(delivery: $0.identifier(0), attempt: ($0.int(1), $0.int(2), $0.int(3))) }
      if let found { return found }
    }
    guard let range = receipt.reference.flatMap(ID128.range(shortReference:)) else { return nil }
    return try tx.first(
      "SELECT id FROM deliveries WHERE id BETWEEN $1 AND $2 LIMIT 1",
      [.id(range.lowerBound), .id(range.upperBound)]
    ) { Match(delivery: $0.identifier(0), attempt: nil) }
  }

  private func apply(
    _ receipt: IncomingReceipt, from carrier: Int, to row: Progress, _ match: Match, at now: Instant,
    _ events: inout EventBatch, tx: any Transaction
  ) throws -> ReceiptFate {
    var status = receipt.status
    if let attempt = match.attempt, attempt.parts > 1 {
      status = try together(status, row.id, attempt, tx: tx)
    }
    var life = row.life
    guard life.receive(status) else {
      if try !isRepeated(receipt, of: row.id, tx: tx) {
        try keep(receipt, from: carrier, of: row.id, isWaiting: false, at: now, tx: tx)
      }
      return .noted
    }
    if row.life.state.isFinal {
      // A correction: what it says and what was thought before both stay to be seen.
      try keep(receipt, from: carrier, of: row.id, isWaiting: false, at: now, tx: tx)
    }
    let error =
      life.state == .delivered
      ? nil : (receipt.code ?? receipt.status.name, receipt.detail ?? "The carrier could not deliver the message.")
    try write(
      life, of: row, carrier: row.carrier, error: error, receipt: receipt.raw, receiptAt: receipt.at, at: now, &events,
      tx: tx)
    return .applied
  }

  /// A message whose parts are reported one by one is delivered when all are, and has failed when one has.
  private func together(
    _ status: ReceiptStatus, _ delivery: DeliveryID, _ attempt: (number: Int, part: Int, parts: Int),
    tx: any Transaction
  ) throws -> ReceiptStatus {
    try tx.run(
      """
      UPDATE attempts SET receipt = $4
      WHERE delivery = $1 AND number = $2 AND part = $3 AND (receipt IS NULL OR receipt <> 1)
      """,
      [.id(delivery), .integer(attempt.number), .integer(attempt.part), .integer(status.rawValue)])
    let known = try tx.all(
      "SELECT receipt FROM attempts WHERE delivery = $1 AND number = $2",
      [.id(delivery), .integer(attempt.number)]
    ) { $0.integerIfPresent(0).flatMap { ReceiptStatus(rawValue: Int($0)) } }
    if let failure = known.compactMap({ $0 }).first(where: { [.failed, .expired, .rejected].contains($0) }) {
      return failure
    }
    return known.allSatisfy { $0 == .delivered } ? .delivered : .buffered
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

  /// Reports that came before the answer to this attempt.
  func applyEarlyReceipts(
    to lease: Lease, _ settlement: Settlement, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    guard case .accepted(let ids) = settlement.outcome else { return }
    for carrierID in ids {
      let early = try tx.all(
        """
        SELECT id, status, code, detail, at, raw FROM receipts
        WHERE carrier = $1 AND carrier_id = $2 AND waiting = 1 ORDER BY id
        """, [.integer(lease.carrier), .text(carrierID)]
      ) { row in
        (
          row.id(0),
          IncomingReceipt(
            carrierID: carrierID, reference: nil, status: ReceiptStatus(rawValue: row.int(1)) ?? .unknown,
            code: row.textIfPresent(2), detail: row.textIfPresent(3), at: row.instantIfPresent(4), raw: row.text(5))
        )
      }
      for (id, receipt) in early {
        try tx.run("UPDATE receipts SET waiting = 0, delivery = $2 WHERE id = $1", [.id(id), .id(lease.delivery)])
        guard let row = try progress(of: lease.delivery, tx: tx),
          let match = try match(receipt, from: lease.carrier, tx: tx), match.delivery == lease.delivery
        else { continue }
        _ = try apply(receipt, from: lease.carrier, to: row, match, at: settlement.ended, &events, tx: tx)
      }
    }
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
