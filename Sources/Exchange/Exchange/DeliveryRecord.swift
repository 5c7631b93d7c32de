package import Contract
import Cryptography
package import Database
package import Delivery

/// A delivery as it stands in the database.
package struct DeliveryRecord: Sendable, Equatable {
  package let id: DeliveryID
  package let account: AccountID
  package let channel: Channel
  package let address: String
  package let deliveryClass: DeliveryClass
  package var state: DeliveryState
  /// The carrier that has it, or in whose queue it waits.
  package let carrier: Int
  package let fixedCarrier: Int?
  package var due: Instant?
  package let attempt: Int
  package let leased: Instant?
  package let insteadOf: String?
  package let notBefore: Instant?
  package let expires: Instant
  package let created: Instant
  package var updated: Instant
  /// Nil once erased.
  package let body: [UInt8]?
  /// Whether `body` is encrypted.
  package let isSealed: Bool
  package let reference: String?
  package let parts: Int
  package let price: Price?
  package var errorCode: String?
  package var error: String?
  package let receipt: String?
  package let receiptAt: Instant?
  package let requestHash: [UInt8]?
  /// When it was called back while an attempt was under way.
  package let cancelAsked: Instant?

  /// Whether it was called back and nobody knows yet whether in time.
  package var isCancelPending: Bool { cancelAsked != nil && state == .leased }

  init(_ row: any Row) {
    id = row.identifier(0)
    account = row.identifier(1)
    channel = Channel(rawValue: row.int(2)) ?? .sms
    address = row.text(3)
    deliveryClass = DeliveryClass(rawValue: row.int(4)) ?? .normal
    state = DeliveryState(rawValue: row.int(5)) ?? .unknown
    carrier = row.int(6)
    fixedCarrier = row.integerIfPresent(7).map(Int.init)
    due = row.instantIfPresent(8)
    attempt = row.int(9)
    leased = row.instantIfPresent(10)
    insteadOf = row.textIfPresent(11)
    notBefore = row.instantIfPresent(12)
    expires = row.instant(13)
    created = row.instant(14)
    updated = row.instant(15)
    body = row.bytesIfPresent(16)
    isSealed = row.bool(17)
    reference = row.textIfPresent(18)
    parts = row.int(19)
    if let amount = row.integerIfPresent(20), let currency = row.textIfPresent(21) {
      price = Price(micros: amount, currency: currency)
    } else {
      price = nil
    }
    errorCode = row.textIfPresent(22)
    error = row.textIfPresent(23)
    receipt = row.textIfPresent(24)
    receiptAt = row.instantIfPresent(25)
    requestHash = row.bytesIfPresent(26)
    cancelAsked = row.instantIfPresent(27)
  }

  package var life: Life { Life(state: state, due: due, attempt: attempt, expires: expires) }
}

extension Outbox {
  /// One delivery of an account; nil where there is none, or it is somebody else's.
  package func delivery(_ id: DeliveryID, of account: AccountID, tx: any Transaction) throws -> DeliveryRecord? {
    let record = try delivery(id, tx: tx)
    return record?.account == account ? record : nil
  }

  package func delivery(_ id: DeliveryID, tx: any Transaction) throws -> DeliveryRecord? {
    try tx.first(
      """
      SELECT id, account, channel, address, class, state, carrier, fixed_carrier, due, attempt, leased, instead_of,
        not_before, expires, created, updated, body, sealed, reference, parts, price, currency, error_code, error,
        receipt, receipt_at, request_hash, cancel_asked
      FROM deliveries WHERE id = $1
      """, [.id(id)], DeliveryRecord.init)
  }

  /// An account's deliveries, newest first, older than `cursor`.
  package func deliveries(
    of account: AccountID, before cursor: DeliveryID?, limit: Int, tx: any Transaction
  ) throws -> [DeliveryRecord] {
    try tx.all(
      """
      SELECT id, account, channel, address, class, state, carrier, fixed_carrier, due, attempt, leased, instead_of,
        not_before, expires, created, updated, body, sealed, reference, parts, price, currency, error_code, error,
        receipt, receipt_at, request_hash, cancel_asked
      FROM deliveries WHERE account = $1 AND id < $2 ORDER BY account, id DESC LIMIT $3
      """,
      [.id(account), .id(cursor?.value ?? ID128(high: .max, low: .max)), .integer(limit)], DeliveryRecord.init)
  }
}

/// One attempt (or one part of it that the carrier names apart) as it was recorded.
package struct AttemptRecord: Sendable, Equatable {
  package let number: Int
  package let part: Int
  package let parts: Int
  package let carrier: Int
  package let carrierID: String?
  package let started: Instant
  package let ended: Instant
  package let outcome: AttemptOutcome.Kind
  package let code: String?
  package let detail: String?
  package let insteadOf: String?
  package let receipt: ReceiptStatus?
}

extension AttemptRecord {
  /// The code of an attempt that a report of its delivery overtook.
  static let reportedFirst = "reported"

  /// Whether its answer may still come and take the place of this record.
  package var awaitsAnswer: Bool { outcome == .uncertain && code == Self.reportedFirst }
}

/// A report that did not simply end its delivery: early, late, intermediate, or of another opinion.
package struct ReceiptRecord: Sendable, Equatable {
  package let carrier: Int
  package let status: ReceiptStatus
  package let code: String?
  package let detail: String?
  package let at: Instant?
  package let received: Instant
}

