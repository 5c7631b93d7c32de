import Testing

@testable import GSMText

/// Rules that hold for every text, tried on many made by a seeded generator.
struct GSMTextPropertyTests {
  private static let gsm = (AlphabetVectors.defaultTable + AlphabetVectors.extensionTable)
    .compactMap { Unicode.Scalar($0.scalar) }
  private static let wild: [Unicode.Scalar] = Array(
    "aя日😀👩\u{200D}👧🇫🇮e\u{301}\u{308}\u{323}❤\u{FE0F}👍🏽\r\n€[\0\u{1B}“—…\u{10FFFF}\u{D7FF}\u{E000}कि".unicodeScalars)

  private func text(
    of alphabet: [Unicode.Scalar], upTo length: Int, _ random: inout SeededGenerator
  ) -> String {
    var view = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &random) {
      if let scalar = alphabet.randomElement(using: &random) { view.append(scalar) }
    }
    return String(view)
  }

  private func limits(_ random: inout SeededGenerator) -> PartLimits {
    switch Int.random(in: 0...3, using: &random) {
    case 0: .reference8
    case 1: .reference16
    default:
      PartLimits(
        gsm7Single: .random(in: 2...20, using: &random), gsm7Part: .random(in: 2...20, using: &random),
        ucs2Single: .random(in: 2...20, using: &random), ucs2Part: .random(in: 2...20, using: &random))
    }
  }

  @Test("GSM texts are read back as they were written, whole and in parts", arguments: 0..<20)
  func gsmTexts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = text(of: Self.gsm, upTo: 700, &random)
      let plan = TextPlan(unbounded: text, encoding: nil, limits: limits(&random))
      #expect(plan.encoding == .gsm7)
      #expect(scalars(GSMAlphabet.decode(plan.octets)) == scalars(text))
      #expect(scalars(plan.preview.split.joined()) == scalars(text))
      #expect(scalars(Reassembly.join(plan.encodeParts(), as: .gsm7)) == scalars(text))
      expectWhole(plan)
    }
  }

  @Test("Any text is cut into whole parts that join to the same text", arguments: 100..<120)
  func anyTexts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = text(of: Self.wild, upTo: 300, &random)
      for encoding in [nil, TextEncoding.ucs2] {
        let plan = TextPlan(unbounded: text, encoding: encoding, limits: limits(&random))
        #expect(scalars(plan.preview.split.joined()) == scalars(plan.text))
        #expect(plan.text == text)
        #expect(scalars(Reassembly.join(plan.encodeParts(), as: plan.encoding)) == scalars(plan.text))
        #expect(plan.preview.remaining >= 0)
        expectWhole(plan)
      }
    }
  }

  @Test("A character that fits a part is never cut", arguments: 200..<210)
  func characters(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = text(of: Self.wild, upTo: 300, &random)
      let plan = TextPlan(unbounded: text, encoding: .ucs2, limits: .reference8)
      guard text.allSatisfy({ $0.utf16.count <= 67 }) else { continue }
      var boundaries: Set<Int> = [0]
      var units = 0
      for character in text {
        units += character.utf16.count
        boundaries.insert(units)
      }
      #expect(plan.ends.allSatisfy { boundaries.contains($0 / 2) })
    }
  }

  @Test("Any octets are read without a trap", arguments: 300..<310)
  func anyOctets(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let octets = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let half = octets.count / 2
      for encoding in TextEncoding.allCases {
        let parts = [Array(octets[..<half]), Array(octets[half...])]
        #expect(Reassembly.join(parts, as: encoding) == encoding.decode(octets))
      }
      if let (header, body) = UserDataHeader.parse(octets) {
        #expect(header.octets.map { $0 + body } == octets)
      }
      _ = Septets.unpacked(octets, fillBits: Int.random(in: 0...6, using: &random))
    }
  }
}
