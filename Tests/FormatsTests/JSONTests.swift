import Formats
import Testing

@Suite("JSON") struct JSONTests {
  private func parse(_ text: String) throws -> JSONValue { try JSON.parse(Array(text.utf8)) }

  private func reason(_ bytes: [UInt8]) -> JSONError.Reason? {
    do {
      _ = try JSON.parse(bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  private func reason(_ text: String) -> JSONError.Reason? { reason(Array(text.utf8)) }

  /// Categories of JSONTestSuite (Nicolas Seriot, "Parsing JSON is a Minefield"), typed again.
  @Test(
    "What RFC 8259 allows is read",
    arguments: [
      ("[]", []), ("{}", [:]), (" [1] ", [1]), ("\t[\n1\r,2 ]", [1, 2]), ("null", nil), ("true", true),
      ("false", false), ("\"\"", ""), ("42", 42), ("-0", 0), ("-1", -1), ("[0.4e-00669]", [0.0]),
      ("123e65", 123e65), ("0e+1", 0.0), ("0e1", 0.0), ("1E22", 1e22), ("1E-2", 0.01), ("1E+2", 100.0),
      ("-123", -123), ("123.456789", 123.456789), ("-0.0000001", -0.0000001), ("1e-400", 0.0),
      ("9223372036854775807", .integer(Int64.max)), ("-9223372036854775808", .integer(Int64.min)),
      ("9223372036854775808", 9223372036854775808.0), ("-9223372036854775809", -9223372036854775809.0),
      ("100000000000000000000", 1e20), ("[[]   ]", [[]]), ("[1,null,true,\"a\"]", [1, nil, true, "a"]),
      ("{\"a\":{\"b\":[]}}", ["a": ["b": []]]), ("{\"\":0}", ["": 0]), ("{\"a\":1,\"b\":2}", ["a": 1, "b": 2]),
      ("\"\\u0060\\u012a\\u12AB\"", "\u{60}\u{12A}\u{12AB}"), ("\"\\uD801\\udc37\"", "\u{10437}"),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"), ("\"\\\\u0000\"", "\\u0000"), ("\"\\u0000\"", "\0"),
      ("\"\\uFFFF\"", "\u{FFFF}"), ("\"\u{7F}\"", "\u{7F}"), ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"),
      ("\"€𝄞\"", "€𝄞"), ("\"a/*b*/c//d\"", "a/*b*/c//d"), ("\"\u{FEFF}\"", "\u{FEFF}"), ("\"\\u0022\"", "\""),
    ] as [(String, JSONValue)])
  func allowed(text: String, value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(
    "What the grammar refuses is refused",
    arguments: [
      "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1]]", "[\"\"],", "[1}", "{1}",
      "[\"\",", "[\"a", "[\"a\\", "[\"\\u", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{\"a\" 1}",
      "{\"a\"::1}", "{a:1}", "{'a':1}", "{1:1}", "{,}", "{\"a\":1 \"b\":2}", "{\"a\":1}}", "{\"a\":1}#", "{\"a\",1}",
      "tru", "True", "nul", "fals", "truf", "NaN", "Infinity", "-Infinity", "nan", "[-]", "+1", "01", "-01", "1.",
      ".5", "-.5", "1.e1", "0e", "0e+", "1e1.5", "1eE2", "0x42", "1 000", "1_000", "--1", "- 1", "-a", "1a", "0.1.2",
      "\u{FF11}", "\"\\a\"", "\"\\x00\"", "\"\\'\"", "\"\\u00A\"", "\"\\u00G0\"", "\"\\ud83d\\u00G0\"", "\"\\U0041\"",
      "\"new\nline\"", "\"tab\there\"", "\"\0\"", "'a'", "\"a\" \"b\"", "1//c", "/**/1", "[1/*c*/]", "#c\n1",
      "\u{FEFF}1", "\u{A0}1", "1\u{2028}", "\u{C}1", "[1]\u{0}", "\u{0}", "a", "abc", "\\u0031", "<.>", "*", "[\"a\"",
    ])
  func refused(text: String) {
    #expect(reason(text) != nil)
  }

  @Test(
    "The reason for a refusal is the right one",
    arguments: [
      ("[1", .unexpectedEnd), ("[1;", .expectedCommaOrEnd), ("{\"a\"}", .expectedColon), ("{a}", .expectedKey),
      ("[?", .expectedValue), ("1 1", .textAfterValue), ("01", .badNumber), ("1e999", .numberTooLarge),
      ("-1e999", .numberTooLarge), ("\"\\q\"", .badEscape), ("\"\\uD800\"", .loneSurrogate),
      ("\"\\uDC00\"", .loneSurrogate), ("\"\\uD800\\uD800\"", .loneSurrogate), ("\"\\uDC00\\uD800\"", .loneSurrogate),
      ("\"\\uD800x\"", .loneSurrogate), ("\"\u{1}\"", .controlCharacter), ("{\"a\":1,\"a\":2}", .doubledKey("a")),
      ("{\"a\":1,\"\\u0061\":2}", .doubledKey("a")), ("{\"b\":{\"a\":1,\"c\":2,\"a\":2}}", .doubledKey("a")),
    ] as [(String, JSONError.Reason)])
  func reasons(text: String, expected: JSONError.Reason) {
    #expect(reason(text) == expected)
  }

  @Test(
    "Strings that are not UTF-8 are refused",
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82],
      [0xF4, 0x90, 0x80, 0x80], [0xC3],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    #expect(reason([0x22] + bytes + [0x22]) == .notUTF8)
    #expect(reason([0x22] + Array("\\n".utf8) + bytes + [0x22]) == .notUTF8)
    #expect(reason(bytes) == .expectedValue)
  }

  @Test func anErrorNamesLineAndColumnInCharacters() throws {
    let error = try #require(throws: JSONError.self) { try parse("{\n  \"ä€\": x}") }
    #expect(error.line == 2)
    #expect(error.column == 9)
    #expect(error.offset == 13)
    #expect(error.description == "At line 2, column 9: a value should stand here.")
  }

  @Test func aDoubledKeyIsShownShortAndWithoutControlCharacters() throws {
    let key = "a\\n" + String(repeating: "x", count: 100)
    let error = try #require(throws: JSONError.self) { try parse("{\"\(key)\":1,\"\(key)\":2}") }
    let shown = "a·" + String(repeating: "x", count: 58) + "…"
    #expect(error.description.hasSuffix("the key \"\(shown)\" stands twice in one object."))
  }

  @Test func keysStandingTwiceAreFoundInLargeObjectsToo() throws {
    let members = (0..<5000).map { "\"k\($0)\":\($0)" }
    #expect(try parse("{" + members.joined(separator: ",") + "}").object?.count == 5000)
    #expect(reason("{" + (members + ["\"k7\":1"]).joined(separator: ",") + "}") == .doubledKey("k7"))
    #expect(reason("{" + (members + ["\"k4999\":1"]).joined(separator: ",") + "}") == .doubledKey("k4999"))
  }

  @Test func depthAndLengthEndAtTheirLimits() throws {
    let deep = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(reason(deep(64)) == nil)
    #expect(reason(deep(65)) == .tooDeep(limit: 64))
    #expect(reason(String(repeating: "[", count: 100_000)) == .tooDeep(limit: 64))
    #expect(reason(String(repeating: "{\"a\":", count: 100_000)) == .tooDeep(limit: 64))
    let flat = "[" + Array(repeating: "[]", count: 1000).joined(separator: ",") + "]"
    #expect(reason(flat) == nil)
    let limits = JSON.Limits(bytes: 4)
    #expect(try JSON.parse(Array("1234".utf8), limits: limits) == 1234)
    let error = try #require(throws: JSONError.self) { try JSON.parse(Array("12345".utf8), limits: limits) }
    #expect(error.description == "At line 1, column 5: the text is longer than 4 bytes.")
  }

  @Test func endlessNumbersAreRefused() {
    #expect(reason(String(repeating: "9", count: 300)) == nil)
    #expect(reason(String(repeating: "9", count: 5000)) == .numberTooLarge)
    #expect(reason("0." + String(repeating: "0", count: 5000) + "1") == .numberTooLarge)
  }

  @Test func membersKeepTheirOrder() throws {
    #expect(try parse("{\"z\":1,\"a\":2,\"m\":3}").object?.map(\.key) == ["z", "a", "m"])
    #expect(try parse("{\"z\":1,\"a\":[true]}")["a"]?[0]?.bool == true)
    #expect(try parse("[1]")[1] == nil)
    #expect(try parse("[1]")[-1] == nil)
  }

  /// Cut, flip and splice good texts: whatever comes out is refused or read, and what is read is written and read again
  /// as the same value.
  @Test func damagedTextsNeverTrapAndWhatIsReadSurvivesWriting() throws {
    let seeds = [
      "{\"to\":\"+358401234567\",\"text\":\"H\\u00e4i \\ud83d\\ude00 €\",\"parts\":[1,2,-3.5e-2],\"x\":{\"y\":null}}",
      "[true,false,null,0,-9223372036854775808,1e308,\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",{},[[[]]]]",
    ].map { Array($0.utf8) }
    var random = Mutation(seed: 8259)
    for round in 0..<20_000 {
      let bytes = random.damaged(seeds[round % 2], beside: seeds[1 - round % 2])
      guard let value = try? JSON.parse(bytes) else { continue }
      var writer = JSONWriter()
      writer.value(value)
      #expect(try JSON.parse(writer.bytes) == value)
    }
  }
}
