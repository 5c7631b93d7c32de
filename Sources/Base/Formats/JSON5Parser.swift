/// The grammar of JSON5, over Unicode scalars.
struct JSON5Parser {
  private static let depthLimit = 64

  var cursor: JSON5Cursor
  private let file: String
  private var depth = 0

  init(_ scalars: [Unicode.Scalar], file: String) {
    cursor = JSON5Cursor(scalars)
    self.file = file
  }

  mutating func document() throws(JSON5Error) -> JSONValue {
    try skipSpace()
    let value = try self.value()
    try skipSpace()
    if cursor.current != nil { throw error("There is more text after the value.") }
    return value
  }

  func error(_ reason: String, at position: SourcePosition? = nil) -> JSON5Error {
    JSON5Error(file: file, position: position ?? cursor.position, reason: reason)
  }

  private func expected(_ what: String) -> JSON5Error {
    guard let current = cursor.current else { return error("The file ends here, and \(what) should stand here.") }
    return error("\(what.prefix(1).uppercased())\(what.dropFirst()) should stand here, not \(quoted(String(current))).")
  }

  private mutating func skipSpace() throws(JSON5Error) {
    while let scalar = cursor.current {
      if scalar == "/" {
        try comment()
      } else if JSON5Cursor.isSpace(scalar) {
        cursor.advance()
      } else {
        return
      }
    }
  }

  private mutating func comment() throws(JSON5Error) {
    let start = cursor.position
    switch cursor.next {
    case "/": while let scalar = cursor.current, !JSON5Cursor.isLineEnd(scalar) { cursor.advance() }
    case "*":
      cursor.advance()
      cursor.advance()
      while !(cursor.current == "*" && cursor.next == "/") {
        guard cursor.current != nil else { throw error("This comment has no end.", at: start) }
        cursor.advance()
      }
      cursor.advance()
      cursor.advance()
    default: throw error("A comment begins with // or /*.")
    }
  }

  private mutating func value() throws(JSON5Error) -> JSONValue {
    let start = cursor.position
    switch cursor.current {
    case "{": return JSONValue(.object(try object()), at: start)
    case "[": return JSONValue(.array(try array()), at: start)
    case "\"", "'": return JSONValue(.string(try string()), at: start)
    case "+", "-", ".": return JSONValue(try number(), at: start)
    case let scalar? where ("0"..."9").contains(scalar): return JSONValue(try number(), at: start)
    case let scalar? where Self.beginsName(scalar):
      switch try name() {
      case "null": return JSONValue(.null, at: start)
      case "true": return JSONValue(.bool(true), at: start)
      case "false": return JSONValue(.bool(false), at: start)
      case "Infinity": return JSONValue(.number(.infinity), at: start)
      case "NaN": return JSONValue(.number(.nan), at: start)
      case let word: throw error("\(quoted(word)) is no value; a text stands in quotes.", at: start)
      }
    default: throw expected("a value")
    }
  }

  private mutating func enter() throws(JSON5Error) {
    depth += 1
    guard depth <= Self.depthLimit else { throw error("Arrays and objects stand more than \(Self.depthLimit) deep.") }
    cursor.advance()
    try skipSpace()
  }

  private mutating func array() throws(JSON5Error) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    while !cursor.take("]") {
      elements.append(try value())
      try skipSpace()
      if cursor.take(",") {
        try skipSpace()
      } else if cursor.current != "]" {
        throw expected("a comma or ]")
      }
    }
    return elements
  }

  private mutating func object() throws(JSON5Error) -> [JSONValue.Member] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONValue.Member] = []
    var keys = KeySet()
    while !cursor.take("}") {
      let start = cursor.position
      let key = try self.key()
      guard keys.insert(key, into: members) else {
        let first = members.first { $0.key == key }?.position ?? .none
        throw error("The key \(quoted(key)) stands in line \(first.line) and again here.", at: start)
      }
      try skipSpace()
      guard cursor.take(":") else { throw expected("a colon") }
      try skipSpace()
      members.append(JSONValue.Member(key, try value(), at: start))
      try skipSpace()
      if cursor.take(",") {
        try skipSpace()
      } else if cursor.current != "}" {
        throw expected("a comma or }")
      }
    }
    return members
  }

  private mutating func key() throws(JSON5Error) -> String {
    switch cursor.current {
    case "\"", "'": return try string()
    case let scalar? where Self.beginsName(scalar): return try name()
    default: throw expected("a key or }")
    }
  }

  // MARK: Names (ECMA-262 5.1 section 7.6)

  private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\\" || isNameStart(scalar)
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
    default: scalar == "$" || scalar == "_"
    }
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
    default: isNameStart(scalar) || scalar == "\u{200C}" || scalar == "\u{200D}"
    }
  }

  private mutating func name() throws(JSON5Error) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = cursor.current {
      let start = cursor.position
      var part = scalar
      if scalar == "\\" {
        cursor.advance()
        guard cursor.take("u") else { throw error("A name knows only \\u escapes.", at: start) }
        part = try unicodeEscape(from: start)
        guard name.isEmpty ? Self.isNameStart(part) : Self.isNamePart(part) else {
          throw error("This escape stands for a character that a name can not have.", at: start)
        }
      } else {
        guard name.isEmpty ? Self.isNameStart(part) : Self.isNamePart(part) else { break }
        cursor.advance()
      }
      name.append(part)
    }
    return String(name)
  }
}
