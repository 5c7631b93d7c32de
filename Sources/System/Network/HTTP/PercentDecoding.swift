/// Percent-encoding (RFC 3986 section 2.1), read strictly.
enum PercentDecoding {
  /// The bytes that are meant; nil when a `%` is not followed by two hexadecimal digits.
  static func bytes(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case 0x25:
        guard let high = rest.next().flatMap(HTTPSyntax.hexadecimal),
          let low = rest.next().flatMap(HTTPSyntax.hexadecimal)
        else { return nil }
        decoded.append(high << 4 | low)
      case 0x2B where plusIsSpace: decoded.append(0x20)
      default: decoded.append(byte)
      }
    }
    return decoded
  }

  /// The same as text; nil also when the bytes are not UTF-8.
  static func string(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
    bytes(text, plusIsSpace: plusIsSpace).flatMap { String(validating: $0, as: UTF8.self) }
  }
}
