import Formats
import Testing

@Suite("Pattern") struct PatternTests {
  @Test func groupsComeByNumberAndName() throws {
    let pattern = try Pattern(#"(?P<unit>[A-ZÄÖ]+) (\d+)(?:,(?P<tail>\d+))?"#)
    #expect(pattern.groupNames == ["unit", nil, "tail"])
    let match = try #require(pattern.firstMatch(in: "ä MÖKKI 21 °C"))
    #expect(match.whole == "MÖKKI 21")
    #expect(match[1] == "MÖKKI")
    #expect(match["unit"] == "MÖKKI")
    #expect(match[2] == "21")
    #expect(match["tail"] == nil)
    #expect(match[4] == nil)
    #expect(match[-1] == nil)
    #expect(match["none"] == nil)
    #expect(match.named == ["unit": "MÖKKI"])
    #expect(match.start == 3)
    #expect(match.end == 12)
    #expect(pattern.firstMatch(in: "mökki") == nil)
  }

  @Test func aGroupThatMatchedNothingIsNotOneThatTookNoPart() throws {
    let pattern = try Pattern("(a*)(b)?")
    #expect(pattern.firstMatch(in: "")?.groups == ["", "", nil])
    #expect(pattern.firstMatch(in: "x")?.groups == ["", "", nil])
    #expect(pattern.firstMatch(in: "b")?.groups == ["b", "", "b"])
  }

  @Test func theWholeTextCanBeDemanded() throws {
    let pattern = try Pattern("ab|abc")
    #expect(pattern.wholeMatch(in: "abc")?.whole == "abc")
    #expect(pattern.wholeMatch(in: "abcd") == nil)
    #expect(pattern.firstMatch(in: "abcd")?.whole == "ab")
    #expect(try Pattern("^a.c$").matches("aäc"), "a dot is a character, not a byte")
  }

  @Test func caseCanBeIgnored() throws {
    #expect(try !Pattern("ok").matches("OK"))
    #expect(try Pattern("ok", ignoresCase: true).matches("OK"))
    #expect(try Pattern("Ä", ignoresCase: true).matches("ä"))
  }

  @Test func zeroBytesAreText() throws {
    #expect(try Pattern("a\0b").firstMatch(in: "xa\0by")?.whole == "a\0b")
  }

  @Test(
    arguments: [
      ("(a", "missing ): (a"), ("a**", "bad repetition operator: **"), ("[z-a]", "invalid character class range: z-a"),
      (#"(a)\1"#, #"invalid escape sequence: \1"#), ("(?=a)", "invalid perl operator: (?="),
      ("a{1001}", "invalid repetition size: {1001}"), (#"\pL{1000}"#, "pattern too large - compile failed"),
    ])
  func whatIsNoPatternIsRefusedWithAReason(text: String, reason: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(text) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  /// RE2 repeats the part that it does not understand. Found by fuzzing.
  @Test(arguments: ["a\u{1}b)\n", "(?P<\u{1}>a)", "[\u{2028}-\u{7}]"])
  func theReasonIsOneLineWithoutControlCharacters(text: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(text) }
    let reason = error?.description ?? ""
    #expect(!reason.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{2028}" }, "\(reason.debugDescription)")
  }

  @Test func endlessPatternsAreRefused() {
    #expect(throws: PatternError.self) { try Pattern(String(repeating: "a", count: 10_000)) }
    #expect(throws: PatternError.self) { try Pattern(String(repeating: "(", count: 8000)) }
  }

  /// Swift's own `Regex` does not come back from this one.
  @Test(.timeLimit(.minutes(1))) func theTimeIsLinear() throws {
    let text = String(repeating: "a", count: 200_000) + "b"
    for pattern in ["(a+)+$", "(a|aa)+$", "(a*)*c", "(.*)(.*)(.*)(.*)(.*)x"] {
      #expect(try !Pattern(pattern).matches(text))
    }
  }

  @Test func onePatternServesManyTasks() async throws {
    let pattern = try Pattern(#"id=(\d+)"#)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 { group.addTask { pattern.firstMatch(in: "x id=\(number);")?[1] == "\(number)" } }
      for await isRight in group { #expect(isRight) }
    }
  }
}
