import Formats

extension CarrierProfile.Incoming {
  init(
    _ reader: inout ObjectReader, kinds: [String: SettingField.Kind], identifiers: IdentifierStyle
  ) throws(FieldError) {
    push = try Self.push(&reader)
    poll = try Self.poll(&reader, kinds)
    guard push != nil || poll != nil else {
      throw reader.problem("push", "There is neither \"push\" nor \"poll\".")
    }
    self.reader = try IncomingReader(&reader, kinds: kinds, identifiers: identifiers)
  }

  private static func push(_ reader: inout ObjectReader) throws(FieldError) -> Push? {
    guard var push = try reader.objectIfPresent("push") else { return nil }
    let methods = try push.stringsIfPresent("methods", count: 1...2) ?? ["POST"]
    guard methods.allSatisfy({ $0 == "GET" || $0 == "POST" }) else {
      throw push.error("methods", .mustBe("an array of \"GET\" and \"POST\""))
    }
    let source = try IncomingReader.Source(&push)
    var answer = CallbackAnswer(status: 200)
    if var given = try push.objectIfPresent("answer") {
      answer.status = try given.integerIfPresent("status", in: 200...299) ?? 200
      answer.contentType = try given.stringIfPresent("type", length: 1...100) ?? answer.contentType
      guard answer.contentType.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
        throw given.error("type", .mustBe("a media type"))
      }
      answer.body = Array((try given.stringIfPresent("body", length: 0...2000) ?? "").utf8)
      try given.finish()
    }
    try push.finish()
    return Push(methods: methods, source: source, answer: answer)
  }

  private static func poll(
    _ reader: inout ObjectReader, _ kinds: [String: SettingField.Kind]
  ) throws(FieldError) -> Poll? {
    guard var poll = try reader.objectIfPresent("poll") else { return nil }
    var request = try poll.object("request")
    let template = try RequestTemplate(&request, TemplateScope(kinds: kinds, hasSubmission: false))
    try request.finish()
    guard let interval = try poll.durationIfPresent("every", in: 1...86_400) else {
      throw poll.error("every", .missing)
    }
    let source = try IncomingReader.Source(&poll)
    switch source {
    case .body, .json: break
    case .field, .fields: throw poll.problem("from", "An answer is read from \"body\" or \"json\".")
    }
    let full = try poll.integerIfPresent("full", in: 1...IncomingReader.limit)
    try poll.finish()
    return Poll(request: template, interval: interval, source: source, full: full)
  }
}

extension IncomingReader.Source {
  init(_ reader: inout ObjectReader) throws(FieldError) {
    let value = try reader.value("from")
    switch value.string {
    case "body": self = .body
    case "fields": self = .fields
    case "json": self = .json
    default:
      guard value.object != nil, var field = try reader.objectIfPresent("from") else {
        throw reader.error("from", .mustBe("\"body\", \"json\", \"fields\" or { field: NAME }"))
      }
      self = .field(try field.string("field", length: 1...100))
      try field.finish()
    }
  }
}

extension IncomingReader {
  init(
    _ reader: inout ObjectReader, kinds: [String: SettingField.Kind], identifiers: IdentifierStyle
  ) throws(FieldError) {
    self.identifiers = identifiers
    if var given = try reader.objectIfPresent("split") {
      let separator = try given.string("at", length: 1...10)
      let hasCount = try given.boolIfPresent("counted") ?? false
      try given.finish()
      split = Split(separator: Array(separator.utf8), hasCount: hasCount)
    } else {
      split = nil
    }
    each = try reader.parsedIfPresent("each", "a path like messages[*]") { JSONPath($0) }
    zone = try Self.zone(&reader, kinds)
    records = try reader.objects("records", count: 1...30) { record throws(FieldError) in try RecordRule(&record) }
  }

  private static func zone(
    _ reader: inout ObjectReader, _ kinds: [String: SettingField.Kind]
  ) throws(FieldError) -> Zone {
    guard let text = try reader.stringIfPresent("zone") else { return .fixed(.zero) }
    if let offset = TimeFormat.offset(text) { return .fixed(offset) }
    if text.hasPrefix("{settings."), text.hasSuffix("}") {
      let name = String(text.dropFirst("{settings.".count).dropLast())
      if kinds[name] == .zone { return .setting(name) }
    }
    throw reader.error("zone", .mustBe("\"utc\", an offset like \"+10:00\", or a setting of kind \"zone\""))
  }
}

extension RecordRule {
  private enum Name: String, CaseIterable { case receipt, inbound, ignored }

