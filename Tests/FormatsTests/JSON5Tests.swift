import Formats
import Testing

@Suite("JSON5") struct JSON5Tests {
  private func parse(_ text: String) throws -> JSONValue { try JSON5.parse(Array(text.utf8), file: "f.json5") }

  private func message(_ text: String) -> String? {
    do {
      _ = try parse(text)
      return nil
    } catch { return String(describing: error) }
  }

  /// The example of the specification's introduction, and those of its sections.
  @Test func theExamplesOfTheSpecification() throws {
    let kitchenSink = """
      {
        // comments
        unquoted: 'and you can quote me on that',
        singleQuotes: 'I can use "double quotes" here',
        lineBreaks: "Look, Mom! \\
      No \\\\n's!",
        hexadecimal: 0xdecaf,
        leadingDecimalPoint: .8675309, andTrailing: 8675309.,
        positiveSign: +1,
        trailingComma: 'in objects', andIn: ['arrays',],
        "backwardsCompatible": "with JSON",
      }
      """
    #expect(
      try parse(kitchenSink) == [
        "unquoted": "and you can quote me on that", "singleQuotes": "I can use \"double quotes\" here",
        "lineBreaks": "Look, Mom! No \\n's!", "hexadecimal": 0xdecaf, "leadingDecimalPoint": 0.8675309,
        "andTrailing": .number(8_675_309), "positiveSign": 1, "trailingComma": "in objects", "andIn": ["arrays"],
        "backwardsCompatible": "with JSON",
      ])
  }

  @Test(
    "What the specification allows is read",
    arguments: [
      ("{}", [:]), ("[]", []), ("{a:1,}", ["a": 1]), ("[1,]", [1]), ("{ünïcödé: 1}", ["ünïcödé": 1]),
      ("{$_:1,_$:2,a\u{200C}b:3}", ["$_": 1, "_$": 2, "a\u{200C}b": 3]), ("{\\u0061b:1}", ["ab": 1]),
      ("{while:1,null:2,Infinity:3}", ["while": 1, "null": 2, "Infinity": 3]),
      ("{'a b':1,\"c\":2}", ["a b": 1, "c": 2]),
      ("'\\x41\\u0042\\'\\\"\\\\\\/\\b\\f\\n\\r\\t\\v\\0'", "AB'\"\\/\u{8}\u{C}\n\r\t\u{B}\0"),
      ("'\\a\\c\\ä'", "acä"), ("'a\\\r\nb\\\rc\\\nd\\\u{2028}e'", "abcde"), ("'\u{2028}\u{2029}'", "\u{2028}\u{2029}"),
      ("'\\uD83D\\uDE00'", "😀"), ("'\u{1}\t'", "\u{1}\t"), ("0", 0), ("-0", 0), ("+0", 0), ("0x1F", 31),
      ("-0XfF", -255),
      ("+0x10", 16), ("0x7fffffffffffffff", .integer(Int64.max)), ("0x8000000000000000", 9_223_372_036_854_775_808.0),
      (".5", 0.5), ("5.", .number(5)), ("-.5e-1", -0.05), ("5.e2", 500.0), ("1e3", 1000.0), ("+1.5E+2", 150.0),
      ("9223372036854775807", .integer(Int64.max)), ("-9223372036854775808", .integer(Int64.min)),
      ("9223372036854775808", 9_223_372_036_854_775_808.0), ("Infinity", .number(.infinity)),
      ("-Infinity", .number(-.infinity)), ("+Infinity", .number(.infinity)), ("true", true), ("false", false),
      ("null", nil), ("// c\n1 // d", 1), ("/* a * / ** */1/**/", 1), ("/*\n*/ // x\r\n [ /**/ 1 /**/ , /**/ ] ", [1]),
      ("\u{FEFF}\u{A0}\u{2003}\t\u{B}\u{C}\u{2028}1", 1), ("//\u{2028}1", 1),
    ] as [(String, JSONValue)])
  func allowed(text: String, value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test func notANumberIsAllowed() throws {
    for text in ["NaN", "+NaN", "-NaN"] { #expect(try parse(text).number?.isNaN == true) }
  }

  @Test(
    "What the specification refuses is refused",
    arguments: [
      "", " ", "//", "/*", "/* *", "/", "{", "[", "{a", "{a:", "{a:1", "[1", "[1,", "{,}", "[,]", "[1,,]", "{a:1,,}",
      "{a 1}", "{a:1 b:2}", "[1 2]", "1 2", "{1:1}", "{a-b:1}", "{-a:1}", "{[a]:1}", "'", "'a", "\"a'", "'a\nb'",
      "'a\rb'",
      "'\\", "'\\1'", "'\\9'", "'\\01'", "'\\x4'", "'\\xg0'", "'\\u004'", "'\\uD800'", "'\\uDC00'", "'\\uD800\\u0041'",
      "'\\uD800\\x'", "01", "-01", "00", "0x", "0xg", "0x1g", "1a", "1_0", "1.2.3", ".", "+", "-", "+.", "1e", "1e+",
      "e1", ".e1", "--1", "+-1", "- 1", "1e400", "-1e400", "infinity", "Infinit", "Infinityx", "nan", "TRUE",
      "undefined",
      "yes", "{\\u0031a:1}", "{a\\x41:1}", "{a\\u00:1}", "{a\\u0020:1}", "#1", "`a`", "1;", "(1)", "<!-- -->1", "1n",
    ])
  func refused(text: String) {
    #expect(message(text) != nil)
  }

  @Test(
    "Errors say where and what",
    arguments: [
      ("{\n  a: 1\n  b: 2\n}", "f.json5:3:3: A comma or } should stand here, not \"b\"."),
      ("{a: 1,\r\n b: 2,\r\n 'a': 3}", "f.json5:3:2: The key \"a\" stands in line 1 and again here."),
      ("{a: 1, b: {a: 1, a: 1}}", "f.json5:1:18: The key \"a\" stands in line 1 and again here."),
      ("\u{2028}{a: yes}", "f.json5:2:5: \"yes\" is no value; a text stands in quotes."),
      ("[1,\n", "f.json5:2:1: The file ends here, and a value should stand here."),
      ("{ä: 'ö\n'}", "f.json5:1:5: A line ends inside this text; write \\n, or \\ at the end of the line."),
      ("/* x", "f.json5:1:1: This comment has no end."),
      ("[01]", "f.json5:1:2: This is not a number as JSON5 writes it."),
      ("1 1", "f.json5:1:3: There is more text after the value."),
      ("{a=1}", "f.json5:1:3: A colon should stand here, not \"=\"."),
      ("'\\uD800'", "f.json5:1:2: This escape is half of a surrogate pair."),
      (String(repeating: "[", count: 100_000), "f.json5:1:65: Arrays and objects stand more than 64 deep."),
    ])
  func errors(text: String, expected: String) {
    #expect(message(text) == expected)
  }

  @Test func everyValueAndKeyKnowsItsPlace() throws {
    let value = try parse("{\n  a: 1, 'b' :\n  [true,\r\n{c: 'x'}],\n}")
    #expect(value.position == SourcePosition(line: 1, column: 1))
    let members = try #require(value.object)
    #expect(members[0].position == SourcePosition(line: 2, column: 3))
    #expect(members[0].value.position == SourcePosition(line: 2, column: 6))
    #expect(members[1].position == SourcePosition(line: 2, column: 9))
    #expect(members[1].value.position == SourcePosition(line: 3, column: 3))
    #expect(members[1].value[0]?.position == SourcePosition(line: 3, column: 4))
    #expect(members[1].value[1]?["c"]?.position == SourcePosition(line: 4, column: 5))
  }

  @Test func bytesThatAreNotUTF8AreRefusedAtTheirLine() {
    let error = #expect(throws: JSON5Error.self) {
      try JSON5.parse(Array("{\n a: '".utf8) + [0xC3, 0x28], file: "f.json5")
    }
    #expect(error?.description == "f.json5:2:6: The file is not valid UTF-8 from here on.")
  }

  @Test func aFileHasALongestLength() {
    let error = #expect(throws: JSON5Error.self) { try JSON5.parse(Array("12345".utf8), file: "f", limit: 4) }
    #expect(error?.description == "f:1:1: The file is longer than 4 bytes.")
  }

  @Test func damagedTextsNeverTrap() {
    let seeds = [
      "{ // c\n unquoted: 'a\\\n b', \"q\": 0xdecaf, n: [-.5, +1e3, Infinity, NaN,], /* x */ \\u0061: '\\x41\\uD83D\\uDE00' }",
      "[true, false, null, 'ä€😀', {a: {b: {c: [[[]]]}}}, 9223372036854775807, 0x8000000000000000, 1.7e308]",
    ].map { Array($0.utf8) }
    var random = Mutation(seed: 5)
    var read = 0
    for round in 0..<10_000 {
      if (try? JSON5.parse(random.damaged(seeds[round % 2], beside: seeds[1 - round % 2]), file: "f")) != nil {
        read += 1
      }
    }
    #expect(read > 100 && read < 9_000, "some texts stay good and most break")
  }

  @Test func everyJSONIsJSON5() throws {
    let text = "{\"to\":\"+358\",\"t\":\"H\\u00e4i \\ud83d\\ude00\",\"n\":[1,-2.5e-3,0,true,null],\"o\":{\"y\":[]}}"
    #expect(try parse(text) == JSON.parse(Array(text.utf8)))
  }
}
