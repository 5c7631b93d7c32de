import Contract
import GSMText
import HTTPSMS
import Testing

/// The fields of a request with one of its values changed; nil takes a field out.
func fields(_ changes: [String: String?] = [:], message: [UInt8]? = nil) -> [(String, [UInt8])] {
  var values: [String: String?] = [
    "S": "H", "UN": "cabin", "P": "s3cret", "DA": "358401234567", "SA": "Info", "M": "Hi",
  ]
  values.merge(changes) { $1 }
  return values.sorted { $0.key < $1.key }.compactMap { name, value in
    if name == "M", let message { return (name, message) }
    return value.map { (name, Array($0.utf8)) }
  }
}

struct HTTPSMSSubmitTests {
  @Test func readsThePlainestRequest() throws {
    let submit = try HTTPSMSSubmit(fields: fields())
    #expect(submit.user == "cabin")
    #expect(submit.password == "s3cret")
    #expect(submit.destinations.map(\.number) == ["358401234567"])
    #expect(submit.source == "Info")
    #expect(submit.sourceType == .alphanumeric)
    #expect(submit.coding == .normal)
    #expect(submit.content.text == "Hi")
    #expect(submit.parts == 1)
    #expect(submit.receipts == .none)
    #expect(submit.validityMinutes == 1440)
    #expect(submit.reference == nil)
  }

  @Test func readsEveryParameter() throws {
    let submit = try HTTPSMSSubmit(
      fields: fields([
        "S": "M", "DA": "358401234567,+447987651234, 61447100308", "SA": "07943215678", "ST": "0", "DC": "0", "DR": "2",
        "UR": "JBD829_S-A", "V": "60", "DU": "1780000000", "LT": "1780007200", "else": "x",
      ]))
    #expect(submit.system == .m)
    #expect(submit.destinations.map(\.number) == ["358401234567", "447987651234", "61447100308"])
    #expect(submit.sourceType == .national)
    #expect(submit.coding.isFlash)
    #expect(submit.receipts == .record)
    #expect(submit.reference == "JBD829_S-A")
    #expect(submit.validityMinutes == 60)
    #expect(submit.notBefore == Instant(milliseconds: 1_780_000_000_000))
    #expect(submit.localTime == Instant(milliseconds: 1_780_007_200_000))
    #expect(try HTTPSMSSubmit(fields: fields(["VP": "30"])).validityMinutes == 30)
  }

  @Test func aNumberThatIsNoneHasNoNumberAndTheOthersGoOn() throws {
    let submit = try HTTPSMSSubmit(fields: fields(["DA": "358401234567,abc,0401234567,"]))
    #expect(submit.destinations.map(\.number) == ["358401234567", nil, nil, nil])
  }

  @Test(
    arguments: [
      (["DA": "abc"], HTTPSMSError.destination), (["DA": "040123"], .destination),
      (["UN": ""], .badLogin), (["P": ""], .badLogin),
      (["DA": Array(repeating: "358401234567", count: 11).joined(separator: ",")], .badRequest),
      (["SA": "TwelveLetter"], .badRequest), (["SA": "12345678901234567"], .badRequest), (["SA": ""], .badRequest),
      (["SA": "Info", "ST": "1"], .badRequest), (["SA": "123456789012", "ST": "5"], .badRequest),
      (["ST": "2"], .badRequest), (["DC": "3"], .badRequest), (["DC": "x"], .badRequest), (["DC": "-1"], .badRequest),
      (["DR": "3"], .badRequest), (["UR": "seventeen-letters"], .badRequest), (["UR": "a b"], .badRequest),
      (["V": "0"], .badRequest), (["V": "10081"], .badRequest), (["V": "99999999999999999999"], .badRequest),
      (["DU": "17"], .badRequest), (["UD": "050003010201"], .badRequest), (["S": "X"], .badRequest),
      (["M": ""], .badRequest), (["DC": "4", "M": "004"], .badRequest), (["DC": "4", "M": "00"], .badRequest),
      (["DC": "2", "M": "zz"], .badRequest), (["DC": "2", "M": "00", "UD": "0500"], .badRequest),
      (["s": "H", "S": nil], .badRequest), (["M": nil], .badRequest), (["SA": nil], .badRequest),
    ] as [([String: String?], HTTPSMSError)])
  func refusesWithTheRightCode(changes: [String: String?], code: HTTPSMSError) {
    #expect { try HTTPSMSSubmit(fields: fields(changes)) } throws: { ($0 as? HTTPSMSRefusal)?.code == code }
  }

