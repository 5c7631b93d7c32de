/// The fields of a message in their order; names are looked up in any case (RFC 9110 section 5).
///
/// All names and values stand in one run of bytes, and become strings when they are asked for.
package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
  struct Field: Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  private(set) var bytes: [UInt8]
  private(set) var fields: [Field]

  package init() {
    bytes = []
    fields = []
  }

  init(bytes: [UInt8], fields: [Field]) {
    self.bytes = bytes
    self.fields = fields
  }

  package init(dictionaryLiteral pairs: (String, String)...) {
    self.init()
    for (name, value) in pairs { add(name, value) }
  }

  /// The first value of a field, or nil where there is none.
  package subscript(name: String) -> String? {
    guard let field = fields.first(where: { matches($0, name) }) else { return nil }
    return text(field.value)
  }

  /// Every value of a field, in order.
  package func all(_ name: String) -> [String] {
    fields.filter { matches($0, name) }.map { text($0.value) }
  }

  package func contains(_ name: String) -> Bool { fields.contains { matches($0, name) } }

  package mutating func add(_ name: String, _ value: String) {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    let middle = bytes.count
    bytes.append(contentsOf: value.utf8)
    fields.append(Field(name: start..<middle, value: middle..<bytes.count))
  }

  /// Replaces every field of this name by one.
  package mutating func set(_ name: String, _ value: String) {
    remove(name)
    add(name, value)
  }

  package mutating func remove(_ name: String) {
    guard contains(name) else { return }
    fields = fields.filter { !matches($0, name) }
  }

  package var count: Int { fields.count }
  package var isEmpty: Bool { fields.isEmpty }

  /// Whether one of the comma-separated members of a field is `token`, which is lower-case.
  package func hasToken(_ name: String, _ token: String) -> Bool {
    all(name).contains { value in
      value.utf8.split(separator: 0x2C).contains { member in
        member.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
          .map(HTTPSyntax.lowercased).elementsEqual(token.utf8)
      }
    }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func matches(_ field: Field, _ name: String) -> Bool {
    guard field.name.count == name.utf8.count else { return false }
    var index = field.name.lowerBound
    for byte in name.utf8 {
      if HTTPSyntax.lowercased(bytes[index]) != HTTPSyntax.lowercased(byte) { return false }
      index += 1
    }
    return true
  }
}

extension HTTPHeaders: Sequence {
  package func makeIterator() -> AnyIterator<(name: String, value: String)> {
    var rest = fields.makeIterator()
    return AnyIterator { rest.next().map { (text($0.name), text($0.value)) } }
  }
}

extension HTTPHeaders: Equatable {
  /// The same fields in the same order, names in any case.
  package static func == (left: Self, right: Self) -> Bool {
    left.fields.count == right.fields.count
      && zip(left, right).allSatisfy { $0.name.lowercased() == $1.name.lowercased() && $0.value == $1.value }
  }
}
