import HTTPSMS
import Testing

struct HTTPSMSAnswerTests {
  /// The documentation's examples.
  @Test(arguments: [
    (HTTPSMSAnswer.accepted([.id(1_000_000_123_456_789)], reference: nil), "OK 1000000123456789"),
    (.accepted([.id(1_000_000_123_456_789)], reference: "JBD829SSA"), "OK 1000000123456789 UR:JBD829SSA"),
    (
      .accepted([.id(1_000_000_123_456_789), .failed(.destination)], reference: "JBD829SSA"),
      "OK 1000000123456789 -15 UR:JBD829SSA"
    ),
    (.accepted([.failed(.system), .id(1)], reference: nil), "OK -20 1"),
    (.refused(.badRequest), "ERR -25"),
  ])
  func isWrittenAndReadAlike(answer: HTTPSMSAnswer, body: String) {
    #expect(answer.body == body)
    #expect(HTTPSMSAnswer(reading: body) == answer)
  }

  @Test func everyErrorHasItsStatus() {
    #expect(HTTPSMSError.allCases.map(\.status) == [402, 401, 503, 500, 400, 429])
    #expect(HTTPSMSAnswer.refused(.noCredit).status == 402)
    #expect(HTTPSMSAnswer.accepted([.id(1)], reference: nil).status == 200)
  }

  @Test(arguments: [
    "", "OK", "OK ", "OK  1", "OK 1 ", "OK 0", "OK -5", "OK x", "OK UR:a", "OK 1 UR:a 2", "ok 1", "ERR", "ERR -16",
    "ERR -15 x", "OK 99999999999999999999999", "OK +1", "OK 1\n",
  ])
  func isNotReadWhenItHasNotTheForm(body: String) {
    #expect(HTTPSMSAnswer(reading: body) == nil)
  }
}
