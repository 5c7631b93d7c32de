import Contract
import Formats
import Testing

@Suite("Object reader") struct ObjectReaderTests {
  private enum Class: String, CaseIterable { case code, alarm, normal }

  private func reader(_ text: String) throws -> ObjectReader { try ObjectReader(JSON.parse(Array(text.utf8))) }

  private func sentence(_ text: String, _ read: (inout ObjectReader) throws -> Void) -> String? {
    do {
      var reader = try reader(text)
      try read(&reader)
      try reader.finish()
      return nil
    } catch { return String(describing: error) }
  }

  @Test func fieldsComeWithTheirTypes() throws {
    var reader = try reader(
      """
      {"to":"+358","parts":3,"share":0.5,"flash":true,"class":"alarm","at":"1970-01-01T00:00:01Z","none":null,
       "id":"msg_00000000000000010000000000000002","tags":["a","b"],"price":{"amount":"1"},"any":[1],"re":"^a(b)$",
       "headers":{"X-A":"1","X-B":"2"},"carriers":[{"url":"u"},{"url":"v"}]}
      """)
    #expect(try reader.string("to") == "+358")
    #expect(try reader.integer("parts", in: 1...3) == 3)
    #expect(try reader.number("share", in: 0...1) == 0.5)
    #expect(try reader.bool("flash"))
    #expect(try reader.word("class", as: Class.self) == .alarm)
    #expect(try reader.instant("at") == Instant(milliseconds: 1000))
    #expect(try reader.id("id") == MessageID(ID128(high: 1, low: 2)))
    #expect(try reader.stringIfPresent("none") == nil)
    #expect(try reader.integerIfPresent("absent") == nil)
    #expect(reader.has("none"))
    #expect(!reader.has("absent"))
    #expect(try reader.strings("tags") == ["a", "b"])
    var price = try reader.object("price")
    #expect(try price.string("amount") == "1")
    try price.finish()
    #expect(try reader.value("any") == [1])
    #expect(try reader.pattern("re").matches("ab"))
    #expect(try reader.stringMapIfPresent("headers")?.map(\.value) == ["1", "2"])
    let urls = try reader.objects("carriers") { (carrier) throws(FieldError) in try carrier.string("url") }
    #expect(urls == ["u", "v"])
    try reader.finish()
  }

