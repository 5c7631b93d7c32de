import Formats

extension RequestTemplate {
  /// - Parameter scope: which slots may be named.
  init(_ reader: inout ObjectReader, _ scope: TemplateScope) throws(FieldError) {
    method =
      try reader.parsedIfPresent("method", "\"GET\" or \"POST\"") { $0 == "GET" || $0 == "POST" ? $0 : nil } ?? "POST"
    url = try scope.template(try reader.string("url", length: 1...2000), "url", reader, allowsOctets: false)
    try Self.check(url, scope, reader)
    query = try FieldTemplate.list(&reader, "query", scope, allowsOctets: true)
    headers = try FieldTemplate.list(&reader, "headers", scope, allowsOctets: false)
    for header in headers {
      guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isHeaderName),
        !["content-type", "content-length", "authorization", "host", "connection", "transfer-encoding"]
          .contains(header.name.lowercased())
      else { throw reader.problem("headers", "\(quoted(header.name)) is no header that a profile may set.") }
    }
    authorization = try Self.authorization(&reader, scope)
    body = try Self.body(&reader, scope)
    if method == "GET", case .none = body {
    } else if method == "GET" {
      throw reader.problem("method", "A GET has no body. Use \"query\".")
    }
  }

  /// RFC 9110 section 5.6.2.
  private static func isHeaderName(_ octet: UInt8) -> Bool {
    octet.isDigit || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
      || "!#$%&'*+-.^_`|~".utf8.contains(octet)
  }

  /// The address begins with its scheme or with a setting that is checked to have one, and has no query of its own.
  private static func check(_ url: Template, _ scope: TemplateScope, _ reader: ObjectReader) throws(FieldError) {
    for segment in url.segments {
      guard case .literal(let octets) = segment else { continue }
      guard octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#\"<>\\^`{|}".utf8.contains($0) }) else {
        throw reader.problem("url", "It has a character that an address's path can not have. Use \"query\" for fields.")
      }
    }
    switch url.segments.first {
    case .literal(let octets):
      let text = String(decoding: octets, as: UTF8.self)
      guard text.hasPrefix("https://") || text.hasPrefix("http://") else { break }
      let rest = text.drop { $0 != "/" }.dropFirst(2)
      // The host is the profile's own, or a setting that is checked to be one.
      if rest.isEmpty {
        guard url.segments.count > 1, case .slot(.setting(let name)) = url.segments[1],
          scope.kinds[name] == .host
        else { break }
        if url.segments.count > 2 {
          guard case .literal(let octets) = url.segments[2], octets.first == UInt8(ascii: "/") else { break }
        }
      } else if !rest.contains("/"), url.segments.count > 1 {
        break
      }
      return
    case .slot(.setting(let name)):
      guard scope.kinds[name] == .url else { break }
      if url.segments.count > 1 {
        guard case .literal(let octets) = url.segments[1], octets.first == UInt8(ascii: "/") else { break }
      }
      return
    case .slot, nil: break
    }
    throw reader.problem(
      "url",
      "It must begin with https:// and a host, with https:// and a setting of kind \"host\", or with a setting of kind"
        + " \"url\", and then go on with a slash.")
  }

  private static func authorization(
    _ reader: inout ObjectReader, _ scope: TemplateScope
  ) throws(FieldError) -> Authorization {
    guard var auth = try reader.objectIfPresent("auth") else { return .none }
    let bearer = try auth.stringIfPresent("bearer")
    let basic = try auth.stringsIfPresent("basic", count: 2...2)
    try auth.finish()
    switch (bearer, basic) {
    case (let token?, nil): return .bearer(try scope.template(token, "bearer", auth, allowsOctets: false))
    case (nil, let pair?):
      return .basic(
        user: try scope.template(pair[0], "basic", auth, allowsOctets: false),
        password: try scope.template(pair[1], "basic", auth, allowsOctets: false))
    default: throw reader.problem("auth", "It has either \"bearer\" or \"basic\".")
    }
  }

  private static func body(_ reader: inout ObjectReader, _ scope: TemplateScope) throws(FieldError) -> Body {
    let kinds = ["form", "json", "xml"].filter { reader.has($0) }
    guard kinds.count <= 1 else { throw reader.problem(kinds[1], "A request has one body.") }
    switch kinds.first {
    case "form": return .form(try FieldTemplate.list(&reader, "form", scope, allowsOctets: true))
    case "json": return .json(try JSONTemplate(try reader.value("json"), "json", reader, scope))
    case "xml": return .xml(try scope.template(try reader.string("xml"), "xml", reader, allowsOctets: false))
    default: return .none
    }
  }
}

/// Which slots the templates of a request may name.
struct TemplateScope {
  let kinds: [String: SettingField.Kind]
  /// False for a poll, which is about no message.
  let hasSubmission: Bool

