import PhoneNumbers
import Testing

@Suite struct PhoneNumberTests {
  @Test(
    "The shape of E.164",
    arguments: [
      ("+358401234567", true), ("+1234567", true), ("+123456789012345", true),
      ("+123456", false), ("+1234567890123456", false), ("358401234567", false), ("+058401234567", false),
      ("+35840123456a", false), ("+358 401234567", false), ("", false), ("+", false), ("+３５８401234567", false),
    ])
  func checksTheShape(text: String, isGood: Bool) {
    #expect((PhoneNumber(e164: text) != nil) == isGood)
  }

  @Test(
    "A masked number hides its middle",
    arguments: [
      ("+358401234567", "+3584012••567"), ("+123456789012345", "+1234567•••••345"), ("+12025550123", "+1202•••••23"),
      ("+1234567890", "+123•••••90"), ("+12345678", "+1•••••78"), ("+1234567", "+1••••67"),
    ])
  func masks(e164: String, masked: String) throws {
    let number = try #require(PhoneNumber(e164: e164))
    #expect(number.masked == masked)
    #expect("\(number)" == masked)
    #expect("\([number])" == "[\(masked)]")
    #expect(number.digits == e164.dropFirst())
  }

  @Test func everyErrorTellsWhatToDo() {
    for error in PhoneNumberError.allCases {
      #expect(error.description.hasSuffix("."))
      #expect(error.description.contains(" number"))
    }
  }
}
