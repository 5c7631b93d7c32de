package import Contract

/// Each type twice: required, and `…IfPresent` where absence and null are nil.
extension ObjectReader {
  // MARK: Text

  /// - Parameter length: in Unicode scalars.
  package mutating func stringIfPresent(_ key: String, length: ClosedRange<Int>? = nil) throws(FieldError) -> String? {
    guard let value = present(key) else { return nil }
    guard let text = value.string else { throw error(key, .mustBe("a text")) }
    if let length, !length.contains(text.unicodeScalars.count) {
      throw error(key, .mustBe(Self.sentence("a text", length, "characters")))
    }
    return text
  }

  package mutating func string(_ key: String, length: ClosedRange<Int>? = nil) throws(FieldError) -> String {
    try require(key, try stringIfPresent(key, length: length))
  }

  /// A text that `parse` turns into something else.
  /// - Parameter what: what is accepted, as the end of the sentence `… must be`.
  package mutating func parsedIfPresent<Value>(
    _ key: String, _ what: String, _ parse: (String) -> Value?
  ) throws(FieldError) -> Value? {
    guard let value = present(key) else { return nil }
    guard let text = value.string, let parsed = parse(text) else { throw error(key, .mustBe(what)) }
    return parsed
  }

  package mutating func parsed<Value>(
    _ key: String, _ what: String, _ parse: (String) -> Value?
  ) throws(FieldError) -> Value {
    try require(key, try parsedIfPresent(key, what, parse))
  }

  /// One of the words that `Word` lists.
  package mutating func wordIfPresent<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, as _: Word.Type = Word.self
  ) throws(FieldError) -> Word? {
    let words = Word.allCases.map { "\"\($0.rawValue)\"" }
    let what = words.count > 1 ? "one of \(words.joined(separator: ", "))" : words.joined()
    return try parsedIfPresent(key, what) { Word(rawValue: $0) }
  }

  package mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, as _: Word.Type = Word.self
  ) throws(FieldError) -> Word {
    try require(key, try wordIfPresent(key, as: Word.self))
  }

  /// RFC 3339.
  package mutating func instantIfPresent(_ key: String) throws(FieldError) -> Instant? {
    try parsedIfPresent(key, "a time like \"2026-11-30T04:06:03Z\"") { Instant($0) }
  }

  package mutating func instant(_ key: String) throws(FieldError) -> Instant {
    try require(key, try instantIfPresent(key))
  }

  package mutating func idIfPresent<Kind>(
    _ key: String, as _: Identifier<Kind>.Type = Identifier<Kind>.self
  ) throws(FieldError) -> Identifier<Kind>? {
    try parsedIfPresent(key, "an id that begins with \(Kind.prefix)_") { Identifier<Kind>($0) }
  }

  package mutating func id<Kind>(
    _ key: String, as _: Identifier<Kind>.Type = Identifier<Kind>.self
  ) throws(FieldError) -> Identifier<Kind> {
    try require(key, try idIfPresent(key))
  }

  /// A regular expression.
  package mutating func patternIfPresent(_ key: String, ignoresCase: Bool = false) throws(FieldError) -> Pattern? {
    guard let text = try stringIfPresent(key) else { return nil }
    do { return try Pattern(text, ignoresCase: ignoresCase) } catch {
      throw self.error(key, .mustBe("a regular expression as RE2 reads it (\(error.reason))"))
    }
  }

  package mutating func pattern(_ key: String, ignoresCase: Bool = false) throws(FieldError) -> Pattern {
    try require(key, try patternIfPresent(key, ignoresCase: ignoresCase))
  }

  // MARK: Numbers and truth

  package mutating func integerIfPresent(_ key: String, in range: ClosedRange<Int>? = nil) throws(FieldError) -> Int? {
    guard let value = present(key) else { return nil }
    guard let number = value.integer.flatMap({ Int(exactly: $0) }), range?.contains(number) ?? true else {
      throw error(key, .mustBe(range.map { Self.sentence("a whole number", $0) } ?? "a whole number"))
    }
    return number
  }

  package mutating func integer(_ key: String, in range: ClosedRange<Int>? = nil) throws(FieldError) -> Int {
    try require(key, try integerIfPresent(key, in: range))
  }

  /// A finite number, whole ones included.
  package mutating func numberIfPresent(
    _ key: String, in range: ClosedRange<Double>? = nil
  ) throws(FieldError) -> Double? {
    guard let value = present(key) else { return nil }
    guard let number = value.number, number.isFinite, range?.contains(number) ?? true else {
      let what = range.map { "a number from \(Self.plain($0.lowerBound)) to \(Self.plain($0.upperBound))" }
      throw error(key, .mustBe(what ?? "a number"))
    }
    return number
  }

  package mutating func number(_ key: String, in range: ClosedRange<Double>? = nil) throws(FieldError) -> Double {
    try require(key, try numberIfPresent(key, in: range))
  }

  package mutating func boolIfPresent(_ key: String) throws(FieldError) -> Bool? {
    guard let value = present(key) else { return nil }
    guard let bool = value.bool else { throw error(key, .mustBe("true or false")) }
    return bool
  }

  package mutating func bool(_ key: String) throws(FieldError) -> Bool { try require(key, try boolIfPresent(key)) }

  // MARK: Sentences

  /// `a whole number from 1 to 9`, `a text of at most 160 characters`.
  static func sentence(_ what: String, _ range: ClosedRange<Int>, _ unit: String? = nil) -> String {
    let bounds =
      if range.lowerBound == range.upperBound {
        "\(range.lowerBound)"
      } else if range.upperBound == .max {
        "at least \(range.lowerBound)"
      } else if range.lowerBound == .min || range.lowerBound == 0 && unit != nil {
        "at most \(range.upperBound)"
      } else {
        "\(unit == nil ? "from " : "")\(range.lowerBound) to \(range.upperBound)"
      }
    guard let unit else { return "\(what) \(bounds)" }
    return "\(what) of \(bounds) \(unit)"
  }

  private static func plain(_ number: Double) -> String { Int64(exactly: number)?.description ?? number.description }
}
