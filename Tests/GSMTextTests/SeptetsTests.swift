import Testing

@testable import GSMText

struct SeptetsTests {
  /// Text and packed octets.
  static let packed: [(text: String, hex: String)] = [
    // qotto/smspdudecoder, tests/test_codecs.py.
    ("hello", "e8329bfd06"), ("12345678", "31d98c56b3dd70"), ("[10€]", "1b5e0cb6296f7c"), ("", ""),
    (
      "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore "
        + "magna aliqua.",
      "ccb7bcdc06a5e1f37a1b447eb3df72d03c4d0785db653a0b347ebbe7e531bd4cafcb4161"
        + "721a9e9e8fd3ee33a8cc4ed359a079990c22bf41e5747dde7e9341f4721bfe9683d2ee71"
        + "9a9c26d7dd74509d0e6287c56f791954a683c86ff65b5e06b5c36777181466a7e3f5b00b"
    ),
    // facebookarchive/CommunityCellularManager, smspdu/tests/test_sms.py.
    ("hellohello", "e8329bfd4697d9ec37"), ("abcd", "61f1980c"), ("Argh [{}]", "41f9190ddaf036a84d6ae303"),
    // linxGnu/gosmpp, data/7bit_test.go and data/codings_test.go.
    ("1", "31"), ("12", "3119"), ("123", "31d90c"), ("1234", "31d98c06"), ("12345", "31d98c5603"),
    ("123456", "31d98c56b301"), ("123456789", "31d98c56b3dd7039"), ("\n", "0a"), ("\r", "0d"), ("\u{0C}", "1b05"),
    ("^{}\\[~]|€", "1bca06b5496d5e1bdea6b7f16d809b32"),
    (
      "Lorem ipsum dolor sit amet, consectetur adipiscing elit. Curabitur nec nunc venenatis, ultricies ipsum id, "
        + "volutpat ante. Sed pretium ac metus a interdum metus.",
      "ccb7bcdc06a5e1f37a1b447eb3df72d03c4d0785db653a0b347ebbe7e531bd4cafcb4161721a9e9e8fd3ee33a8cc4ed35da0615d1e16"
        + "a7e97539c85d1e83dc75f718642fbbcbee303d3d6781ea6cba3c3d4e97e7a0347c5e6f83d26416c8fe66d7e9f0301d1476d3cb2e"
        + "d0b44c06c1e5657abade0685c7a076995e9f83c2a0b49b5e9693eb6d50bb4cafcf5d"
    ),
    (
      "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
        + "abcdefghijklmnopqrstuvwxyzäöñüà",
      "8080604028180e88c482e17840229209a562b960321a4ec7f30185442352c97442a5542b56cbf582c564335acd76c3e5743b5ecff7"
        + "0306854362d1784426954b66d3f98446a5536ad57ac566b55b6ed7fb0587c56372d97c46a7d56b76dbfd86c7e5737add7ec7e7f5"
        + "7b7edfff07"
    ),
  ]

  @Test("Texts of public suites are packed and unpacked the same", arguments: packed)
  func packs(text: String, packed: String) throws {
    let septets = try #require(GSMAlphabet.septets(for: text))
    #expect(hex(Septets.packed(septets)) == packed)
    #expect(Septets.unpacked(octets(packed), count: septets.count) == septets)
  }

  @Test(
    "Fill bits put the text at a septet's edge",
    arguments: [
      // Made with an own packer in Python, then CommunityCellularManager, smspdu/tests/test_sms.py.
      ("hello", 1, "d06536fb0d"), ("abcd", 6, "40583c2603"),
    ])
  func fills(text: String, fillBits: Int, packed: String) throws {
    let septets = try #require(GSMAlphabet.septets(for: text))
    #expect(hex(Septets.packed(septets, fillBits: fillBits)) == packed)
    #expect(Septets.unpacked(octets(packed), count: septets.count, fillBits: fillBits) == septets)
  }

  @Test("Seven bits left over are a return, not an @ (TS 23.038 clause 6.1.2.3.1)")
  func ghost() throws {
    let seven = try #require(GSMAlphabet.septets(for: "1234567"))
    #expect(hex(Septets.packed(seven)) == "31d98c56b3dd00")
    #expect(hex(Septets.packed(seven, paddedWithReturn: true)) == "31d98c56b3dd1a")
    #expect(GSMAlphabet.decode(Septets.unpacked(octets("31d98c56b3dd00"))) == "1234567@")
    #expect(GSMAlphabet.decode(Septets.unpacked(octets("31d98c56b3dd1a"))) == "1234567")
    #expect(GSMAlphabet.decode(Septets.unpacked(octets("31d98c56b3dd1a"), count: 8)) == "1234567\r")
  }

  @Test("A wanted return at an octet's edge is doubled, so that the reader takes away the other")
  func wantedReturn() throws {
    let eight = try #require(GSMAlphabet.septets(for: "1234567\r"))
    let packed = Septets.packed(eight, paddedWithReturn: true)
    #expect(hex(packed) == "31d98c56b3dd1a0d")
    #expect(GSMAlphabet.decode(Septets.unpacked(packed)) == "1234567\r\r", "the same line is returned to twice")
  }

  @Test(
    "Fill bits by length of the header", arguments: [(6, 1), (7, 0), (4, 3), (9, 5), (12, 2), (0, 0), (1, 6), (-1, 0)])
  func fillBits(header: Int, fillBits: Int) {
    #expect(Septets.fillBits(afterHeaderOctets: header) == fillBits)
  }

  @Test(
    "Septets that a header takes", arguments: [(0, 0), (6, 7), (7, 8), (9, 11), (12, 14), (140, 160), (Int.max, 293)])
  func headerSeptets(header: Int, septets: Int) {
    #expect(Septets.septets(forHeaderOctets: header) == septets)
  }

  @Test("Any count and any fill are answered, with what there is")
  func nonsense() {
    #expect(Septets.unpacked([0xE8, 0x32], count: 1000) == [0x68, 0x65])
    #expect(Septets.unpacked([0xE8, 0x32], count: -1).isEmpty)
    #expect(Septets.unpacked([UInt8](), count: 5, fillBits: 3).isEmpty)
    #expect(Septets.packed([UInt8](), fillBits: 5, paddedWithReturn: true).isEmpty)
    #expect(Septets.unpacked([0xFF], fillBits: 99).count == Septets.unpacked([0xFF], fillBits: 6).count)
    #expect(Septets.packed([0xFF, 0x80]) == Septets.packed([0x7F, 0x00]))
  }

  @Test("Whatever is packed is unpacked the same, for every length and fill")
  func roundTrip() {
    var random = SeededGenerator(seed: 7)
    for length in 0...170 {
      for fillBits in 0...6 {
        let septets = (0..<length).map { _ in UInt8.random(in: 0...0x7F, using: &random) }
        let packed = Septets.packed(septets, fillBits: fillBits)
        #expect(packed.count == (length == 0 ? 0 : (length * 7 + fillBits + 7) / 8))
        #expect(Septets.unpacked(packed, count: length, fillBits: fillBits) == septets)
        let padded = Septets.packed(septets, fillBits: fillBits, paddedWithReturn: true)
        #expect(Septets.unpacked(padded, count: length, fillBits: fillBits) == septets)
      }
    }
  }
}