  @Test func everyRefusalIsASentenceWithThePath() {
    #expect(sentence("[]") { _ in } == "The text must be an object.")
    #expect(sentence("{}") { _ = try $0.string("to") } == "to is missing.")
    #expect(sentence("{\"to\":null}") { _ = try $0.string("to") } == "to is missing.")
    #expect(sentence("{\"to\":1}") { _ = try $0.string("to") } == "to must be a text.")
    #expect(
      sentence("{\"t\":\"äää\"}") { _ = try $0.string("t", length: 1...2) } == "t must be a text of 1 to 2 characters.")
    #expect(
      sentence("{\"t\":\"äää\"}") { _ = try $0.string("t", length: 0...2) }
        == "t must be a text of at most 2 characters.")
    #expect(
      sentence("{\"t\":\"\"}") { _ = try $0.string("t", length: 1...Int.max) }
        == "t must be a text of at least 1 characters.")
    #expect(
      sentence("{\"n\":4}") { _ = try $0.integer("n", in: 1...3) } == "n must be a whole number from 1 to 3.")
    #expect(
      sentence("{\"n\":-1}") { _ = try $0.integer("n", in: 0...Int.max) } == "n must be a whole number at least 0.")
    #expect(sentence("{\"n\":1.5}") { _ = try $0.integer("n") } == "n must be a whole number.")
    #expect(sentence("{\"n\":1e99}") { _ = try $0.integer("n") } == "n must be a whole number.")
    #expect(sentence("{\"n\":2}") { _ = try $0.number("n", in: 0...1) } == "n must be a number from 0 to 1.")
    #expect(sentence("{\"n\":\"x\"}") { _ = try $0.number("n") } == "n must be a number.")
    #expect(sentence("{\"b\":0}") { _ = try $0.bool("b") } == "b must be true or false.")
    #expect(
      sentence("{\"c\":\"bulk\"}") { _ = try $0.word("c", as: Class.self) }
        == "c must be one of \"code\", \"alarm\", \"normal\".")
    #expect(
      sentence("{\"at\":\"now\"}") { _ = try $0.instant("at") } == "at must be a time like \"2026-11-30T04:06:03Z\".")
    #expect(
      sentence("{\"id\":\"acc_1\"}") { _ = try $0.id("id", as: MessageID.self) }
        == "id must be an id that begins with msg_.")
    #expect(
      sentence("{\"re\":\"(a\"}") { _ = try $0.pattern("re") }
        == "re must be a regular expression as RE2 reads it (missing ): (a).")
    #expect(sentence("{\"a\":[]}") { _ = try $0.array("a", count: 1...2) } == "a must be an array of 1 to 2 elements.")
    #expect(sentence("{\"a\":[\"x\",1]}") { _ = try $0.strings("a") } == "a[1] must be a text.")
    #expect(sentence("{\"a\":{}}") { _ = try $0.array("a") } == "a must be an array.")
    #expect(sentence("{\"o\":1}") { _ = try $0.object("o") } == "o must be an object.")
    #expect(
      sentence("{\"o\":{\"h\":{\"x y\":1}}}") { reader in
        var inner = try reader.object("o")
        _ = try inner.stringMapIfPresent("h")
      } == "o.h.\"x y\" must be a text.")
  }

  @Test func unknownFieldsAreRefusedByNameWithAGuess() {
    let read = { (reader: inout ObjectReader) throws in
      _ = try reader.stringIfPresent("to")
      _ = try reader.stringIfPresent("text")
      _ = try reader.stringIfPresent("reference")
    }
    #expect(sentence("{\"to\":\"1\"}", read) == nil)
    #expect(sentence("{\"txet\":\"1\"}", read) == "txet is not known here. Was text meant?")
    #expect(sentence("{\"Reference\":\"1\"}", read) == "Reference is not known here. Was reference meant?")
    #expect(sentence("{\"colour\":\"1\"}", read) == "colour is not known here.")
    #expect(sentence("{\"a\\nb\":\"1\"}", read) == "\"a·b\" is not known here.")
    #expect(sentence("{\"\":\"1\"}", read) == "\"\" is not known here.")
    #expect(
      sentence("{\"list\":[{},{\"uurl\":1}]}") { reader in
        _ = try reader.objects("list") { (item) throws(FieldError) in try item.stringIfPresent("url") }
      } == "list[1].uurl is not known here. Was url meant?")
  }

  @Test func valuesAreNeverRepeated() {
    let secret = "hunter2"
    let body = "{\"a\":\"\(secret)\"}"
    let readers: [(inout ObjectReader) throws -> Void] = [
      { _ = try $0.integer("a") }, { _ = try $0.bool("a") }, { _ = try $0.word("a", as: Class.self) },
      { _ = try $0.instant("a") }, { _ = try $0.string("a", length: 0...1) }, { _ = try $0.object("a") }, { _ in },
    ]
    for read in readers { #expect(sentence(body, read)?.contains(secret) == false) }
  }

  @Test func inAFileTheErrorBeginsWithThePlace() throws {
    let text = "{\n  carriers: [\n    { url: 5 },\n  ],\n  colour: 1,\n}"
    let value = try JSON5.parse(Array(text.utf8), file: "f.json5")
    var reader = try ObjectReader(value, file: "f.json5")
    let wrong = #expect(throws: FieldError.self) {
      _ = try reader.objects("carriers") { (carrier) throws(FieldError) in try carrier.string("url") }
    }
    #expect(wrong?.description == "f.json5:3:12: carriers[0].url must be a text.")
    let unknown = #expect(throws: FieldError.self) { try reader.finish() }
    #expect(unknown?.description == "f.json5:5:3: colour is not known here.")
    let missing = #expect(throws: FieldError.self) { try reader.string("name") }
    #expect(missing?.description == "f.json5:1:1: name is missing.")
    #expect(missing?.sentence == "name is missing.")
    let own = reader.error("carriers", .other("There are too few carriers."))
    #expect(own.description == "f.json5:2:13: There are too few carriers.")
  }
}
