import Testing

@testable import GSMText

struct TextPlanTests {
  @Test("Texts are cut where public suites cut them, and where no reader sees it", arguments: SplittingVectors.cuts)
  func cuts(text: String, encoding: TextEncoding, cuts: [Int]) throws {
    let plan = try TextPlan(text)
    #expect(plan.encoding == encoding)
    #expect(plan.preview.split.map(\.utf16.count) == cuts)
    #expect(scalars(plan.preview.split.joined()) == scalars(text))
  }

  @Test("Parts are packed as a public suite packs them", arguments: SplittingVectors.packedParts)
  func packedParts(text: String, parts: [String]) throws {
    // The suite splits what would fit 160 septets alone, as if it had to go in parts.
    let limits = PartLimits(gsm7Single: 153, gsm7Part: 153, ucs2Single: 67, ucs2Part: 67)
    let packed = try TextPlan(text, limits: limits).encodeParts().map {
      hex(Septets.packed($0, fillBits: 1, paddedWithReturn: true))
    }
    #expect(packed == parts)
  }

  @Test(
    "UCS-2 is written as UTF-16 with the high octet first",
    arguments: [
      // python-smpplib, node-smpp, gosmpp (forced: the last two fit GSM), CommunityCellularManager.
      ("Ая", "0410044f"), (" 1a", "002000310061"), ("۱۲۳", "06f106f206f3"),
      ("agjwklgjkwP", "00610067006a0077006b006c0067006a006b00770050"),
      ("ngưỡng cứa cuỗc đợi", "006e006701b01ee1006e0067002000631ee900610020006300751ed70063002001111ee30069"),
      (
        "Hello poopyhead \u{A9} \u{AE} \u{A1}",
        "00480065006c006c006f00200070006f006f007000790068006500610064002000a9002000ae002000a1"
      ), ("`hi'", "0060006800690027"), ("😀BBB", "d83dde00004200420042"), ("", ""),
    ])
  func ucs2(text: String, octets: String) throws {
    let plan = try TextPlan(text, encoding: .ucs2)
    #expect(plan.encodeParts().map { hex($0) } == [octets])
    #expect(scalars(UCS2.decode(plan.octets)) == scalars(text))
  }

  @Test("A 16-bit reference leaves 152 septets and 66 units")
  func wideReference() throws {
    #expect(try TextPlan("a" * 161, limits: .reference16).encodeParts().map(\.count) == [152, 9])
    #expect(try TextPlan("я" * 71, limits: .reference16).encodeParts().map(\.count) == [132, 10])
    #expect(try TextPlan("a" * 160, limits: .reference16).partCount == 1)
  }

  @Test("Two halves make a long text of 255 parts and no more")
  func mostParts() throws {
    #expect(try TextPlan("a" * (153 * 255)).partCount == 255)
    #expect(throws: TextPlanError.tooManyParts(needed: 256, maximum: 255)) { try TextPlan("a" * (153 * 255 + 1)) }
    #expect(throws: TextPlanError.tooManyParts(needed: 2, maximum: 1)) { try TextPlan("a" * 161, maximumParts: 1) }
    #expect(try TextPlan("a" * 160, maximumParts: 1).partCount == 1)
  }

  @Test("Where GSM is demanded, a text that does not fit is refused and what stands in the way is named")
  func demanded() {
    #expect(throws: TextPlanError.outsideGSM(["“", "😀", "”"])) { try TextPlan("“hi 😀” “”", encoding: .gsm7) }
    #expect(throws: Never.self) { try TextPlan("hi", encoding: .gsm7) }
  }

  @Test("No refusal tells of the text itself")
  func refusalsAreSilent() {
    #expect(!TextPlanError.outsideGSM(["ж"]).description.contains("ж"))
    #expect(TextPlanError.tooManyParts(needed: 300, maximum: 255).description.contains("300"))
  }

  @Test("Any limits are survived: below two units they are taken as two")
  func absurdLimits() throws {
    let limits = PartLimits(gsm7Single: 0, gsm7Part: -5, ucs2Single: 1, ucs2Part: 0)
    #expect(try TextPlan("€a€", limits: limits).preview.split == ["€", "a", "€"])
    #expect(try TextPlan("a\r\nb\r\n", limits: limits).preview.split.joined() == "a\r\nb\r\n")
    #expect(try TextPlan("я😀я", limits: limits).preview.split == ["я", "😀", "я"])
  }
}