  func template(
    _ text: String, _ key: String, _ reader: ObjectReader, allowsOctets: Bool
  ) throws(FieldError) -> Template {
    let template: Template
    do {
      template = try Template(text)
    } catch {
      throw reader.problem(key, error.sentence)
    }
    for slot in template.slots {
      if case .setting(let name) = slot {
        guard kinds[name] != nil else { throw reader.problem(key, "There is no setting \(quoted(name)).") }
      } else if !hasSubmission {
        throw reader.problem(key, "A poll is about no message: only settings can be named.")
      } else if slot.isOctets, !allowsOctets {
        throw reader.problem(key, "{text.latin1} and {text.gsm} are octets and go in \"query\" and \"form\" only.")
      }
    }
    return template
  }

  func conditionIfPresent(_ reader: inout ObjectReader) throws(FieldError) -> Condition? {
    guard let text = try reader.stringIfPresent("when") else { return nil }
    let condition: Condition
    do {
      condition = try Condition(text)
    } catch {
      throw reader.problem("when", error.sentence)
    }
    for (term, _) in condition.terms {
      if case .setting(let name) = term {
        guard kinds[name] != nil else { throw reader.problem("when", "There is no setting \(quoted(name)).") }
      } else if !hasSubmission {
        throw reader.problem("when", "A poll is about no message: only settings can be asked for.")
      }
    }
    return condition
  }
}

extension FieldTemplate {
  static func list(
    _ reader: inout ObjectReader, _ key: String, _ scope: TemplateScope, allowsOctets: Bool
  ) throws(FieldError) -> [FieldTemplate] {
    guard var fields = try reader.objectIfPresent(key) else { return [] }
    var list: [FieldTemplate] = []
    for member in fields.allMembers() {
      list.append(
        FieldTemplate(
          name: member.key, choices: try choices(member.key, member.value, fields, scope, allowsOctets)))
    }
    return list
  }

  private static func choices(
    _ key: String, _ value: JSONValue, _ reader: ObjectReader, _ scope: TemplateScope, _ allowsOctets: Bool
  ) throws(FieldError) -> [Choice] {
    if value.object == nil, let text = value.scalarText {
      return [Choice(condition: nil, value: try scope.template(text, key, reader, allowsOctets: allowsOctets))]
    }
    guard let elements = value.array ?? (value.object == nil ? nil : [value]), !elements.isEmpty else {
      throw reader.error(key, .mustBe("a text, a choice { when, value }, or an array of them"))
    }
    var choices: [Choice] = []
    for (index, element) in elements.enumerated() {
      if let text = element.scalarText {
        choices.append(
          Choice(condition: nil, value: try scope.template(text, key, reader, allowsOctets: allowsOctets)))
        continue
      }
      let path = value.array == nil ? reader.path(to: key) : "\(reader.path(to: key))[\(index)]"
      var choice = try ObjectReader(element, path: path, file: reader.file)
      let condition = try scope.conditionIfPresent(&choice)
      guard let text = try choice.value("value").scalarText else { throw choice.error("value", .mustBe("a text")) }
      choices.append(
        Choice(
          condition: condition, value: try scope.template(text, "value", choice, allowsOctets: allowsOctets)))
      try choice.finish()
    }
    return choices
  }
}

extension JSONTemplate {
  init(_ value: JSONValue, _ key: String, _ reader: ObjectReader, _ scope: TemplateScope) throws(FieldError) {
    switch value.kind {
    case .null: self = .literal(Array("null".utf8))
    case .bool(let bool): self = .literal(Array((bool ? "true" : "false").utf8))
    case .integer, .number:
      var writer = JSONWriter()
      writer.value(value)
      self = .literal(writer.bytes)
    case .string(let text): self = .string(try scope.template(text, key, reader, allowsOctets: false))
    case .array(let elements):
      var templates: [JSONTemplate] = []
      for element in elements { templates.append(try JSONTemplate(element, key, reader, scope)) }
      self = .array(templates)
    case .object(let members):
      var inner = try ObjectReader(value, path: reader.path(to: key), file: reader.file)
      if inner.has("$number") {
        let text = try inner.string("$number")
        self = .number(try scope.template(text, "$number", inner, allowsOctets: false))
        try inner.finish()
      } else if inner.has("$choose") {
        var choices: [(Condition?, JSONTemplate)] = []
        choices = try inner.objects("$choose", count: 1...20) { choice throws(FieldError) in
          let condition = try scope.conditionIfPresent(&choice)
          return (condition, try JSONTemplate(try choice.value("value"), "value", choice, scope))
        }
        self = .choose(choices.map { (condition: $0.0, value: $0.1) })
        try inner.finish()
      } else {
        var templates: [(name: String, value: JSONTemplate)] = []
        for member in members {
          guard !member.key.hasPrefix("$") else {
            throw inner.problem(member.key, "There are $number and $choose, and nothing else with a $.")
          }
          templates.append((member.key, try JSONTemplate(member.value, member.key, inner, scope)))
        }
        self = .object(templates)
      }
    }
  }
}