  init(_ reader: inout ObjectReader) throws(FieldError) {
    text = try reader.patternIfPresent("text").map { TextPattern($0) }
    conditions = try ValuePattern.list(&reader).map { (FieldName($0.name), $0.fits) }
    take = try (reader.stringMapIfPresent("take") ?? []).map { ($0.key, FieldName($0.value)) }
    let captured = Set((text?.names ?? []) + conditions.flatMap(\.fits.names) + take.map(\.name))
    if let stranger = captured.subtracting(Self.names).sorted().first {
      throw reader.problem(
        text == nil ? "take" : "text",
        "\(quoted(stranger)) means nothing here. What may be captured: \(Self.names.sorted().joined(separator: ", ")).")
    }
    guard text != nil || !conditions.isEmpty else {
      throw reader.problem("as", "A rule has a \"text\" or a \"where\", or it would take every record.")
    }
    time = try reader.parsedIfPresent(
      "time", "\"epoch\", \"epochMilliseconds\", \"rfc3339\" or a picture like \"YYYY-MM-DD hh:mm:ss\""
    ) { TimeFormat($0) }
    guard (time != nil) == captured.contains("time") else {
      throw reader.problem("time", "The format goes with a captured \"time\", and the other way round.")
    }
    let name: Name = try reader.word("as")
    let needed: Set<String>
    switch name {
    case .ignored:
      needed = []
      kind = .ignored
      reasons = [:]
    case .receipt:
      needed = ["id", "status"]
      kind = .receipt(statuses: try Self.statuses(&reader))
      reasons = Dictionary(try (reader.stringMapIfPresent("reasons") ?? []).map { ($0.key, $0.value) }) { $1 }
    case .inbound:
      needed = ["from", "text"]
      kind = .inbound(try InboundCoding(&reader, captured: captured))
      reasons = [:]
    }
    if let missing = needed.subtracting(captured).sorted().first {
      throw reader.problem("as", "Nothing captures \(quoted(missing)).")
    }
  }

  private static func statuses(_ reader: inout ObjectReader) throws(FieldError) -> [String: ReportedStatus] {
    var given = try reader.object("statuses")
    var statuses: [String: ReportedStatus] = [:]
    for member in given.allMembers() {
      if member.value.object != nil {
        var entry = try ObjectReader(member.value, path: given.path(to: member.key), file: given.file)
        let status: Receipt.Status = try entry.word("status")
        let sentence = try entry.stringIfPresent("sentence", length: 1...300)
        try entry.finish()
        statuses[member.key] = ReportedStatus(status: status, sentence: sentence ?? status.sentence)
      } else if let status = member.value.string.flatMap({ Receipt.Status(rawValue: $0) }) {
        statuses[member.key] = ReportedStatus(status: status, sentence: status.sentence)
      } else {
        let words = Receipt.Status.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw given.error(member.key, .mustBe("one of \(words), or { status, sentence }"))
      }
    }
    return statuses
  }
}

extension RecordRule.FieldName {
  init(_ name: String) { self.init(name: name, path: JSONPath(name)) }
}

extension Receipt.Status {
  var sentence: String {
    switch self {
    case .delivered: "The message reached the phone."
    case .buffered: "The phone is off or out of reach; the carrier tries again."
    case .failed: "The message could not be delivered."
    case .expired: "The message could not be delivered within its time."
    case .rejected: "The network rejected the message."
    case .unknown: "The carrier does not know what became of the message."
    }
  }
}

extension InboundCoding {
  init(_ reader: inout ObjectReader, captured: Set<String>) throws(FieldError) {
    let what = "one of " + Form.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    guard let value = reader.valueIfPresent("coding"), !value.isNull else {
      self.init(forms: [:], otherwise: .utf8)
      return
    }
    if let text = value.string {
      guard let form = Form(rawValue: text) else { throw reader.error("coding", .mustBe(what)) }
      self.init(forms: [:], otherwise: form)
      return
    }
    guard captured.contains("coding") else {
      throw reader.problem("coding", "Nothing captures \"coding\", by which to choose.")
    }
    var forms: [String: Form] = [:]
    for (key, text) in try reader.stringMapIfPresent("coding") ?? [] {
      guard let form = Form(rawValue: text) else {
        throw reader.error("coding", .mustBe("an object whose values are \(what)"))
      }
      forms[key] = form
    }
    let otherwise = forms.removeValue(forKey: "otherwise")
    self.init(forms: forms, otherwise: otherwise)
  }
}
