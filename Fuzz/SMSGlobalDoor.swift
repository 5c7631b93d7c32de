import CarrierProfiles
import SMSGlobal

/// The carrier's side of SMSGlobal, and that our own profile reads what it writes.
enum SMSGlobalDoor {
  static func run(_ input: inout Input) {
    let fields = FormField.decode(input.bytes).map { ($0.name, $0.value) }
    do throws(SMSGlobalRefusal) { check(try SMSGlobalSubmit(fields: fields)) } catch {
      CarriersHarness.shown(error.text, limit: 100)
      let outcome = CarriersHarness.smsglobal.outcome(
        status: 200, body: Array(SMSGlobalAnswer(error).body.utf8), for: CarriersHarness.submission)
      if case .accepted = outcome { require(false, "a refusal counts as accepted") }
    }
    if let receipt = SMSGlobalReceipt(fields: fields) { check(receipt) }
    if let incoming = SMSGlobalIncoming(fields: fields) { check(incoming) }
    if let answer = SMSGlobalAnswer(reading: input.text) { check(answer) }
  }

  static func check(_ submit: SMSGlobalSubmit) {
    require((1...SMSGlobalSubmit.recipientLimit).contains(submit.to.count), "more numbers than the limit")
    require(submit.to.contains { $0 != nil } && (1...255).contains(submit.partLimit), "a message to nobody")
    require((1...16).contains(submit.from.utf8.count) && submit.from.isOneLine, "a sender that can not be")
    if let time = submit.scheduled { require(SMSGlobalTime(time.text) == time, "a time comes back as another") }
  }

  /// A field as a form has it.
  private static func form(_ fields: [(String, String)]) -> Callback {
    Callback(method: "POST", fields: fields.map { FormField($0.0, $0.1) })
  }

  private static func check(_ receipt: SMSGlobalReceipt) {
    let fields = receipt.fields.map { ($0.0, Array($0.1.utf8)) }
    require(SMSGlobalReceipt(fields: fields) == receipt, "a receipt comes back as another")
    let reading = CarriersHarness.smsglobal.readCallback(form(receipt.fields), now: CarriersHarness.now)
    require(reading.receipts.map(\.carrierID) == ["\(receipt.messageID)"], "the profile does not read a receipt")
    require(reading.refusal == nil && reading.receipts[0].status != .unknown, "the profile does not know a status")
  }

  private static func check(_ incoming: SMSGlobalIncoming) {
    let fields = incoming.fields.map { ($0.0, Array($0.1.utf8)) }
    require(SMSGlobalIncoming(fields: fields) == incoming, "a message comes back as another")
    let reading = CarriersHarness.smsglobal.readCallback(form(incoming.fields), now: CarriersHarness.now)
    CarriersHarness.check(reading)
    require(reading.inbound.map(\.text) == [incoming.text], "the profile reads another text")
  }

  private static func check(_ answer: SMSGlobalAnswer) {
    require(SMSGlobalAnswer(reading: answer.body) == answer, "an answer comes back as another")
    let outcome = CarriersHarness.smsglobal.outcome(
      status: 200, body: Array(answer.body.utf8), for: CarriersHarness.submission)
    switch answer {
    case .delayed(let ids) where ids.count == 1: require(outcome == .accepted(ids: ["\(ids[0])"], detail: nil), "no id")
    case .sent(let results) where results.count == 1:
      guard case .sent(_, let id) = results[0] else { fallthrough }
      guard case .accepted(let ids, _) = outcome else { return require(false, "an id is not read") }
      require(ids == ["\(id)"], "another id is read")
    case .refused: if case .accepted = outcome { require(false, "a refusal counts as accepted") }
    default: break
    }
  }
}
