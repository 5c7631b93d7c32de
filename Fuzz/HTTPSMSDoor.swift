import CarrierProfiles
import GSMText
import HTTPSMS

/// The carrier's side of HTTPSMS, and that our own profile reads what it writes.
enum HTTPSMSDoor {
  /// A form from a client.
  static func run(_ input: inout Input) {
    let fields = FormField.decode(input.bytes).map { ($0.name, $0.value) }
    do throws(HTTPSMSRefusal) { check(try HTTPSMSSubmit(fields: fields)) } catch {
      CarriersHarness.shown(error.reason, limit: 300)
    }
    if let poll = try? HTTPSMSPoll(fields: fields) { require(!poll.user.isEmpty && !poll.password.isEmpty, "nobody") }
  }

  static func check(_ submit: HTTPSMSSubmit) {
    require((1...HTTPSMSSubmit.partLimit).contains(submit.parts), "more parts than the limit")
    require((1...HTTPSMSSubmit.destinationLimit).contains(submit.destinations.count), "more numbers than the limit")
    require(submit.destinations.contains { $0.number != nil }, "a message to nobody")
    require((1...HTTPSMSSubmit.validityLimit).contains(submit.validityMinutes), "a time that can not be")
    require(!submit.source.isEmpty && submit.source.isOneLine, "a sender that can not be")
    require(submit.reference.map { HTTPSMSSubmit.isReference($0) } ?? true, "a reference that can not be")
    switch submit.content {
    case .gsm(let septets): require(septets.allSatisfy { $0 < 0x80 }, "an octet that is no septet")
    case .ucs2(let octets): require(octets.count.isMultiple(of: 2), "half a unit")
    case .binary(let octets, let header): require(octets.count + header.count <= 420, "more than three parts")
    }
    _ = submit.content.text
  }

  /// An envelope or an answer.
  static func texts(_ input: inout Input) {
    let text = input.text
    if let envelope = IncomingEnvelope(reading: text) { check(envelope) }
    if let answer = HTTPSMSAnswer(reading: text) { check(answer) }
  }

  private static func check(_ envelope: IncomingEnvelope) {
    require(envelope.items.count <= IncomingEnvelope.itemLimit, "more items than the limit")
    require(IncomingEnvelope(reading: envelope.text) == envelope, "an envelope comes back as another")
    let push = CarriersHarness.httpsms.readCallback(
      Callback(method: "POST", query: [], contentType: "application/x-www-form-urlencoded", body: envelope.pushBody),
      now: CarriersHarness.now)
    let poll = CarriersHarness.httpsms.readPoll(status: 200, body: Array(envelope.text.utf8), now: CarriersHarness.now)
    CarriersHarness.check(poll)
    require(push.receipts == poll.receipts && push.inbound == poll.inbound, "a push and a poll are read differently")
    // A message without a sender is kept for a person to look at.
    let isComplete = envelope.items.allSatisfy { item in
      if case .message(let message) = item { !message.source.isEmpty } else { true }
    }
    guard isComplete else { return }
    require(poll.receipts.count + poll.inbound.count == envelope.items.count, "the profile does not read every item")
    require(poll.refusal == nil, "the profile refuses an envelope")
    let texts = envelope.items.compactMap { item -> String? in
      if case .message(let message) = item { message.text ?? "" } else { nil }
    }
    for (text, inbound) in zip(texts, poll.inbound) where inbound.content.coding != .octets {
      // U+00A4 is an euro sign at the carrier's door only.
      require(text == inbound.text || inbound.text.unicodeScalars.contains("\u{A4}"), "the profile reads another text")
    }
  }

  private static func check(_ answer: HTTPSMSAnswer) {
    require(HTTPSMSAnswer(reading: answer.body) == answer, "an answer comes back as another")
    let outcome = CarriersHarness.httpsms.outcome(
      status: answer.status, body: Array(answer.body.utf8), for: CarriersHarness.submission)
    switch answer {
    case .refused(let code):
      if case .accepted = outcome { require(false, "a refusal counts as accepted") }
      if case .uncertain = outcome { require(false, "\(code) is not known to the profile") }
    case .accepted(let results, let reference):
      guard results.count == 1, reference.map({ HTTPSMSSubmit.isReference($0) }) ?? true else { return }
      switch results[0] {
      case .id(let id): require(outcome == .accepted(ids: ["\(id)"], detail: nil), "an id is not read")
      case .failed:
        if case .accepted = outcome { require(false, "a failure counts as accepted") }
        if case .uncertain = outcome { require(false, "a failure is not known to the profile") }
      }
    }
  }
}
