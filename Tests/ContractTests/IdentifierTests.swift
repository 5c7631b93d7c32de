import Contract
import Foundation
import Testing

struct IdentifierTests {
  private let value = ID128(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
  private let digits = "0123456789abcdeffedcba9876543210"

  @Test("An id is written with the prefix of its kind and read back")
  func written() {
    #expect(MessageID(value).description == "msg_" + digits)
    #expect(AccountID(value).description == "acc_" + digits)
    #expect(InboundID(value).description == "in_" + digits)
    #expect(KeyID(value).description == "key_" + digits)
    #expect(SessionID(value).description == "ses_" + digits)
    #expect(CarrierID(value).description == "car_" + digits)
    #expect(MessageID("msg_" + digits)?.value == value)
    #expect(MessageID("msg_" + digits.uppercased())?.value == value)
    #expect(MessageID(("path/msg_" + digits).dropFirst(5))?.value == value)
  }

  @Test("A message and its delivery have one id")
  func delivery() {
    #expect(DeliveryID("msg_" + digits) == MessageID(value))
  }

  @Test(
    "Anything else is no id",
    arguments: [
      "", "msg", "msg_", "msg_0123", "0123456789abcdeffedcba9876543210", "acc_0123456789abcdeffedcba9876543210",
      "MSG_0123456789abcdeffedcba9876543210", "msg-0123456789abcdeffedcba9876543210",
      "msg0123456789abcdeffedcba9876543210", " msg_0123456789abcdeffedcba9876543210",
      "msg_0123456789abcdeffedcba9876543210 ", "msg_0123456789abcdeffedcba9876543210\n",
      "msg_msg_0123456789abcdeffedcba9876543210", "msg_\u{301}0123456789abcdeffedcba9876543210",
      "msg_0123456789abcdeffedcba98765432100", "msg_0123456789abcdeffedcba987654321g",
    ])
  func refuses(text: String) {
    #expect(MessageID(text) == nil)
  }

  @Test("Ids sort by their value")
  func order() {
    #expect(MessageID(ID128(high: 1, low: .max)) < MessageID(ID128(high: 2, low: 0)))
    #expect(!(MessageID(value) < MessageID(value)))
  }

  @Test("In JSON an id is a string, and a wrong one is refused with its kind but without its text")
  func json() throws {
    let data = try JSONEncoder().encode([MessageID(value)])
    #expect(String(decoding: data, as: UTF8.self) == "[\"msg_\(digits)\"]")
    #expect(try JSONDecoder().decode([MessageID].self, from: data) == [MessageID(value)])
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([MessageID].self, from: Data("[\"acc_\(digits)\"]".utf8))
    }
    #expect("\(try #require(error))".contains("msg_"))
    #expect(!"\(try #require(error))".contains(digits))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([MessageID].self, from: Data("[17]".utf8)) }
  }
}
