/// Strings (section 5 of the specification) and numbers (section 6).
extension JSON5Parser {
  mutating func string() throws(JSON5Error) -> String {
    let start = cursor.position
    guard let quote = cursor.current else { throw error("The file ends here.") }
    cursor.advance()
    var text = String.UnicodeScalarView()
    while let scalar = cursor.current {
      switch scalar {
      case quote:
        cursor.advance()
        return String(text)
      case "\\":
        if let escaped = try escape() { text.append(escaped) }
      case "\n", "\r": throw error("A line ends inside this text; write \\n, or \\ at the end of the line.", at: start)
      default:
        text.append(scalar)
        cursor.advance()
      }
    }
    throw error("This text has no closing quote.", at: start)
  }

  /// - Returns: nil for an escaped line end, which stands for nothing.
  private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
    let start = cursor.position
    cursor.advance()
    guard let scalar = cursor.current else { throw error("The file ends inside an escape.") }
    cursor.advance()
    switch scalar {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "0":
      if let digit = cursor.current, ("0"..."9").contains(digit) {
        throw error("\\0 can not be followed by a digit.", at: start)
      }
      return "\0"
    case "1"..."9": throw error("\\\(scalar) is not an escape that JSON5 knows.", at: start)
    case "x": return Unicode.Scalar(UInt8(truncatingIfNeeded: try hexDigits(2, from: start)))
    case "u": return try unicodeEscape(from: start)
    case "\r":
      _ = cursor.take("\n")
      return nil
    case "\n", "\u{2028}", "\u{2029}": return nil
    default: return scalar
    }
  }

  /// Reads on from behind `\u`: four digits, and a second escape where they are the high half of a pair.
  mutating func unicodeEscape(from start: SourcePosition) throws(JSON5Error) -> Unicode.Scalar {
    let first = try hexDigits(4, from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00, cursor.take("\\"), cursor.take("u") {
      let second = try hexDigits(4, from: start)
      if (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw error("This escape is half of a surrogate pair.", at: start)
  }

  private mutating func hexDigits(_ count: Int, from start: SourcePosition) throws(JSON5Error) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = currentHexDigit else {
        throw error("This escape needs \(count) hexadecimal digits.", at: start)
      }
      value = value << 4 | UInt32(digit)
      cursor.advance()
    }
    return value
  }

  private var currentHexDigit: UInt8? {
    guard let scalar = cursor.current, scalar.isASCII else { return nil }
    return hexDigit(UInt8(truncatingIfNeeded: scalar.value))
  }

  // MARK: Numbers

  mutating func number() throws(JSON5Error) -> JSONValue.Kind {
    let start = cursor.position
    let isNegative = cursor.current == "-"
    if isNegative || cursor.current == "+" { cursor.advance() }
    let value: JSONValue.Kind
    if cursor.current == "0", cursor.next == "x" || cursor.next == "X" {
      value = try hexadecimal(isNegative: isNegative, from: start)
    } else if let word = signedWord() {
      value = .number(isNegative ? -word : word)
    } else {
      value = try decimal(isNegative: isNegative, from: start)
    }
    // What follows a number at once, as in 1a or 0x1g, would make it another word (ECMA-262 5.1 section 7.8.3).
    if let scalar = cursor.current,
      scalar == "." || scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic
        || scalar.properties.numericType != nil
    {
      throw badNumber(start)
    }
    return value
  }

  private func badNumber(_ start: SourcePosition) -> JSON5Error {
    error("This is not a number as JSON5 writes it.", at: start)
  }

  private mutating func signedWord() -> Double? {
    for (word, value) in [("Infinity", Double.infinity), ("NaN", Double.nan)] {
      var ahead = cursor
      if word.unicodeScalars.allSatisfy({ ahead.take($0) }) {
        cursor = ahead
        return value
      }
    }
    return nil
  }

  private mutating func hexadecimal(isNegative: Bool, from start: SourcePosition) throws(JSON5Error) -> JSONValue.Kind {
    cursor.advance()
    cursor.advance()
    var whole: Int64? = 0
    var rough = 0.0
    var count = 0
    while let digit = currentHexDigit {
      count += 1
      guard count <= 250 else { throw error("This number is too large.", at: start) }
      rough = rough * 16 + Double(digit)
      whole = whole.flatMap { value in
        let (product, overflow) = value.multipliedReportingOverflow(by: 16)
        return overflow ? nil : product + Int64(digit)
      }
      cursor.advance()
    }
    guard count > 0 else { throw badNumber(start) }
    if let whole { return .integer(isNegative ? -whole : whole) }
    return .number(isNegative ? -rough : rough)
  }

  private mutating func decimal(isNegative: Bool, from start: SourcePosition) throws(JSON5Error) -> JSONValue.Kind {
    var text = isNegative ? "-" : ""
    var isWhole = true
    let before = digits(into: &text)
    if before > 1, text.drop(while: { $0 == "-" }).hasPrefix("0") { throw badNumber(start) }
    var after = 0
    if cursor.take(".") {
      isWhole = false
      if before == 0 { text += "0" }
      text += "."
      after = digits(into: &text)
      if after == 0 { text += "0" }
    }
    guard before + after > 0 else { throw badNumber(start) }
    if cursor.current == "e" || cursor.current == "E" {
      isWhole = false
      cursor.advance()
      text += "e"
      if cursor.take("-") { text += "-" } else { _ = cursor.take("+") }
      guard digits(into: &text) > 0 else { throw badNumber(start) }
    }
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard text.utf8.count <= 400, let value = Double(text), value.isFinite else {
      throw error("This number is too large.", at: start)
    }
    return .number(value)
  }

  private mutating func digits(into text: inout String) -> Int {
    var count = 0
    while let scalar = cursor.current, ("0"..."9").contains(scalar) {
      text.unicodeScalars.append(scalar)
      cursor.advance()
      count += 1
    }
    return count
  }
}
