/// JSON as RFC 8259 has it, and nothing beside it.
package enum JSON {
  package struct Limits: Sendable {
    /// The longest text, in bytes.
    package var bytes: Int
    /// How many arrays and objects may stand inside one another.
    package var depth: Int

    package init(bytes: Int = 1 << 20, depth: Int = 64) {
      self.bytes = bytes
      self.depth = depth
    }
  }

  /// Reads one JSON text.
  ///
  /// Refused beside what the grammar refuses: bytes that are not UTF-8, a key that stands twice in one object (two keys
  /// are the same when Swift holds the strings equal), half of a surrogate pair, a byte order mark, a number beyond a
  /// `Double`, and whatever goes past `limits`. A whole number beyond 64 bits becomes a `Double`.
  package static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.bytes else {
      throw JSONError(.tooLong(limit: limits.bytes), offset: max(0, limits.bytes), in: bytes)
    }
    do {
      return try bytes.withUnsafeBufferPointer { (buffer) throws(JSONParser.Fault) -> JSONValue in
        var parser = JSONParser(buffer, depth: limits.depth)
        return try parser.document()
      }
    } catch {
      throw JSONError(error.reason, offset: error.offset, in: bytes)
    }
  }
}

/// Why a text is not JSON, and where.
///
/// `description` names the place and, for a doubled key, the key; never a value.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    case unexpectedEnd
    case expectedValue
    case expectedKey
    case expectedColon
    case expectedCommaOrEnd
    case textAfterValue
    case badNumber
    case numberTooLarge
    case badEscape
    case loneSurrogate
    case controlCharacter
    case notUTF8
    case doubledKey(String)
  }

  package let reason: Reason
  /// Bytes before the place.
  package let offset: Int
  /// Counted from one.
  package let line: Int
  /// Characters of the line up to the place, counted from one.
  package let column: Int

  init(_ reason: Reason, offset: Int, in bytes: [UInt8]) {
    self.reason = reason
    self.offset = offset
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }

  package var description: String { "At line \(line), column \(column): \(reason)" }
}

extension JSONError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong(let limit): "the text is longer than \(limit) bytes."
    case .tooDeep(let limit): "arrays and objects stand more than \(limit) deep."
    case .unexpectedEnd: "the text ends too early."
    case .expectedValue: "a value should stand here."
    case .expectedKey: "a key in double quotes should stand here."
    case .expectedColon: "a colon should stand here."
    case .expectedCommaOrEnd: "a comma or the closing bracket should stand here."
    case .textAfterValue: "there is more text after the value."
    case .badNumber: "this is not a number as JSON writes it."
    case .numberTooLarge: "this number is too large."
    case .badEscape: "this escape is not one that JSON knows."
    case .loneSurrogate: "this escape is half of a surrogate pair."
    case .controlCharacter: "a control character must be escaped."
    case .notUTF8: "the string that begins here is not valid UTF-8."
    case .doubledKey(let key): "the key \(quoted(key)) stands twice in one object."
    }
  }
}

/// A key as a sentence may show it: short, in quotes, without control characters.
package func quoted(_ text: String, limit: Int = 60) -> String { "\"\(shown(text, limit: limit))\"" }

/// Words from outside as a sentence may show them: at most `limit` characters, without control characters.
func shown(_ text: String, limit: Int) -> String {
  var shown = ""
  var count = 0
  for scalar in text.unicodeScalars {
    guard count < limit else {
      shown += "…"
      break
    }
    count += 1
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: shown += "·"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}