extension Outbox {
  /// The delivery that a carrier calls by this id; the latest, since a carrier may use an id again after years.
  package func delivery(
    carrierID: String, of carriers: some Sequence<Int>, tx: any Transaction
  ) throws -> DeliveryRecord? {
    let found: [DeliveryID] = try carriers.compactMap { carrier in
      try tx.first(
        """
        SELECT delivery FROM attempts WHERE carrier = $1 AND carrier_id = $2 AND carrier_id IS NOT NULL
        ORDER BY carrier DESC, carrier_id DESC, delivery DESC LIMIT 1
        """, [.integer(carrier), .text(carrierID)]
      ) { $0.identifier(0) }
    }
    return try found.max().flatMap { try delivery($0, tx: tx) }
  }

  package func attempts(of delivery: DeliveryID, tx: any Transaction) throws -> [AttemptRecord] {
    try tx.all(
      """
      SELECT number, part, parts, carrier, carrier_id, started, ended, outcome, code, detail, instead_of, receipt
      FROM attempts WHERE delivery = $1 ORDER BY delivery, number, part
      """, [.id(delivery)]
    ) { row in
      AttemptRecord(
        number: row.int(0), part: row.int(1), parts: row.int(2), carrier: row.int(3), carrierID: row.textIfPresent(4),
        started: row.instant(5), ended: row.instant(6),
        outcome: AttemptOutcome.Kind(rawValue: row.int(7)) ?? .uncertain, code: row.textIfPresent(8),
        detail: row.textIfPresent(9), insteadOf: row.textIfPresent(10),
        receipt: row.integerIfPresent(11).flatMap { ReceiptStatus(rawValue: Int($0)) })
    }
  }

  package func receipts(of delivery: DeliveryID, tx: any Transaction) throws -> [ReceiptRecord] {
    try tx.all(
      """
      SELECT carrier, status, code, detail, at, received FROM receipts
      WHERE delivery = $1 AND delivery IS NOT NULL ORDER BY id LIMIT 100
      """, [.id(delivery)]
    ) { row in
      ReceiptRecord(
        carrier: row.int(0), status: ReceiptStatus(rawValue: row.int(1)) ?? .unknown, code: row.textIfPresent(2),
        detail: row.textIfPresent(3), at: row.instantIfPresent(4), received: row.instant(5))
    }
  }
}

extension DeliveryRecord {
  /// A delivery as it stood when it was accepted: without looking, since nothing else of it was ever written.
  package init(accepted new: NewDelivery, id: DeliveryID, state: DeliveryState, at now: Instant) {
    self.init(
      id: id, account: new.account, channel: new.channel, address: new.address, deliveryClass: new.deliveryClass,
      state: state, carrier: new.carrier, fixedCarrier: new.fixedCarrier, notBefore: new.notBefore,
      expires: new.expires, created: now, body: new.body, isSealed: false, reference: new.reference,
      parts: new.parts, price: new.price)
  }

  /// The same, from what is stored now.
  package init(asAccepted record: DeliveryRecord) {
    let isScheduled = record.notBefore.map { $0 > record.created } ?? false
    self.init(
      id: record.id, account: record.account, channel: record.channel, address: record.address,
      deliveryClass: record.deliveryClass, state: isScheduled ? .scheduled : .queued, carrier: record.carrier,
      fixedCarrier: record.fixedCarrier, notBefore: record.notBefore, expires: record.expires,
      created: record.created, body: record.body, isSealed: record.isSealed, reference: record.reference,
      parts: record.parts, price: record.price)
  }

  private init(
    id: DeliveryID, account: AccountID, channel: Channel, address: String, deliveryClass: DeliveryClass,
    state: DeliveryState, carrier: Int, fixedCarrier: Int?, notBefore: Instant?, expires: Instant, created: Instant,
    body: [UInt8]?, isSealed: Bool, reference: String?, parts: Int, price: Price?
  ) {
    self.id = id
    self.account = account
    self.channel = channel
    self.address = address
    self.deliveryClass = deliveryClass
    self.state = state
    self.carrier = carrier
    self.fixedCarrier = fixedCarrier
    due = nil
    attempt = 0
    leased = nil
    insteadOf = nil
    self.notBefore = notBefore
    self.expires = expires
    self.created = created
    updated = created
    self.body = body
    self.isSealed = isSealed
    self.reference = reference
    self.parts = parts
    self.price = price
    errorCode = nil
    error = nil
    receipt = nil
    receiptAt = nil
    requestHash = nil
    cancelAsked = nil
  }
}

extension Outbox {
  /// What a delivery carries, decrypted where it is secret; nil once erased.
  package func openedBody(of record: DeliveryRecord) -> [UInt8]? {
    guard let body = record.body else { return nil }
    return record.isSealed ? try? key.open(body, purpose: Self.bodyPurpose) : body
  }
}

extension Outbox {
  /// How many wait for their turn with a carrier, or for a later try; those behind another one to the same number are
  /// not among them.
  package func waiting(for carrier: Int, tx: any Transaction) throws -> Int {
    try tx.first(
      "SELECT COUNT(*) FROM deliveries WHERE state = 1 AND carrier = $1 AND due IS NOT NULL", [.integer(carrier)]
    ) { $0.int(0) } ?? 0
  }

  /// Since when the message that waits longest for a carrier has been due; nil where none waits.
  package func oldestDue(of carrier: Int, tx: any Transaction) throws -> Instant? {
    var oldest: Instant?
    for deliveryClass in DeliveryClass.allCases {
      let due = try tx.first(
        """
        SELECT due FROM deliveries WHERE state = 1 AND carrier = $1 AND class = $2 AND due IS NOT NULL
        ORDER BY state, carrier, class, due, id LIMIT 1
        """, [.integer(carrier), .integer(deliveryClass.rawValue)]
      ) { $0.instant(0) }
      if let due { oldest = min(due, oldest ?? due) }
    }
    return oldest
  }
}
