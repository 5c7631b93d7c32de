import Contract
import SMSGlobal
import Testing

/// The fields of a request with some of its values changed; nil takes a field out.
func fields(_ changes: [String: String?] = [:]) -> [(String, [UInt8])] {
  var values: [String: String?] = [
    "action": "sendsms", "user": "cabin", "password": "s3cret", "from": "Info", "to": "61447100308", "text": "Hi",
  ]
  values.merge(changes) { $1 }
  return values.sorted { $0.key < $1.key }.compactMap { name, value in value.map { (name, Array($0.utf8)) } }
}

/// One layer of url-encoding as PHP's `rawurlencode` does it.
func encoded(_ text: String) -> String {
  var encoded = ""
  for octet in text.utf8 {
    let character = Character(Unicode.Scalar(octet))
    if octet < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
      encoded.append(character)
    } else {
      let hex = String(octet, radix: 16, uppercase: true)
      encoded += "%" + (hex.count == 1 ? "0" : "") + hex
    }
  }
  return encoded
}

struct SMSGlobalSubmitTests {
  @Test func readsThePlainestRequest() throws {
    let submit = try SMSGlobalSubmit(fields: fields())
    #expect(submit.user == "cabin")
    #expect(submit.password == "s3cret")
    #expect(submit.from == "Info")
    #expect(submit.to == ["61447100308"])
    #expect(submit.text == "Hi")
    #expect(submit.partLimit == 1)
    #expect(submit.scheduled == nil)
    #expect(!submit.wantsReplies)
    #expect(submit.userfield == nil)
  }

  @Test func readsEveryParameter() throws {
    let submit = try SMSGlobalSubmit(
      fields: fields([
        "from": "+61447100309", "to": "61447100308,abc,+358401234567", "maxsplit": "19", "api": "1", "optout": "1",
        "scheduledatetime": "2026-12-24 18:00:00", "userfield": "in_7", "apireply": "1", "CLIENT_CHARSET": "UTF-8",
      ]))
    #expect(submit.from == "61447100309")
    #expect(submit.to == ["61447100308", nil, "358401234567"])
    #expect(submit.partLimit == 19)
    #expect(submit.wantsReplies)
    #expect(submit.honoursOptOut)
    #expect(submit.repliesByMail)
    #expect(submit.userfield == "in_7")
    #expect(submit.scheduled?.instant(offset: .seconds(11 * 3600)).description == "2026-12-24T07:00:00.000Z")
  }

  @Test(
    arguments: [
      (["action": nil], "No action requested"), (["action": "x"], "Invalid parameter: action"),
      (["user": nil], "Missing parameter: user"), (["password": ""], "Missing parameter: password"),
      (["from": nil], "Missing parameter: from"), (["to": nil], "Missing parameter: to"),
      (["text": nil], "Missing parameter: text"), (["from": "TwelveLetter"], "10"), (["from": " "], "10"),
      (["to": "abc"], "11"), (["maxsplit": "0"], "Invalid parameter: maxsplit"),
      (["maxsplit": "99999999999999999999"], "Invalid parameter: maxsplit"),
      (["scheduledatetime": "2026-13-01 00:00:00"], "Invalid parameter: scheduledatetime"),
      (["userfield": String(repeating: "a", count: 256)], "Invalid parameter: userfield"),
      (["to": String(repeating: "1,", count: 1000)], "Invalid parameter: to"),
    ] as [([String: String?], String)])
  func refusesInTheCarriersWords(changes: [String: String?], text: String) {
    #expect { try SMSGlobalSubmit(fields: fields(changes)) } throws: { ($0 as? SMSGlobalRefusal)?.text == text }
  }

  @Test(arguments: ["Привет, мир", "你好", "Sää on hyvä €5", "😀 yes"])
  func textMayBeEncodedUpToThreeTimes(text: String) throws {
    #expect(try SMSGlobalSubmit(fields: fields(["text": text])).text == text)
    #expect(try SMSGlobalSubmit(fields: fields(["text": encoded(text)])).text == text)
    #expect(try SMSGlobalSubmit(fields: fields(["text": encoded(encoded(text))])).text == text)
  }

  @Test(arguments: ["100%25", "%41", "50% off", "%D0", "a+b", "%25%41", "%E4%", "", "%%20", "x%20y"])
  func textThatOnlyLooksEncodedStaysAsItIs(text: String) throws {
    if text.isEmpty { return }
    #expect(try SMSGlobalSubmit(fields: fields(["text": text])).text == text)
  }

  @Test func latinTextIsReadWhenItIsNoUTF8OrSaidSo() throws {
    let octets: [UInt8] = [0x48, 0xE4]
    #expect(try SMSGlobalSubmit(fields: fields(["text": nil]) + [("text", octets)]).text == "Hä")
    let utf8: [UInt8] = [0xC3, 0xA4]
    #expect(
      try SMSGlobalSubmit(fields: fields(["text": nil, "clientcharset": "ISO-8859-1"]) + [("text", utf8)]).text == "Ã¤")
  }

  @Test func noFormTrapsTheReader() {
    var random = Seeded(11)
    let names = [
      "action", "user", "from", "to", "text", "maxsplit", "scheduledatetime", "userfield", "clientcharset", "",
    ]
    let pieces = ["%", "%D0%9F", "%25", "1", ",", "+", "2026-12-24 18:00:00", "a", " "].map { Array($0.utf8) }
    for _ in 0..<20_000 {
      var form = fields()
      let name = names.randomElement(using: &random) ?? ""
      var value: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<8, using: &random) { value += pieces.randomElement(using: &random) ?? [] }
      if Bool.random(using: &random) { value.append(UInt8.random(in: 0...255, using: &random)) }
      form.append((name, value))
      guard let submit = try? SMSGlobalSubmit(fields: form) else { continue }
      #expect((1...255).contains(submit.partLimit))
    }
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
