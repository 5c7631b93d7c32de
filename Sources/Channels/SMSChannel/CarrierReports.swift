package import CarrierProfiles
package import Contract
import Cryptography
package import Database
import Delivery
package import Exchange
package import Runtime

/// Writes down what carriers say: receipts and incoming texts, pushed or polled.
package struct CarrierReports: Sendable {
  private struct Report {
    let receipts: [IncomingReceipt]
    let texts: [IncomingText]
    /// What can not be read, and why.
    let unread: [(reason: String, raw: [UInt8])]
    let carrier: Int
    let now: Instant
  }

  private let transactions: SharedTransaction<Report, Void, Set<ID128>>
  private let dispatcher: Dispatcher
  private let counted: Counter?
  private let log: Logger

  /// - Parameter counted: counts reports by carrier and kind: a receipt's status, `text`, or `unread`.
  package init(
    database: any Database, outbox: Outbox, inbox: Inbox, hub: EventHub, dispatcher: Dispatcher,
    counted: Counter? = nil, log: Logger
  ) {
    self.dispatcher = dispatcher
    self.counted = counted
    self.log = log
    transactions = SharedTransaction(database: database, spacing: .milliseconds(5)) { reports, tx in
      var events = EventBatch()
      for report in reports { try Self.store(report, outbox, inbox, &events, tx) }
      guard let latest = reports.map(\.now).max() else { return ([], []) }
      return (reports.map { _ in }, try events.write(in: tx, at: latest))
    } committed: {
      hub.signal($0)
    }
  }

  /// Returns once all of it is on disk.
  /// - Parameter raw: the whole call as it came, kept where something of it could not be read.
  package func store(_ reading: CallbackReading, raw: [UInt8], from carrier: Carrier, at now: Instant) async throws {
    // A call that is refused as a whole has its unread records in it.
    let unread =
      reading.refusal.map { [(reason: $0, raw: raw)] }
      ?? reading.unread.map { (reason: "no rule reads it", raw: Array($0.utf8)) }
    let report = Report(
      receipts: reading.receipts.map(Self.receipt), texts: reading.inbound.map(Self.text), unread: unread,
      carrier: carrier.record.number, now: now)
    try await transactions.run(report)
    if let counted {
      for receipt in report.receipts { counted.add(1, carrier.record.name, receipt.status.name) }
      if !report.texts.isEmpty { counted.add(report.texts.count, carrier.record.name, "text") }
      if !unread.isEmpty { counted.add(unread.count, carrier.record.name, "unread") }
    }
    if !unread.isEmpty {
      log.warning(
        "A carrier sent something that its profile does not read; it is kept.", ["carrier": .text(carrier.record.name)])
    }
    // A delivered one may let the next to the same number go.
    if !report.receipts.isEmpty { dispatcher.wake() }
  }

  private static func store(
    _ report: Report, _ outbox: Outbox, _ inbox: Inbox, _ events: inout EventBatch, _ tx: any Transaction
  ) throws {
    for receipt in report.receipts {
      _ = try outbox.receive(receipt, from: report.carrier, at: report.now, events: &events, tx: tx)
    }
    for text in report.texts {
      _ = try inbox.receive(text, from: report.carrier, at: report.now, events: &events, tx: tx)
    }
    for (reason, raw) in report.unread {
      try inbox.keepUnread(raw, reason: reason, from: report.carrier, at: report.now, tx: tx)
    }
  }

  private static func receipt(_ receipt: Receipt) -> IncomingReceipt {
    IncomingReceipt(
      carrierID: receipt.carrierID.isEmpty ? nil : receipt.carrierID, reference: receipt.reference,
      status: receipt.status.asDelivery, code: receipt.code,
      detail: receipt.status == .delivered ? nil : receipt.sentence, at: receipt.at, raw: receipt.raw)
  }

  private static func text(_ text: InboundText) -> IncomingText {
    IncomingText(
      sender: address(text.from), recipient: address(text.to), text: text.text, reference: text.reference, at: text.at,
      part: text.part.map { part in
        IncomingText.Part(
          reference: part.reference, total: part.total, number: part.number,
          content: .init(coding: text.content.coding.rawValue, octets: text.content.octets))
      },
      digest: SHA256.hash(Array(text.identity.utf8)), raw: Array(text.raw.utf8))
  }

  /// Carriers write international numbers without the plus sign; a short code or a name stays as it is.
  private static func address(_ given: String) -> String {
    let digits = given.hasPrefix("+") ? given.dropFirst() : given[...]
    let isInternational =
      (7...15).contains(digits.utf8.count) && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && digits.first != "0"
    return isInternational ? "+\(digits)" : given
  }

  /// Joins the parts of a long text, for `Inbox`.
  package static func join(_ parts: [IncomingText.Content]) -> String {
    InboundContent.joined(
      parts.map { InboundContent(coding: InboundContent.Coding(rawValue: $0.coding) ?? .octets, octets: $0.octets) })
  }
}

extension Receipt.Status {
  var asDelivery: ReceiptStatus {
    switch self {
    case .delivered: .delivered
    case .buffered: .buffered
    case .failed: .failed
    case .expired: .expired
    case .rejected: .rejected
    case .unknown: .unknown
    }
  }
}
