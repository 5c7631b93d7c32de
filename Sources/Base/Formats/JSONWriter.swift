/// Writes JSON as bytes, piece by piece, and puts the commas.
///
/// It does not check the order of the calls: whoever begins an object gives keys and ends it.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8]
  private var needsComma = false

  package init(reserving capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Forgets what was written and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A key that the source spells out: ASCII without quotes, backslashes and control characters.
  @inline(__always)
  package mutating func key(_ key: StaticString) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A key that is known only now.
  package mutating func key(dynamic key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ value: String) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func integer(_ value: some FixedWidthInteger) {
    comma()
    appendDecimal(value)
  }

  /// The shortest digits that read back as the same number; null where it is not finite, as JSON has no such number.
  package mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    comma()
    var text = value.description
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  package mutating func bool(_ value: Bool) {
    raw(value ? "true" : "false")
  }

  package mutating func null() {
    raw("null")
  }

  /// A piece that is JSON already.
  package mutating func raw(_ json: [UInt8]) {
    comma()
    bytes.append(contentsOf: json)
  }

  package mutating func raw(_ json: StaticString) {
    comma()
    json.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func value(_ value: JSONValue) {
    switch value.kind {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(dynamic: member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  // MARK: Pieces

  @inline(__always)
  private mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    comma()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// Escapes what RFC 8259 section 7 demands, DEL, and the two line ends that JavaScript once stumbled over.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var copied = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard Self.isSpecial(byte) else {
        index += 1
        continue
      }
      if byte == 0xE2 {
        guard index + 2 < text.count, text[index + 1] == 0x80, text[index + 2] & 0xFE == 0xA8 else {
          index += 1
          continue
        }
        bytes.append(contentsOf: text[copied..<index])
        appendUnicodeEscape(0x2000 | UInt16(text[index + 2] & 0x01) | 0x28)
        index += 3
      } else {
        bytes.append(contentsOf: text[copied..<index])
        appendEscape(byte)
        index += 1
      }
      copied = index
    }
    bytes.append(contentsOf: text[copied...])
  }

  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xE2
  }

  private mutating func appendEscape(_ byte: UInt8) {
    let short: UInt8
    switch byte {
    case 0x22, 0x5C: short = byte
    case 0x08: short = UInt8(ascii: "b")
    case 0x0C: short = UInt8(ascii: "f")
    case 0x0A: short = UInt8(ascii: "n")
    case 0x0D: short = UInt8(ascii: "r")
    case 0x09: short = UInt8(ascii: "t")
    default: return appendUnicodeEscape(UInt16(byte))
    }
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(short)
  }

  private mutating func appendUnicodeEscape(_ unit: UInt16) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(UInt8(ascii: "u"))
    for shift in [UInt16(12), 8, 4, 0] {
      let nibble = UInt8(truncatingIfNeeded: unit >> shift) & 0xF
      bytes.append(nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10)
    }
  }

  private mutating func appendDecimal(_ value: some FixedWidthInteger) {
    guard let value = Int64(exactly: value) else {
      bytes.append(contentsOf: String(value).utf8)
      return
    }
    var rest = value.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      repeat {
        start -= 1
        let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
        digits[start] = 0x30 + UInt8(truncatingIfNeeded: remainder)
        rest = quotient
      } while rest > 0
      if value < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: UnsafeMutableBufferPointer(rebasing: digits[start...]))
    }
  }
}
