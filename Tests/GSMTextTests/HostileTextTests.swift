import Testing

@testable import GSMText

/// Texts made to do harm. Were any step quadratic, the suite would not come to an end.
struct HostileTextTests {
  static let texts: [(name: String, text: String)] = [
    ("a million letters", "a" * 1_000_000),
    ("escaped characters", "€" * 200_000),
    ("a million Cyrillic letters", "я" * 1_000_000),
    ("10,000 marks on one letter", "e" + "\u{301}" * 10_000),
    ("letters with 10,000 marks each", ("x" + "\u{323}" * 10_000) * 20),
    ("halves of flags", "\u{1F1E6}" * 200_000),
    ("people joined", "👩\u{200D}" * 100_000),
    ("conjuncts", "क\u{94D}" * 100_000),
    ("signs that stick to what follows", "\u{600}" * 200_000),
    ("zeros", "\0" * 200_000),
    ("CR LF", "\r\n" * 100_000),
    ("decomposed letters", "e\u{301}" * 100_000),
    ("curly quotes", "“" * 200_000),
    ("zero-width spaces", "\u{200B}" * 200_000),
  ]

  @Test("Every one is cut into whole parts that join to the same text", arguments: texts)
  func cut(name: String, text: String) {
    let plan = TextPlan(unbounded: text, encoding: nil, limits: .reference8)
    let preview = plan.preview
    #expect(preview.split.joined() == text, "\(name)")
    expectWhole(plan)
    #expect(throws: TextPlanError.self) { try TextPlan(text, maximumParts: 100) }
  }

  @Test("Every one can be given to the smart replacement", arguments: texts)
  func replaced(name: String, text: String) {
    let replaced = SmartReplacement.replaced(text)
    #expect(replaced.replacedCount > 0 || scalars(replaced.text) == scalars(text))
  }

  @Test("One character longer than a part is cut between scalars, and fills its parts")
  func longCharacter() {
    let text = "Hi e" + "\u{323}" * 200 + "😀"
    let plan = TextPlan(unbounded: text, encoding: nil, limits: .reference8)
    #expect(plan.encodeParts().map { $0.count / 2 } == [67, 67, 67, 5])
    expectWhole(plan)
    let people = TextPlan(unbounded: "👩\u{200D}" * 50, encoding: nil, limits: .reference8)
    expectWhole(people)
  }
}

/// No part over its limit, none that begins or ends within a pair.
func expectWhole(_ plan: TextPlan, sourceLocation: SourceLocation = #_sourceLocation) {
  let parts = plan.encodeParts()
  let limit =
    parts.count == 1 ? plan.limits.single(plan.encoding) : plan.limits.part(plan.encoding)
  var whole = true
  for part in parts {
    whole = whole && part.count <= limit * plan.encoding.octetsPerUnit
    switch plan.encoding {
    case .gsm7:
      whole = whole && part.last != GSMAlphabet.escape && part.allSatisfy { $0 < 0x80 }
    case .ucs2:
      whole = whole && part.count.isMultiple(of: 2)
      if let first = part.first { whole = whole && !(0xDC...0xDF).contains(first) }
      if part.count >= 2 { whole = whole && !(0xD8...0xDB).contains(part[part.count - 2]) }
    }
  }
  #expect(whole, sourceLocation: sourceLocation)
  #expect(parts.joined().elementsEqual(plan.octets), sourceLocation: sourceLocation)
  #expect(parts.count == 1 || !parts.contains([]), sourceLocation: sourceLocation)
}