  @Test func aDoubledFieldIsRefusedAndNamed() {
    #expect(throws: HTTPSMSRefusal(.badRequest, "DA is there twice.")) {
      try HTTPSMSSubmit(fields: fields() + [("DA", Array("447987651234".utf8))])
    }
  }

  @Test func latinTextBecomesGSMAndWhatItLacksASpace() throws {
    let text = try HTTPSMSSubmit(fields: fields(message: [0x80, 0xA4, 0xE4, 0xD6, 0x40, 0x5B, 0x0A, 0xE7, 0x85, 0x60]))
    #expect(text.content.text == "€€äÖ@[\n   ")
    #expect(text.content == .gsm([0x1B, 0x65, 0x1B, 0x65, 0x7B, 0x5C, 0, 0x1B, 0x3C, 0x0A, 0x20, 0x20, 0x20]))
  }

  @Test func gsmOctetsAreTakenAsTheyAre() throws {
    let submit = try HTTPSMSSubmit(fields: fields(["DC": "6"], message: [0x00, 0x1B, 0x65, 0x16, 0xFF]))
    #expect(submit.content.text == "@€Π ")
    #expect(try HTTPSMSSubmit(fields: fields(["DC": "7"], message: [0])).coding.isFlash)
  }

  @Test func unicodeComesAsHex() throws {
    let submit = try HTTPSMSSubmit(fields: fields(["DC": "4", "M": "d83dDE000041"]))
    #expect(submit.content.text == "😀A")
    #expect(submit.parts == 1)
  }

  @Test func binaryHasAHeader() throws {
    let submit = try HTTPSMSSubmit(fields: fields(["DC": "2", "M": "01FF", "UD": "06050415811581"]))
    #expect(submit.content == .binary([1, 255], header: [6, 5, 4, 0x15, 0x81, 0x15, 0x81]))
    #expect(submit.content.text == nil)
  }

  @Test(
    arguments: [
      (160, 1), (161, 2), (306, 2), (307, 3), (459, 3), (460, nil),
    ] as [(Int, Int?)])
  func countsPartsOfPlainText(length: Int, parts: Int?) {
    let text = String(repeating: "a", count: length)
    #expect((try? HTTPSMSSubmit(fields: fields(["M": text])))?.parts == parts)
  }

  @Test func anEscapedCharacterIsNotCutAtAPartsEnd() throws {
    let text =
      String(repeating: "a", count: 152) + String(repeating: "[", count: 5) + String(repeating: "a", count: 144)
    // 152 + 10 + 144 = 306 septets, of which the first part can hold only 152.
    #expect(try HTTPSMSSubmit(fields: fields(["M": text])).parts == 3)
  }

  @Test(
    arguments: [
      (280, 1), (284, 2), (536, 2), (540, 3), (804, 3), (808, nil),
    ] as [(Int, Int?)])
  func countsPartsOfUnicode(digits: Int, parts: Int?) {
    let message = String(repeating: "0041", count: digits / 4)
    #expect((try? HTTPSMSSubmit(fields: fields(["DC": "4", "M": message])))?.parts == parts)
  }

  /// The documentation's own limits, which are those of a header of seven octets.
  @Test(
    arguments: [
      (266, 1), (268, 2), (512, 2), (514, 3), (768, 3), (770, nil),
    ] as [(Int, Int?)])
  func countsPartsOfBinary(digits: Int, parts: Int?) {
    let message = String(repeating: "00", count: digits / 2)
    #expect(
      (try? HTTPSMSSubmit(fields: fields(["DC": "2", "M": message, "UD": "06050415811581"])))?.parts == parts)
  }

  @Test func noFormTrapsTheReader() {
    var random = Seeded(7)
    let names = ["S", "UN", "P", "DA", "SA", "M", "ST", "DC", "DR", "UR", "V", "VP", "UD", "DU", "LT", "", "?"]
    let values = [
      "H", "0", "1", "2", "4", "5", "6", "7", "358401234567", "Info", "00", "0041", "", "9999999999", "+,,",
    ]
    var read = 0
    for _ in 0..<20_000 {
      var form = fields()
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        let name = names.randomElement(using: &random) ?? ""
        let value =
          Bool.random(using: &random)
          ? Array((values.randomElement(using: &random) ?? "").utf8)
          : (0..<Int.random(in: 0..<200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        form.removeAll { $0.0 == name }
        form.append((name, value))
      }
      guard let submit = try? HTTPSMSSubmit(fields: form) else { continue }
      read += 1
      #expect((1...3).contains(submit.parts))
      #expect(submit.destinations.contains { $0.number != nil })
    }
    #expect(read > 1000)
  }
}

/// Numbers that are the same in every run (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
