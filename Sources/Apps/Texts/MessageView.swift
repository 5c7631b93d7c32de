package import Contract
import Database
package import Delivery
package import Exchange
package import Formats
import GSMText

/// A message as the API shows it.
package struct MessageView: Sendable {
  private let record: DeliveryRecord
  private let body: TextBody?
  private let hidesText: Bool
  private let routes: RouteTable

  /// - Parameters:
  ///   - body: the opened body; nil once erased.
  ///   - hidesText: whether what it says is not shown.
  package init(_ record: DeliveryRecord, body: TextBody?, hidesText: Bool = false, routes: RouteTable) {
    self.record = record
    self.body = body
    self.hidesText = hidesText
    self.routes = routes
  }

  private func name(_ carrier: Int) -> String { routes.carriers[carrier]?.name ?? "?" }

  /// The carrier that has it, or that the sender insisted on.
  private var carrierName: String? {
    let wasSent = record.attempt > 0 && record.state != .queued && record.state != .leased
    return (wasSent ? record.carrier : record.fixedCarrier).map(name)
  }

  package func write(_ json: inout JSONWriter) { json.object { writeFields(&$0) } }

  /// With its whole life, and what else is to stand in it.
  package func write(
    _ json: inout JSONWriter, attempts: [AttemptRecord], receipts: [ReceiptRecord],
    more: (inout JSONWriter) -> Void = { _ in }
  ) {
    json.object { json in
      writeFields(&json)
      more(&json)
      json.field("timeline", timeline(attempts, receipts)) { json, step in
        json.object { json in
          json.field("at", step.at)
          json.field("event", step.event)
          json.field("attempt", step.attempt)
          json.field("carrier", step.carrier)
          json.field("carrierID", step.carrierID)
          json.field("detail", step.detail)
        }
      }
    }
  }

  /// Its fields, into an object that may have others.
  func writeFields(_ json: inout JSONWriter) {
    json.field("id", record.id)
    json.field("conversation", record.address)
    json.field("to", record.address)
    json.field("from", body?.sender)
    json.field("text", hidesText ? nil : body?.text)
    json.field("class", record.deliveryClass.name)
    json.field("state", record.state.name)
    json.field("encoding", body?.encoding.rawValue)
    json.field("parts", record.parts)
    json.price("price", record.price)
    json.field("carrier", carrierName)
    json.field("reference", record.reference)
    json.field("createdAt", record.created)
    json.field("updatedAt", record.updated)
    json.field("notBefore", record.notBefore)
    json.field("expiresAt", record.expires)
    record.writeError(&json)
    json.field("cancelRequested", record.isCancelPending)
  }

  /// The answer that was given when the message was accepted: all else of it never changes.
  package static func asAccepted(_ record: DeliveryRecord) -> DeliveryRecord {
    DeliveryRecord(asAccepted: record)
  }

  // MARK: Timeline

  package struct Step: Sendable, Equatable {
    package let at: Instant
    package let event: String
    package var attempt: Int?
    package var carrier: String?
    package var carrierID: String?
    package var detail: String?
  }

  /// Every attempt, every answer, every report, in order of time.
  package func timeline(_ attempts: [AttemptRecord], _ receipts: [ReceiptRecord]) -> [Step] {
    let isScheduled = record.notBefore.map { $0 > record.created } ?? false
    var steps = [Step(at: record.created, event: isScheduled ? "scheduled" : "accepted")]
    for attempt in attempts {
      if attempt.part == 1 {
        steps.append(
          Step(
            at: attempt.started, event: "attempt", attempt: attempt.number, carrier: name(attempt.carrier),
            detail: attempt.insteadOf))
      }
      steps.append(
        Step(
          at: attempt.ended, event: attempt.outcome == .accepted ? "submitted" : attempt.outcome.name,
          attempt: attempt.number, carrier: name(attempt.carrier), carrierID: attempt.carrierID,
          detail: attempt.detail))
    }
    if record.state == .leased, let leased = record.leased {
      steps.append(
        Step(
          at: leased, event: "attempt", attempt: record.attempt, carrier: name(record.carrier),
          detail: record.insteadOf))
    }
    for receipt in receipts {
      steps.append(
        Step(
          at: receipt.received, event: "receipt", carrier: name(receipt.carrier),
          detail: [receipt.status.name, receipt.detail].compactMap(\.self).joined(separator: ": ")))
    }
    steps.sort { $0.at < $1.at }
    if record.state.isFinal {
      // A receipt may overtake the answer to its attempt; the end stands last all the same.
      let at = max(record.updated, steps.last?.at ?? record.updated)
      steps.append(Step(at: at, event: record.state.name, detail: record.error))
    }
    return steps
  }
}

extension DeliveryRecord {
  /// `{code, message}` or null.
  func writeError(_ json: inout JSONWriter) {
    guard let errorCode else { return json.field("error", nil as String?) }
    json.object("error") { json in
      json.field("code", errorCode)
      json.field("message", error)
    }
  }
}

extension JSONWriter {
  /// `{amount, currency}` or null.
  package mutating func price(_ key: StaticString, _ price: Price?) {
    guard let price else { return field(key, nil as String?) }
    object(key) { json in
      json.field("amount", price.amount)
      json.field("currency", price.currency)
    }
  }
}
