import Cryptography
import Testing

@Suite("Text encodings") struct TextEncodingTests {
  /// RFC 4648 section 10.
  @Test(
    arguments: [
      ("", "", ""), ("f", "Zg==", "66"), ("fo", "Zm8=", "666f"), ("foo", "Zm9v", "666f6f"),
      ("foob", "Zm9vYg==", "666f6f62"), ("fooba", "Zm9vYmE=", "666f6f6261"), ("foobar", "Zm9vYmFy", "666f6f626172"),
    ])
  func theExamplesOfTheRFC(plain: String, base64: String, hex: String) {
    let bytes = Array(plain.utf8)
    #expect(Base64.encode(bytes) == base64)
    #expect(Base64.decode(base64) == bytes)
    #expect(Base64URL.encode(bytes) == base64.filter { $0 != "=" })
    #expect(Base64URL.decode(base64.filter { $0 != "=" }) == bytes)
    #expect(Hex.encode(bytes) == hex)
    #expect(Hex.decode(hex) == bytes)
    #expect(Hex.decode(hex.uppercased()) == bytes)
  }

  @Test func theLastTwoCharactersTellTheAlphabetsApart() {
    #expect(Base64.encode([0xFB, 0xFF, 0xBF]) == "+/+/")
    #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
    #expect(Base64.decode("-_-_") == nil)
    #expect(Base64URL.decode("+/+/") == nil)
  }

  @Test(
    "Only what encode writes is read",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "Zg====", "=", "==", "====", "Zm9v====", "Zg==Zg==", "Z=g=", "Zm9v\n", " Zm9v", "Zh==",
      "Zm9=", "Zm\u{0}v", "Zm9ä",
    ])
  func badBase64(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "Zm9vY", "Zm 9v", "Zm9v="])
  func badBase64URL(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test(arguments: ["0", "0g", "0x00", " 00", "00 ", "é0", "000"])
  func badHex(text: String) {
    #expect(Hex.decode(text) == nil)
  }

  @Test func everyLengthComesBack() {
    for length in 0..<100 {
      let bytes = randomBytes(length)
      #expect(bytes.count == length)
      #expect(Hex.decode(Hex.encode(bytes)) == bytes)
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
  }
}
