import Testing

@testable import GSMText

struct TextPreviewTests {
  @Test("An empty text is one message with everything free")
  func empty() {
    let preview = TextPreview("")
    #expect(preview.encoding == .gsm7)
    #expect((preview.units, preview.parts, preview.unitsPerPart, preview.remaining) == (0, 1, 160, 160))
    #expect(preview.split == [""])
    #expect(preview.forcing.isEmpty)
  }

  @Test(
    "The counter counts units and what is left of the last part",
    arguments: [
      ("hello", 5, 1, 160, 155), ("10 €", 5, 1, 160, 155), ("a" * 160, 160, 1, 160, 0), ("a" * 161, 161, 2, 153, 145),
      ("a" * 306, 306, 2, 153, 0), ("я", 1, 1, 70, 69), ("😀", 2, 1, 70, 68), ("я" * 71, 71, 2, 67, 63),
      ("a" * 152 + "€" + "b" * 99, 253, 2, 153, 52),
    ])
  func counter(text: String, units: Int, parts: Int, unitsPerPart: Int, remaining: Int) {
    let preview = TextPreview(text)
    #expect(preview.units == units)
    #expect(preview.parts == parts)
    #expect(preview.unitsPerPart == unitsPerPart)
    #expect(preview.remaining == remaining)
  }

  @Test(
    "The characters that force UCS-2 are named once, in the order in which they come",
    arguments: [
      ("Hi “you” – “me”", ["“", "”", "–"]), ("plain", []), ("né ç á é", ["ç", "á"]), ("👨‍👩‍👧‍👦 and 🇫🇮 🇫🇮", ["👨‍👩‍👧‍👦", "🇫🇮"]),
      ("a\0b", ["\0"]), ("`x`", ["`"]),
    ])
  func forcing(text: String, forcing: [String]) {
    #expect(TextPreview(text).forcing == forcing)
  }

  @Test("UCS-2 that was asked for is forced by no character")
  func asked() {
    let preview = TextPreview("hello", encoding: .ucs2)
    #expect(preview.encoding == .ucs2)
    #expect((preview.units, preview.unitsPerPart) == (5, 70))
    #expect(preview.forcing.isEmpty)
  }

  @Test("A text that is too long to send, or does not fit the GSM that was asked for, is previewed all the same")
  func alwaysAnswers() {
    #expect(TextPreview("a" * 100_000).parts == 654)
    let preview = TextPreview("ж", encoding: .gsm7)
    #expect(preview.encoding == .ucs2)
    #expect(preview.forcing == ["ж"])
  }

  @Test("No more than fifty characters are named, and a heap of marks only in part")
  func bounded() {
    let many = String(String.UnicodeScalarView((UInt32(0x4E00)..<0x5E00).compactMap(Unicode.Scalar.init)))
    #expect(TextPreview(many).forcing.count == 50)
    let heap = TextPreview("e" + "\u{323}" * 10_000)
    #expect(heap.forcing.map(\.unicodeScalars.count) == [32])
  }
}
