import Foundation
import Testing

@testable import GSMText

struct CanonicalCompositionTests {
  @Test(
    "Letter and mark become the one character that the alphabet has",
    arguments: [
      ("cafe\u{301}", "café"), ("ma\u{30A}l", "mål"), ("nin\u{303}o", "niño"), ("U\u{308}ber", "Über"),
      ("FRANC\u{327}AIS", "FRANÇAIS"), ("5 \u{212A}\u{212B}\u{2126}", "5 KÅΩ"), ("a\u{340}e\u{341}", "àé"),
      ("ok\u{37E}", "ok;"),
    ])
  func composes(text: String, composed: String) throws {
    let plan = try TextPlan(text)
    #expect(plan.encoding == .gsm7)
    #expect(scalars(plan.text) == scalars(composed))
    #expect(scalars(plan.preview.split.joined()) == scalars(composed))
    #expect(plan.text == text, "Swift takes both for one text")
  }

  @Test(
    "A text that would not fit even so is sent as it came",
    arguments: ["cafe\u{301} 日本", "a\u{301}", "\u{301}e", "e\u{323}\u{301}", "c\u{327}", "e\u{301}\u{301}"])
  func leavesAlone(text: String) throws {
    let plan = try TextPlan(text)
    #expect(plan.encoding == .ucs2)
    #expect(scalars(plan.text) == scalars(text))
    #expect(scalars(plan.preview.split.joined()) == scalars(text))
  }

  @Test("Only what really forces UCS-2 is named")
  func forcing() {
    #expect(TextPreview("cafe\u{301} 日本 日").forcing == ["日", "本"])
  }

  @Test("Equals the NFC of Foundation for every character, alone and after every letter with marks")
  func equalsFoundation() {
    func check(_ text: String) {
      let composed = text.precomposedStringWithCanonicalMapping
      let expected = GSMAlphabet.septets(for: composed) == nil ? nil : composed
      #expect(CanonicalComposition.composedIntoGSM(text).map(scalars) == expected.map(scalars))
    }
    for scalar in (UInt32(0)...0x2FFF).compactMap(Unicode.Scalar.init) { check(String(scalar)) }
    for letter in "aceinouyACEINOUY=<Ωé" {
      for mark in (UInt32(0x300)...0x36F).compactMap(Unicode.Scalar.init) { check("\(letter)\(mark)") }
    }
  }
}
