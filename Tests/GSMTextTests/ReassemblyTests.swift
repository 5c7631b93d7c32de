import Testing

@testable import GSMText

struct ReassemblyTests {
  @Test("A surrogate pair that another sender cut is whole again")
  func cutPair() {
    #expect(Reassembly.join([octets("0061d83d"), octets("de000062")], as: .ucs2) == "a😀b")
  }

  @Test("A character cut at an odd octet is whole again")
  func oddCut() {
    #expect(Reassembly.join([octets("043f04"), octets("40043804")], as: .ucs2) == "при\u{FFFD}")
    #expect(Reassembly.join([octets("043f04"), octets("400438")], as: .ucs2) == "при")
  }

  @Test("An escape that another sender left at the end of a part counts with the next")
  func cutEscape() {
    #expect(Reassembly.join([octets("611b"), octets("6562")], as: .gsm7) == "a€b")
  }

  @Test("Nothing, and one part, are joined as well")
  func fewParts() {
    #expect(Reassembly.join([], as: .gsm7) == "")
    #expect(Reassembly.join([[]], as: .ucs2) == "")
    #expect(Reassembly.join([octets("68")], as: .gsm7) == "h")
  }

  @Test(
    "Broken UTF-16 is shown as unreadable where it is broken, and nowhere else",
    arguments: [
      ("d83d", "\u{FFFD}"), ("de00", "\u{FFFD}"), ("d83d0061", "\u{FFFD}a"), ("de00d83d", "\u{FFFD}\u{FFFD}"),
      ("00", "\u{FFFD}"), ("006100", "a\u{FFFD}"), ("d83dd83dde00", "\u{FFFD}😀"), ("feff0061", "\u{FEFF}a"),
    ])
  func brokenUnits(octets hex: String, text: String) {
    #expect(scalars(UCS2.decode(octets(hex))) == scalars(text))
  }
}
