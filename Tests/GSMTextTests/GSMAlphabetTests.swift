import Testing

@testable import GSMText

struct GSMAlphabetTests {
  @Test("Every septet of the default table reads and writes as its character")
  func defaultTable() throws {
    #expect(AlphabetVectors.defaultTable.count == 127)
    for (septet, value) in AlphabetVectors.defaultTable {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(GSMAlphabet.septets(for: scalar) == [septet])
      #expect(scalars(GSMAlphabet.decode([septet])) == [value])
    }
  }

  @Test("Every septet of the extension table reads and writes after an escape")
  func extensionTable() throws {
    for (septet, value) in AlphabetVectors.extensionTable {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(GSMAlphabet.septets(for: scalar) == [0x1B, septet])
      #expect(scalars(GSMAlphabet.decode([0x1B, septet])) == [value])
    }
  }

  @Test("No other character of Unicode has septets")
  func nothingElse() {
    var count = 0
    for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) where GSMAlphabet.contains(scalar) {
      count += 1
    }
    #expect(count == AlphabetVectors.defaultTable.count + AlphabetVectors.extensionTable.count)
  }

  @Test("Texts of public suites are written and read the same", arguments: AlphabetVectors.texts)
  func texts(text: String, septets: String) {
    #expect(GSMAlphabet.septets(for: text).map(hex) == septets)
    #expect(scalars(GSMAlphabet.decode(octets(septets))) == scalars(text))
  }

  @Test("A text with one character outside has no septets at all", arguments: AlphabetVectors.outside)
  func outside(text: String) {
    #expect(GSMAlphabet.septets(for: text) == nil)
    #expect(GSMAlphabet.septets(for: "ok " + text) == nil)
  }

  @Test(
    "Odd escapes are read as TS 23.038 says",
    arguments: [
      // Not in the extension table: the character of the default table.
      ("61 1b41 62", "aAb"), ("1b00", "@"), ("1b0d", "\r"), ("1b7f", "à"),
      // Two escapes: a space, and what follows stands for itself.
      ("1b1b", " "), ("1b1b65", " e"), ("1b1b1b65", " €"), ("1b1b1b1b", "  "),
      // An escape at the end: nothing.
      ("1b", ""), ("611b", "a"), ("1b651b", "€"),
    ])
  func escapes(septets: String, text: String) {
    #expect(GSMAlphabet.decode(octets(septets)) == text)
  }

  @Test("An octet with its high bit set is shown as unreadable, not as another letter")
  func highBit() {
    #expect(GSMAlphabet.decode([0x61, 0xE1, 0x62]) == "a\u{FFFD}b")
    #expect(GSMAlphabet.decode([0x1B, 0xE5, 0x62]) == "\u{FFFD}b")
    #expect(GSMAlphabet.decode([0x80, 0x81, 0x82, 0x83]) == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test("Every pair of octets can be read, and what is readable is written back the same or shorter")
  func everyPair() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let text = GSMAlphabet.decode([first, second])
        if let again = GSMAlphabet.septets(for: text) {
          #expect(again.count <= 2)
        } else {
          #expect(text.contains("\u{FFFD}"))
        }
      }
    }
  }

  @Test("Collections that are no arrays are read as well")
  func otherCollections() {
    #expect(GSMAlphabet.decode([0x61, 0x1B, 0x65, 0x62].reversed().reversed() as ReversedCollection) == "a€b")
    #expect(UCS2.decode([0x20, 0xAC].lazy.map { $0 }) == "€")
    #expect(UCS2.decode([0x00, 0x20, 0xAC, 0x00][1..<3]) == "€")
  }
}
