import Contract
import Testing

struct ID128Tests {
  @Test("The high 48 bits are the time and the other 80 are random")
  func layout() {
    let instant = Instant(milliseconds: 0x0123_4567_89AB)
    var zeros = ConstantGenerator(value: 0)
    var ones = ConstantGenerator(value: .max)
    #expect(ID128(at: instant, using: &zeros).hex == "0123456789ab00000000000000000000")
    #expect(ID128(at: instant, using: &ones).hex == "0123456789abffffffffffffffffffff")
    var mixed = ConstantGenerator(value: 0x1122_3344_5566_7788)
    #expect(ID128(at: instant, using: &mixed).hex == "0123456789ab77881122334455667788")
  }

  @Test("Later ids sort after earlier ones, whatever the random bits")
  func timeOrder() {
    var ones = ConstantGenerator(value: .max)
    var zeros = ConstantGenerator(value: 0)
    for milliseconds: Int64 in [0, 1, 255, 1_795_000_000_000, 0x7FFF_FFFF_FFFF, 0xFFFF_FFFF_FFFE] {
      let earlier = ID128(at: Instant(milliseconds: milliseconds), using: &ones)
      let later = ID128(at: Instant(milliseconds: milliseconds + 1), using: &zeros)
      #expect(earlier < later)
      #expect(earlier.hex < later.hex)
    }
  }

  @Test("A time that 48 bits can not say is the nearest that they can, so that order holds")
  func clampedTime() {
    var ones = ConstantGenerator(value: .max)
    var zeros = ConstantGenerator(value: 0)
    #expect(ID128(at: Instant(milliseconds: -1), using: &zeros).hex == "0" * 32)
    #expect(ID128(at: Instant(milliseconds: .min), using: &zeros).hex == "0" * 32)
    #expect(ID128(at: Instant(milliseconds: 1 << 48), using: &ones).hex == "f" * 32)
    #expect(ID128(at: Instant(milliseconds: .max), using: &ones).hex == "f" * 32)
  }

  @Test("Digits and value have the same order and come back the same")
  func digits() {
    var random = SeededGenerator(seed: 1)
    var ids = (0..<500).map { _ in ID128(high: random.next(), low: random.next()) }
    ids += [ID128(high: 0, low: 0), ID128(high: 0, low: .max), ID128(high: 1, low: 0), ID128(high: .max, low: .max)]
    for id in ids {
      #expect(id.hex.utf8.count == 32)
      #expect(ID128(hex: id.hex) == id)
      #expect(ID128(hex: id.hex.uppercased()) == id)
    }
    #expect(ids.sorted().map(\.hex) == ids.map(\.hex).sorted())
  }

  @Test("The first digit is the highest")
  func firstDigit() {
    #expect(ID128(hex: "1" + "0" * 31) == ID128(high: 1 << 60, low: 0))
    #expect(ID128(hex: "0" * 15 + "1" + "0" * 16) == ID128(high: 1, low: 0))
    #expect(ID128(hex: "0" * 16 + "8" + "0" * 15) == ID128(high: 0, low: 1 << 63))
    #expect(ID128(hex: "0" * 31 + "f") == ID128(high: 0, low: 15))
  }

  @Test(
    "Anything else is no id",
    arguments: [
      "", "0", "0" * 31, "0" * 33, "g" + "0" * 31, "0" * 31 + " ", " " + "0" * 31, "-" + "0" * 31, "0x" + "0" * 30,
      "0" * 30 + "é", "é" * 16, "０" * 32, "0" * 31 + "\0", "0" * 28 + "😀", "/" + "0" * 31, ":" + "0" * 31,
      "@" + "0" * 31, "`" + "0" * 31, "0" * 100_000,
    ])
  func refuses(text: String) {
    #expect(ID128(hex: text) == nil)
  }
}

func * (text: String, count: Int) -> String { String(repeating: text, count: count) }
