import Contract
import Formats
import Testing

@Suite("JSON writer") struct JSONWriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func commasComeByThemselves() {
    let written = text { writer in
      writer.beginObject()
      writer.key("a")
      writer.integer(1)
      writer.key("b")
      writer.beginArray()
      writer.string("x")
      writer.bool(true)
      writer.null()
      writer.beginObject()
      writer.endObject()
      writer.beginArray()
      writer.endArray()
      writer.raw(Array("{\"r\":1}".utf8))
      writer.number(0.5)
      writer.endArray()
      writer.key(dynamic: "c\"")
      writer.bool(false)
      writer.endObject()
    }
    #expect(written == #"{"a":1,"b":["x",true,null,{},[],{"r":1},0.5],"c\"":false}"#)
  }

  @Test(
    arguments: [
      ("", "\"\""), ("plain", "\"plain\""), ("\"\\/", #""\"\\/""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
      ("\u{0}\u{1F}\u{7F}", #""\u0000\u001f\u007f""#), ("a\u{2028}b\u{2029}c", #""a\u2028b\u2029c""#),
      ("\u{2027}\u{202A}â€", "\"\u{2027}\u{202A}â€\""), ("😀 äö", "\"😀 äö\""), ("\u{E000}", "\"\u{E000}\""),
    ])
  func stringsAreEscaped(value: String, written: String) throws {
    #expect(text { $0.string(value) } == written)
    #expect(try JSON.parse(Array(written.utf8)) == .string(value))
  }

  @Test func everyIntegerIsWrittenWhole() {
    #expect(text { $0.integer(0) } == "0")
    #expect(text { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(text { $0.integer(UInt64.max) } == "18446744073709551615")
    #expect(text { $0.integer(UInt8(200)) } == "200")
    #expect(text { $0.integer(-1_234_567_890) } == "-1234567890")
  }

  @Test func numbersThatJSONDoesNotKnowBecomeNull() {
    #expect(text { $0.number(.infinity) } == "null")
    #expect(text { $0.number(.nan) } == "null")
    #expect(text { $0.number(-0.25) } == "-0.25")
    #expect(text { $0.number(1e300) } == "1e+300")
  }

  @Test func fieldsTakeWhatRecordsAreMadeOf() {
    let id = MessageID(ID128(high: 1, low: 2))
    let bytes = JSONWriter.object { writer in
      writer.field("id", id)
      writer.field("at", Instant(milliseconds: 0))
      writer.field("text", "x")
      writer.field("from", nil as String?)
      writer.field("parts", 3)
      writer.field("flash", true)
      writer.field("share", 0.5)
      writer.field("split", ["a", "b"]) { $0.string($1) }
      writer.object("price") { $0.field("amount", "0.05") }
      writer.field("any", ["k": 1] as JSONValue)
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"id":"msg_00000000000000010000000000000002","at":"1970-01-01T00:00:00.000Z","text":"x","from":null,"#
        + #""parts":3,"flash":true,"share":0.5,"split":["a","b"],"price":{"amount":"0.05"},"any":{"k":1}}"#)
  }

  @Test func aWriterCanBeUsedAgain() {
    var writer = JSONWriter()
    writer.integer(1)
    writer.removeAll()
    writer.integer(2)
    #expect(writer.bytes == Array("2".utf8))
  }
}
