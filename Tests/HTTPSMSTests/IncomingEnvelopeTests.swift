import Contract
import HTTPSMS
import Testing

struct IncomingEnvelopeTests {
  let at = Instant(milliseconds: 1_465_856_570_000)

  @Test func nothingIsANought() {
    #expect(IncomingEnvelope([]).text == "0#")
    #expect(IncomingEnvelope(reading: "0#")?.items == [])
  }

  /// The receipt is the one of MJ-Ghorbanalibeik/sms_sender_cbf's test.
  @Test func receiptsAndMessagesStandInOneEnvelope() {
    let receipt = HTTPSMSReceipt(
      id: 123_456, source: "Info", destination: "966536430333", status: .delivered, at: at, reference: "MSG_1")
    let message = HTTPSMSIncoming(source: "358401234567", destination: "447624804001", text: "Hyvää #1: ok", at: at)
    let envelope = IncomingEnvelope([.receipt(receipt), .message(message)])
    #expect(
      envelope.text
        == "2#123456:Info:966536430333:1::1465856570:MSG_1:"
        + "#-1:358401234567:447624804001:1::1465856570::487976E4E42023313A206F6B")
    #expect(IncomingEnvelope(reading: envelope.text) == envelope)
    #expect(message.text == "Hyvää #1: ok")
  }

  @Test(arguments: ["Plain", "€ and ä", "Привет", "😀", "", "\u{80}\u{A4}"])
  func everyTextComesThrough(text: String) throws {
    let message = HTTPSMSIncoming(source: "1", destination: "2", text: text, at: at)
    let read = try #require(IncomingEnvelope(reading: IncomingEnvelope([.message(message)]).text))
    guard case .message(let message) = read.items.first else {
      Issue.record("no message in \(read)")
      return
    }
    #expect(message.text == text)
  }

  @Test func aReceiptMayHaveAnErrorAndNoSender() throws {
    let envelope = try #require(IncomingEnvelope(reading: "1#42::358401234567:3:00000B:1465856570::"))
    guard case .receipt(let receipt) = envelope.items.first else {
      Issue.record("no receipt in \(envelope)")
      return
    }
    #expect(receipt.status == .failed)
    #expect(receipt.error == "00000B")
    #expect(receipt.source == nil)
    #expect(receipt.reference == nil)
  }

  @Test func aPushIsOneFormField() {
    #expect(String(decoding: IncomingEnvelope([]).pushBody, as: UTF8.self) == "INCOMING=0%23")
  }

  @Test(arguments: [
    "", "0", "#", "1#", "2#1:a:2:1::1465856570::", "0#1:a:2:1::1465856570::", "101#", "-1#", "1#1:a:2:4::1465856570::",
    "1#0:a:2:1::1465856570::", "1#1:a:2:1::1465856570:", "1#1:a:2:1::1465856570:::", "1#1:a::1::1465856570::",
    "1#1:a:2:1:0000000:1465856570::", "1#-1:1:2:4::1465856570::D8", "1#-1:1:2:3::1465856570::",
    "1#-1:1:2:1::x::41", "1#-1:1:2:1:5:1465856570::41", "1#1:a:2:1::99999999999999999999::",
  ])
  func isNotReadWhenItHasNotTheForm(text: String) throws {
    // Half a UCS-2 unit is read: the phone's text is damaged and still a text.
    if text.hasSuffix("D8") {
      #expect(IncomingEnvelope(reading: text) != nil)
    } else {
      #expect(IncomingEnvelope(reading: text) == nil)
    }
  }

  @Test func aHundredItemsAreTheLimit() {
    let receipt = HTTPSMSReceipt(id: 1, source: nil, destination: "2", status: .unknown, at: at)
    let envelope = IncomingEnvelope(Array(repeating: .receipt(receipt), count: 120))
    #expect(IncomingEnvelope(reading: envelope.text)?.items.count == 100)
  }

  @Test func noChangeOfAnEnvelopeTrapsTheReader() {
    var random = Seeded(3)
    let whole = Array("2#123456:Info:966536430333:1::1465856570:MSG_1:#-1:3584:4476:4::1465856570::00480069".utf8)
    for _ in 0..<20_000 {
      var octets = whole
      for _ in 0..<Int.random(in: 1..<5, using: &random) {
        let index = Int.random(in: 0..<octets.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: octets[index] = UInt8.random(in: 0...255, using: &random)
        case 1: octets.remove(at: index)
        default: octets.insert(Array(":#-0".utf8).randomElement(using: &random) ?? 0, at: index)
        }
      }
      guard let envelope = IncomingEnvelope(reading: String(decoding: octets, as: UTF8.self)) else { continue }
      #expect(IncomingEnvelope(reading: envelope.text) == envelope)
    }
  }

  @Test func aPollNamesItsAccount() throws {
    let poll = try HTTPSMSPoll(fields: [("", []), ("UN", Array("cabin".utf8)), ("P", Array("s3cret".utf8))])
    #expect(poll.user == "cabin")
    #expect(poll.password == "s3cret")
    #expect(throws: HTTPSMSRefusal(.badRequest, "P is missing.")) {
      try HTTPSMSPoll(fields: [("UN", Array("cabin".utf8))])
    }
  }
}
