import Contract
import Formats
import GSMText

/// What a profile's author says that it does; run whenever the profile is checked.
struct Examples: Sendable {
  /// A message, and the request that it becomes or the code of the refusal.
  struct Request: Sendable {
    let line: Int
    let submission: Submission
    let expected: ExpectedCall?
    let refusal: String?
  }

  struct Answer: Sendable {
    let line: Int
    let status: Int
    let body: [UInt8]
    let kind: Verdict.Kind
    let ids: [String]?
    let code: String?
    let scope: RefusalScope?
  }

  struct Call: Sendable {
    enum Input: Sendable {
      case callback(Callback)
      case polled(status: Int, body: [UInt8])
    }

    let line: Int
    let input: Input
    let receipts: [JSONValue]
    let messages: [JSONValue]
    let unread: Int
    let isRefused: Bool
  }

  let settings: [String: String]
  let requests: [Request]
  let poll: (line: Int, call: ExpectedCall)?
  let answers: [Answer]
  let calls: [Call]

  init(_ reader: inout ObjectReader) throws(FieldError) {
    var examples = try reader.object("examples")
    settings = Dictionary(try (examples.stringMapIfPresent("settings") ?? []).map { ($0.key, $0.value) }) { $1 }
    requests = try examples.objects("requests", count: 1...100) { example throws(FieldError) in try Request(&example) }
    if var given = try examples.objectIfPresent("poll") {
      poll = (Int(given.position.line), try ExpectedCall(&given))
      try given.finish()
    } else {
      poll = nil
    }
    answers = try examples.objects("answers", count: 1...200) { example throws(FieldError) in try Answer(&example) }
    let pushed = try examples.objectsIfPresent("callbacks", count: 0...100) { example throws(FieldError) in
      try Call(&example, isPush: true)
    }
    let polled = try examples.objectsIfPresent("polled", count: 0...100) { example throws(FieldError) in
      try Call(&example, isPush: false)
    }
    calls = (pushed ?? []) + (polled ?? [])
    try examples.finish()
  }
}

/// A request as an example writes it down. Headers that it does not name are not looked at.
struct ExpectedCall: Sendable {
  let method: String
  let url: String
  let headers: [(key: String, value: String)]
  /// A text to be met exactly, or JSON to be equal to.
  let body: JSONValue

  init(_ reader: inout ObjectReader) throws(FieldError) {
    method = try reader.string("method")
    url = try reader.string("url")
    headers = try reader.stringMapIfPresent("headers") ?? []
    body = reader.valueIfPresent("body") ?? ""
  }

  /// How `call` differs; nil when it does not.
  func difference(_ call: CarrierCall) -> String? {
    if call.method != method { return "The method is \(call.method)." }
    if call.url != url { return "The address is \(Shown.text(call.url, limit: 1000))" }
    for (name, value) in headers where call.header(name) != value {
      return "The header \(name) is \(call.header(name).map { Shown.text($0, limit: 500) } ?? "missing")."
    }
    if let text = body.string {
      if call.body != Array(text.utf8) { return "The body is \(Shown.octets(call.body, limit: 2000))" }
    } else if (try? JSON.parse(call.body)) != body {
      return "The body is \(Shown.octets(call.body, limit: 2000))"
    }
    return nil
  }
}

extension Examples.Request {
  init(_ reader: inout ObjectReader) throws(FieldError) {
    line = Int(reader.position.line)
    let text = try reader.string("text")
    let plan: TextPlan
    do {
      plan = try TextPlan(text)
    } catch {
      throw reader.problem("text", error.description)
    }
    submission = Submission(
      id: try reader.parsedIfPresent("id", "32 hexadecimal digits") { ID128(hex: $0) } ?? ID128(high: 0, low: 1),
      reference: try reader.stringIfPresent("reference") ?? "", to: try reader.string("to"),
      from: try reader.stringIfPresent("from"), plan: plan, flash: try reader.boolIfPresent("flash") ?? false,
      validity: try reader.durationIfPresent("validity", in: 1...2_592_000),
      callbackURL: try reader.stringIfPresent("callbackURL"), wantsReceipt: try reader.boolIfPresent("receipt") ?? false
    )
    refusal = try reader.stringIfPresent("refused")
    if refusal == nil {
      var given = try reader.object("request")
      expected = try ExpectedCall(&given)
      try given.finish()
    } else {
      expected = nil
    }
  }
}

extension Examples.Answer {
  init(_ reader: inout ObjectReader) throws(FieldError) {
    line = Int(reader.position.line)
    status = try reader.integerIfPresent("status", in: 100...599) ?? 200
    body = try Examples.body(&reader)
    kind = try reader.word("outcome")
    ids = try reader.stringsIfPresent("ids")
    code = try reader.stringIfPresent("code")
    scope = try reader.wordIfPresent("scope")
  }
}

extension Examples.Call {
  init(_ reader: inout ObjectReader, isPush: Bool) throws(FieldError) {
    line = Int(reader.position.line)
    let body = try Examples.body(&reader)
    if isPush {
      input = .callback(
        Callback(
          method: try reader.stringIfPresent("method") ?? "POST",
          query: Array((try reader.stringIfPresent("query") ?? "").utf8),
          contentType: try reader.stringIfPresent("type"),
          body: body))
    } else {
      input = .polled(status: try reader.integerIfPresent("status", in: 100...599) ?? 200, body: body)
    }
    receipts = try reader.arrayIfPresent("receipts") ?? []
    messages = try reader.arrayIfPresent("messages") ?? []
    unread = try reader.integerIfPresent("unread", in: 0...1000) ?? 0
    isRefused = try reader.boolIfPresent("refused") ?? false
  }
}

extension Examples {
  /// A text, or JSON written as it is.
  static func body(_ reader: inout ObjectReader) throws(FieldError) -> [UInt8] {
    guard let value = reader.valueIfPresent("body"), !value.isNull else { return [] }
    if let text = value.string { return Array(text.utf8) }
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes
  }
}
