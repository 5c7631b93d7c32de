package import CarrierProfiles
package import Contract
import Cryptography
package import Database
import Delivery
package import Exchange
package import Runtime

/// Writes down what carriers say: receipts and incoming texts, pushed or polled.
package struct CarrierReports: Sendable {
  private let database: any Database
  private let outbox: Outbox
  private let inbox: Inbox
  private let hub: EventHub
  private let dispatcher: Dispatcher
  private let log: Logger

  package init(
    database: any Database, outbox: Outbox, inbox: Inbox, hub: EventHub, dispatcher: Dispatcher, log: Logger
  ) {
    self.database = database
    self.outbox = outbox
    self.inbox = inbox
    self.hub = hub
    self.dispatcher = dispatcher
    self.log = log
  }

  /// Returns once all of it is on disk.
  /// - Parameter raw: the whole call as it came, kept where something of it could not be read.
  package func store(_ reading: CallbackReading, raw: [UInt8], from carrier: Carrier, at now: Instant) async throws {
    let number = carrier.record.number
    let receipts = reading.receipts.map(Self.receipt)
    let texts = reading.inbound.map(Self.text)
    let streams = try await database.transaction { [outbox, inbox] tx in
      var events = EventBatch()
      for receipt in receipts {
        _ = try outbox.receive(receipt, from: number, at: now, events: &events, tx: tx)
      }
      for text in texts {
        _ = try inbox.receive(text, from: number, at: now, events: &events, tx: tx)
      }
      if let refusal = reading.refusal {
        // The whole call has its unread records in it.
        try inbox.keepUnread(raw, reason: refusal, from: number, at: now, tx: tx)
      } else {
        for record in reading.unread {
          try inbox.keepUnread(Array(record.utf8), reason: "no rule reads it", from: number, at: now, tx: tx)
        }
      }
      return try events.write(in: tx, at: now)
    }
    if reading.refusal != nil || !reading.unread.isEmpty {
      log.warning(
        "A carrier sent something that its profile does not read; it is kept.", ["carrier": .text(carrier.record.name)])
    }
    hub.signal(streams)
    // A delivered one may let the next to the same number go.
    if !receipts.isEmpty { dispatcher.wake() }
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
