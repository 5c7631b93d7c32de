import Formats

extension AnswerRule {
  /// - Parameter tables: the profile's `codes`, by name.
  init(_ reader: inout ObjectReader, tables: [String: [String: Verdict]]) throws(FieldError) {
    statuses = try Self.statuses(&reader)
    text = try reader.patternIfPresent("text").map { TextPattern($0) }
    var conditions: [(path: JSONPath, fits: ValuePattern)] = []
    for (name, fits) in try ValuePattern.list(&reader) {
      conditions.append((try Self.path(name, "where", reader), fits))
    }
    self.conditions = conditions
    var take: [(name: String, path: JSONPath)] = []
    for (name, from) in try reader.stringMapIfPresent("take") ?? [] {
      take.append((name, try Self.path(from, "take", reader)))
    }
    self.take = take

    let captured = Set((text?.names ?? []) + conditions.flatMap(\.fits.names) + take.map(\.name))
    if let stranger = captured.subtracting(Self.names).sorted().first {
      throw reader.problem(
        text == nil ? "take" : "text",
        "\(quoted(stranger)) means nothing here. What may be captured: \(Self.names.sorted().joined(separator: ", ")).")
    }
    if let lookup = try reader.stringIfPresent("lookup") {
      guard let table = tables[lookup] else { throw reader.problem("lookup", "There is no such table in \"codes\".") }
      guard captured.contains("code") else {
        throw reader.problem("lookup", "Nothing captures \"code\", by which to look.")
      }
      self.table = table
      verdict = reader.has("outcome") ? try Verdict(&reader, captured: captured) : nil
    } else {
      table = nil
      verdict = try Verdict(&reader, captured: captured)
    }
    if statuses.isEmpty, text == nil, conditions.isEmpty {
      throw reader.problem(
        "outcome", "A rule has a \"status\", a \"text\" or a \"where\", or it would take every answer.")
    }
  }

  private static func path(_ text: String, _ key: String, _ reader: ObjectReader) throws(FieldError) -> JSONPath {
    guard let path = JSONPath(text) else {
      throw reader.problem(key, "\(quoted(text)) is no path like messages[0].id or messages[*].id.")
    }
    return path
  }

  /// `200`, `"2xx"`, `"500-599"`, or an array of them.
  private static func statuses(_ reader: inout ObjectReader) throws(FieldError) -> [ClosedRange<Int>] {
    guard let value = reader.valueIfPresent("status"), !value.isNull else { return [] }
    var ranges: [ClosedRange<Int>] = []
    for element in value.array ?? [value] {
      let text = element.scalarText ?? ""
      let bounds = text.split(separator: "-").map { Int($0) ?? 0 }
      if text.utf8.count == 3, text.hasSuffix("xx"), let hundreds = Int(text.prefix(1)), (1...5).contains(hundreds) {
        ranges.append(hundreds * 100...hundreds * 100 + 99)
      } else if (1...2).contains(bounds.count), bounds.allSatisfy({ (100...599).contains($0) }),
        bounds[0] <= bounds[bounds.count - 1]
      {
        ranges.append(bounds[0]...bounds[bounds.count - 1])
      } else {
        throw reader.error("status", .mustBe("an HTTP status like 200, \"2xx\" or \"500-599\", or an array of them"))
      }
    }
    return ranges
  }
}

extension Verdict {
  /// - Parameter captured: what its sentence may repeat; nil for entries of a table, whose rules are not known yet.
  init(_ reader: inout ObjectReader, captured: Set<String>?) throws(FieldError) {
    kind = try reader.word("outcome")
    let scope: RefusalScope? = try reader.wordIfPresent("scope")
    guard scope == nil || kind == .refused else { throw reader.problem("scope", "Only a refusal has one.") }
    guard scope != .carrier else {
      throw reader.problem("scope", "Write outcome: \"misconfigured\" for the whole carrier.")
    }
    self.scope = scope ?? .route
    retryAfter = try reader.durationIfPresent("retryAfter", in: 1...86_400)
    guard retryAfter == nil || kind == .throttled else {
      throw reader.problem("retryAfter", "Only \"throttled\" has one.")
    }
    hasNoID = try reader.boolIfPresent("withoutID") ?? false
    if let text = try reader.stringIfPresent("sentence", length: 1...300) {
      do {
        sentence = try CaptureTemplate(text, known: captured ?? AnswerRule.names)
      } catch {
        throw reader.problem("sentence", error.sentence)
      }
    } else {
      guard kind == .accepted else {
        throw reader.problem("sentence", "It is missing: a person must be told what happened.")
      }
      sentence = nil
    }
    if kind == .accepted, let captured, !hasNoID, captured.isDisjoint(with: ["id", "ids"]) {
      throw reader.problem("outcome", "Nothing captures \"id\". Say withoutID: true if the carrier gives none.")
    }
  }
}

extension ValuePattern {
  /// The `where` of a rule.
  static func list(_ reader: inout ObjectReader) throws(FieldError) -> [(name: String, fits: ValuePattern)] {
    guard var conditions = try reader.objectIfPresent("where") else { return [] }
    var list: [(name: String, fits: ValuePattern)] = []
    for member in conditions.allMembers() {
      if let text = member.value.string {
        do {
          list.append((member.key, .pattern(TextPattern(try Pattern(text)))))
        } catch {
          throw conditions.problem(member.key, error.description)
        }
      } else if let text = member.value.scalarText {
        list.append((member.key, .equals(text)))
      } else {
        throw conditions.error(member.key, .mustBe("a pattern, a number, true or false"))
      }
    }
    return list
  }
}
