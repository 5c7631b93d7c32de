import Testing

@testable import GSMText

struct SmartReplacementTests {
  @Test(
    "Lookalikes become plain and are counted",
    arguments: [
      ("“Hi”, it’s me – really…", "\"Hi\", it's me - really...", 5), ("«Oui»", "\"Oui\"", 2), ("a—b―c−d", "a-b-c-d", 3),
      ("1\u{A0}000\u{202F}€", "1 000 €", 2), ("ze\u{200B}ro\u{FEFF}", "zero", 2), ("Ｈｅｌｌｏ！　１２３", "Hello! 123", 10),
      ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", 14), ("ΚΑΛΗΜΕΡΑ", "KAΛHMEPA", 7), ("3 × 4 ÷ 2", "3 x 4 / 2", 2),
      ("ﬁne oﬀer", "fine offer", 2), ("a\tb", "a b", 1), ("soft\u{AD}hyphen", "softhyphen", 1),
      ("x\u{2028}y", "x\ny", 1), ("`code`", "'code'", 2), ("• one", "- one", 1), ("a\0b", "ab", 1), ("∆∑∏", "ΔΣΠ", 3),
      ("cafe\u{301} “x”", "café \"x\"", 2), ("［］｛｝＼～＾｜｀", "[]{}\\~^|'", 9), ("￡１￥", "£1¥", 3),
    ])
  func replaces(text: String, plain: String, count: Int) {
    let replaced = SmartReplacement.replaced(text)
    #expect(scalars(replaced.text) == scalars(plain))
    #expect(replaced.replacedCount == count)
  }

  @Test(
    "Where something remains outside GSM, the text stays wholly as it was",
    arguments: [
      "“Привет”", "“Hi” 😀", "naïve – résumé", "1½ – 2", "ç’est", "‘日’", "❤\u{FE0F}…", "1\u{FE0F}\u{20E3}", "Ο\u{301}k",
    ])
  func keeps(text: String) {
    let replaced = SmartReplacement.replaced(text)
    #expect(scalars(replaced.text) == scalars(text))
    #expect(replaced.replacedCount == 0)
  }

  @Test("A text that fits already stays as it was", arguments: ["", "plain", "10 € [x]", "cafe\u{301}"])
  func fits(text: String) {
    let replaced = SmartReplacement.replaced(text)
    #expect(scalars(replaced.text) == scalars(text))
    #expect(replaced.replacedCount == 0)
  }

  @Test("Nothing is replaced where that would cost more parts")
  func costs() {
    #expect(SmartReplacement.replaced("…" * 53).replacedCount == 53)
    #expect(SmartReplacement.replaced("…" * 60).replacedCount == 0, "180 septets, but 70 units are one part")
  }

  @Test("Every replacement is in the alphabet, and none replaces a character of the alphabet")
  func table() {
    for (scalar, plain) in SmartReplacement.lookalikes {
      #expect(GSMAlphabet.septets(for: plain) != nil)
      #expect(!GSMAlphabet.contains(scalar), "U+\(String(scalar.value, radix: 16))")
    }
    #expect(SmartReplacement.lookalikes.values.allSatisfy { $0 != "?" || $0.count == 1 })
  }

  @Test("No letter with an accent, no digit and no letter of another script but Greek capitals is replaced")
  func lettersStay() {
    for (scalar, plain) in SmartReplacement.lookalikes where scalar.properties.isAlphabetic {
      let isGreek = (0x391...0x3A9).contains(scalar.value)
      let isLigature = (0xFB00...0xFB04).contains(scalar.value)
      let isModifier = scalar.properties.generalCategory == .modifierLetter
      let looksLikeSign = "ǃ꞉".unicodeScalars.contains(scalar)
      #expect(isGreek || isLigature || isModifier || looksLikeSign, "U+\(String(scalar.value, radix: 16)) \(plain)")
    }
  }

  /// From Twilio's list (TwilioDevEd/message-segment-calculator, src/libs/SmartEncodingMap.ts): those on which we agree.
  /// Not taken over: two spaces for one exotic space, fractions, `>` for ‹, combining marks as signs, small capitals.
  static let twilio: [(plain: String, scalars: [UInt32])] = [
    ("\"", [0xAB, 0xBB, 0x201C, 0x201D, 0x2BA, 0x2EE, 0x201F, 0x275D, 0x275E, 0x301D, 0x301E, 0xFF02, 0x201E]),
    (
      "'",
      [0x2018, 0x2019, 0x2BB, 0x2C8, 0x2BC, 0x2BD, 0x2B9, 0x201B, 0xFF07, 0xB4, 0x2CA, 0x60, 0x2CB, 0x275B, 0x275C]
    ),
    ("/", [0xF7, 0x29F8, 0x2044, 0x2215, 0xFF0F]), ("\\", [0x29F9, 0x29F5, 0xFE68, 0xFF3C]),
    ("|", [0x2223, 0xFF5C]), ("-", [0x2015, 0xFE63, 0xFF0D, 0x2010, 0x2043, 0x2013, 0x2014, 0x2022]),
    ("@", [0xFE6B, 0xFF20]), ("$", [0xFE69, 0xFF04]), ("!", [0x1C3, 0xFE15, 0xFE57, 0xFF01]), ("#", [0xFE5F, 0xFF03]),
    ("%", [0xFE6A, 0xFF05]), ("&", [0xFE60, 0xFF06]), (",", [0xFE50, 0xFE51, 0xFF0C, 0xFF64, 0x3001]),
    ("(", [0xFE59, 0xFF08]), (")", [0xFE5A, 0xFF09]), ("*", [0x204E, 0x2217, 0xFE61, 0xFF0A]),
    ("+", [0x2D6, 0xFE62, 0xFF0B]), (".", [0x3002, 0xFE52, 0xFF0E, 0xFF61]), (":", [0x2D0, 0xA789, 0xFE13, 0xFF1A]),
    (";", [0x204F, 0xFE14, 0xFE54, 0xFF1B]), ("<", [0xFE64, 0xFF1C]), ("=", [0xA78A, 0xFE66, 0xFF1D]),
    (">", [0xFE65, 0xFF1E]), ("?", [0xFE16, 0xFE56, 0xFF1F]), ("0", [0xFF10]), ("9", [0xFF19]), ("A", [0xFF21]),
    ("Z", [0xFF3A]), ("z", [0xFF5A]), ("^", [0x2C6, 0xFF3E]), ("{", [0xFE5B, 0xFF5B]), ("}", [0xFE5C, 0xFF5D]),
    ("[", [0xFF3B]), ("]", [0xFF3D]), ("~", [0x2DC, 0x2F7, 0x223C, 0xFF5E]), ("!!", [0x203C]), ("...", [0x2026]),
    (" ", [0xA0, 0x2000, 0x2002, 0x2003, 0x2004, 0x2009, 0x200A, 0x202F, 0x205F, 0x3000, 0x09]),
    ("", [0x00, 0x03, 0x10, 0x2060, 0x200B, 0xFEFF]),
  ]

  @Test("Characters of Twilio's list are replaced as there", arguments: twilio)
  func twilioList(plain: String, scalars values: [UInt32]) throws {
    for value in values {
      let text = "a\(try #require(Unicode.Scalar(value)))b"
      #expect(SmartReplacement.replaced(text).text == "a\(plain)b", "U+\(String(value, radix: 16))")
    }
  }
}
