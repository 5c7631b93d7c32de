/// One value of a JSON or JSON5 text.
///
/// Two values are equal when their content is; where they stood in a text does not count.
package struct JSONValue: Sendable {
  package enum Kind: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Every other number; finite where it came from JSON.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the text; no key stands twice where it came from a text.
    case object([Member])
  }

  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONValue
    /// Where the key begins.
    package var position: SourcePosition

    package init(_ key: String, _ value: JSONValue, at position: SourcePosition = .none) {
      self.key = key
      self.value = value
      self.position = position
    }

    package static func == (left: Member, right: Member) -> Bool { left.key == right.key && left.value == right.value }
  }

  package var kind: Kind
  /// Where the value begins; `.none` unless it came from JSON5.
  package var position: SourcePosition

  package init(_ kind: Kind, at position: SourcePosition = .none) {
    self.kind = kind
    self.position = position
  }
}

/// A place in a text, both counted from one; the column counts characters (Unicode scalars).
package struct SourcePosition: Sendable, Hashable {
  package var line: Int32
  package var column: Int32

  package init(line: Int, column: Int) {
    self.line = Int32(clamping: line)
    self.column = Int32(clamping: column)
  }

  /// Nowhere: the value was not read from a text with lines.
  package static let none = SourcePosition(line: 0, column: 0)
}

extension JSONValue: Equatable {
  package static func == (left: JSONValue, right: JSONValue) -> Bool { left.kind == right.kind }
}

// MARK: - Looking in

extension JSONValue {
  package var isNull: Bool { kind == .null }

  package var bool: Bool? { if case .bool(let value) = kind { value } else { nil } }

  package var integer: Int64? { if case .integer(let value) = kind { value } else { nil } }

  /// The number, also where it was written as a whole one.
  package var number: Double? {
    switch kind {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  package var string: String? { if case .string(let value) = kind { value } else { nil } }

  package var array: [JSONValue]? { if case .array(let value) = kind { value } else { nil } }

  package var object: [Member]? { if case .object(let value) = kind { value } else { nil } }

  /// The member of that name; nil where there is none or where this is no object.
  package subscript(key: String) -> JSONValue? { object?.first { $0.key == key }?.value }

  /// The element at that place; nil where there is none or where this is no array.
  package subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

// MARK: - Making one

extension JSONValue {
  package static let null = JSONValue(.null)
  package static func bool(_ value: Bool) -> JSONValue { JSONValue(.bool(value)) }
  package static func integer(_ value: Int64) -> JSONValue { JSONValue(.integer(value)) }
  package static func integer(_ value: Int) -> JSONValue { JSONValue(.integer(Int64(value))) }
  package static func number(_ value: Double) -> JSONValue { JSONValue(.number(value)) }
  package static func string(_ value: String) -> JSONValue { JSONValue(.string(value)) }
  package static func array(_ value: [JSONValue]) -> JSONValue { JSONValue(.array(value)) }
  package static func object(_ value: [Member]) -> JSONValue { JSONValue(.object(value)) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self.init(.null) }
  package init(booleanLiteral value: Bool) { self.init(.bool(value)) }
  package init(integerLiteral value: Int64) { self.init(.integer(value)) }
  package init(floatLiteral value: Double) { self.init(.number(value)) }
  package init(stringLiteral value: String) { self.init(.string(value)) }
  package init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(.object(elements.map { Member($0.0, $0.1) }))
  }
}
