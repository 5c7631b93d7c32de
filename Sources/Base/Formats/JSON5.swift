/// JSON5 as https://spec.json5.org has it: the language of profiles and of the configuration.
package enum JSON5 {
  /// Reads one JSON5 text; every value and every key knows its line and column.
  ///
  /// Refused beside what the grammar refuses: bytes that are not UTF-8, a key that stands twice in one object, half of
  /// a surrogate pair, more than 64 arrays and objects inside one another, and a text longer than `limit` bytes.
  /// - Parameters:
  ///   - file: the name that errors begin with.
  ///   - limit: bytes; a megabyte unless said.
  package static func parse(_ bytes: [UInt8], file: String, limit: Int = 1 << 20) throws(JSON5Error) -> JSONValue {
    let start = SourcePosition(line: 1, column: 1)
    guard bytes.count <= limit else {
      throw JSON5Error(file: file, position: start, reason: "The file is longer than \(limit) bytes.")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      // Everything before the first stranger is good, so its line can be told.
      let good = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
      var cursor = JSON5Cursor(Array(good))
      while cursor.current != nil { cursor.advance() }
      throw JSON5Error(file: file, position: cursor.position, reason: "The file is not valid UTF-8 from here on.")
    }
    var parser = JSON5Parser(Array(text.unicodeScalars), file: file)
    return try parser.document()
  }
}

/// Why a text is not JSON5, and where. `description` is `file:line:column: sentence`.
package struct JSON5Error: Error, Equatable, CustomStringConvertible {
  package let file: String
  package let position: SourcePosition
  package let reason: String

  package var description: String { "\(file):\(position.line):\(position.column): \(reason)" }
}

/// A place in a text that knows its line and column.
///
/// Lines end as section 7.3 of ECMA-262 5.1 says: LF, CR, CR LF, U+2028, U+2029.
struct JSON5Cursor {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var position: SourcePosition { SourcePosition(line: line, column: column) }
  var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  var next: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

  mutating func advance() {
    guard let passed = current else { return }
    index += 1
    if Self.isLineEnd(passed), !(passed == "\r" && current == "\n") {
      line += 1
      column = 1
    } else {
      column += 1
    }
  }

  /// Passes the scalar if it stands here.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    advance()
    return true
  }

  static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}": true
    default: isLineEnd(scalar) || scalar.properties.generalCategory == .spaceSeparator
    }
  }
}
