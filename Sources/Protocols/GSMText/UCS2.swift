/// UTF-16, high octet first, without a byte order mark.
package enum UCS2 {
  /// The octets of `text`.
  package static func encode(_ text: some StringProtocol) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.utf8.count * 2)
    for unit in text.utf16 {
      octets.append(UInt8(truncatingIfNeeded: unit >> 8))
      octets.append(UInt8(truncatingIfNeeded: unit))
    }
    return octets
  }

  /// The text of `octets`. A lone half of a surrogate pair becomes U+FFFD, and so does an odd octet at the end.
  package static func decode(_ octets: some Collection<UInt8>) -> String {
    octets.withContiguousStorageIfAvailable(decode(contiguous:))
      ?? Array(octets).withUnsafeBufferPointer(decode(contiguous:))
  }

  private static func decode(contiguous octets: UnsafeBufferPointer<UInt8>) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(octets.count / 2 + 1)
    var index = 0
    while index + 1 < octets.count {
      units.append(UInt16(octets[index]) << 8 | UInt16(octets[index + 1]))
      index += 2
    }
    if index < octets.count { units.append(0xFFFD) }
    return String(decoding: units, as: UTF16.self)
  }
}
