/// Lower-case hexadecimal digits; reads both cases and nothing else (RFC 4648 section 8).
package enum Hex {
  package static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[index * 2] = digit(byte >> 4)
        buffer[index * 2 + 1] = digit(byte & 0xF)
      }
      return bytes.count * 2
    }
  }

  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      let nibble: UInt8
      switch character {
      case 0x30...0x39: nibble = character - 0x30
      case 0x61...0x66: nibble = character - 0x61 + 10
      case 0x41...0x46: nibble = character - 0x41 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    return high == nil ? bytes : nil
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10 }
}

/// RFC 4648 section 4, with padding. Reads only what `encode` writes.
package enum Base64 {
  static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values = SixBits.values(of: alphabet)

  package static func encode(_ bytes: [UInt8]) -> String { SixBits.encode(bytes, alphabet, isPadded: true) }

  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
    // A padding longer than needed leaves a rest that can not be right.
    return SixBits.decode(characters, values)
  }
}

/// RFC 4648 section 5, without padding. Reads only what `encode` writes.
package enum Base64URL {
  private static let alphabet = Base64.alphabet.dropLast(2) + Array("-_".utf8)
  private static let values = SixBits.values(of: Array(alphabet))

  package static func encode(_ bytes: [UInt8]) -> String { SixBits.encode(bytes, Array(alphabet), isPadded: false) }

  package static func decode(_ text: some StringProtocol) -> [UInt8]? { SixBits.decode(Array(text.utf8), values) }
}

private enum SixBits {
  static func values(of alphabet: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }

  static func encode(_ bytes: [UInt8], _ alphabet: [UInt8], isPadded: Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      let second = left > 1 ? bytes[index + 1] : 0
      let third = left > 2 ? bytes[index + 2] : 0
      text.append(alphabet[Int(bytes[index] >> 2)])
      text.append(alphabet[Int((bytes[index] & 0x3) << 4 | second >> 4)])
      if left > 1 { text.append(alphabet[Int((second & 0xF) << 2 | third >> 6)]) }
      if left > 2 { text.append(alphabet[Int(third & 0x3F)]) }
      index += 3
    }
    if isPadded { while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) } }
    return String(decoding: text, as: UTF8.self)
  }

  /// Refuses strangers among the characters, impossible lengths and spare bits that are not zero, so that one value has
  /// one text.
  static func decode(_ characters: [UInt8], _ values: [UInt8]) -> [UInt8]? {
    guard characters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3 + 2)
    var buffer: UInt32 = 0
    var bits = 0
    for character in characters {
      let value = values[Int(character)]
      guard value != 0xFF else { return nil }
      buffer = buffer << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
        buffer &= (1 << UInt32(bits)) - 1
      }
    }
    return buffer == 0 ? bytes : nil
  }
}
