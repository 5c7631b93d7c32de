import CarrierProfiles
import Contract
import GSMText
import Testing

struct AnswerTests {
  private func outcome(_ body: String, status: Int = 200, to text: String) throws -> SubmitOutcome {
    let submission = Submission(
      id: ID128(high: 1, low: 2), reference: "r1", to: "+61447100308", plan: try TextPlan(text))
    return try Files.profile("smsglobal").outcome(status: status, body: Array(body.utf8), for: submission)
  }

  @Test func aRefusalThatRepeatsTheMessageIsShownWithoutIt() throws {
    let text = "Meet me at seven by the pier"
    #expect(
      try outcome("ERROR: Text not allowed: \(text)!", to: text)
        == .refused(
          scope: .route, code: "HTTP 200",
          sentence: "The carrier refused the message: Text not allowed: …!"))
    for body in ["<html>\(text)", String(repeating: ".", count: 290) + text, "ERROR: \(text)\u{301}"] {
      let outcome = try outcome(body, status: 500, to: text)
      #expect(!"\(outcome)".contains("seven"))
    }
  }
}
