/// The character classes of RFC 9110 and RFC 9112, as bits of ASCII.
enum HTTPSyntax {
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A
  static let space: UInt8 = 0x20
  static let tab: UInt8 = 0x09
  static let colon: UInt8 = 0x3A

  /// `tchar` (RFC 9110 section 5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool {
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
    return byte < 128 && high & (1 << UInt64(byte & 63)) != 0
  }

  /// What a field value may hold (RFC 9110 section 5.5): visible characters, space, tab, and bytes above ASCII.
  @inline(__always)
  static func isFieldValue(_ byte: UInt8) -> Bool { byte >= 0x20 ? byte != 0x7F : byte == tab }

  /// What a request target may hold: visible ASCII but `"`, `#`, `<`, `>` and `\`.
  ///
  /// RFC 3986 also forbids ``^`{|}`` to stand for themselves, but browsers send them so in queries (WHATWG URL, query
  /// percent-encode set), and none of them changes where a request ends.
  @inline(__always)
  static func isTarget(_ byte: UInt8) -> Bool {
    let low: UInt64 = ~0 << 33 & ~(1 << 0x22 | 1 << 0x23 | 1 << 0x3C | 1 << 0x3E)
    if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
    return byte < 0x7F && byte != 0x5C
  }

  /// `uri-host [ ":" port ]` (RFC 9110 section 7.2), by its characters.
  static func isHost(_ bytes: some Collection<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return false }
    return bytes.allSatisfy { byte in
      switch byte {
      case 0x30...0x3A, 0x41...0x5B, 0x5D, 0x61...0x7A: true  // digits : letters [ ]
      case 0x21, 0x24...0x2E, 0x3B, 0x3D, 0x5F, 0x7E: byte != 0x2C  // sub-delims without comma, % - . _ ~
      default: false
      }
    }
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// Whether `bytes` spell `text`, which is lower-case ASCII, in any case.
  @inline(__always)
  static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where lowercased(bytes[index]) != text.utf8Start[index] { return false }
    return true
  }
}
