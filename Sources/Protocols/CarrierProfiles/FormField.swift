/// One field of a query or a form. Values are octets: carriers send Latin-1 and worse.
package struct FormField: Sendable, Equatable {
  package var name: String
  package var value: [UInt8]

  package init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }

  package init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }

  /// Fields in one call; what is beyond is left out.
  package static let limit = 500

  /// Takes `application/x-www-form-urlencoded` apart (WHATWG URL section 5.1). Nothing is refused: an escape that is
  /// none stays as it is.
  package static func decode(_ octets: [UInt8]) -> [FormField] {
    octets.split(separator: UInt8(ascii: "&")).prefix(limit).map { pair in
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      let value = pair.dropFirst(name.count + 1)
      return FormField(String(decoding: percentDecoded(name), as: UTF8.self), percentDecoded(value))
    }
  }

  private static func percentDecoded(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(octets.count)
    var index = octets.startIndex
    while index < octets.endIndex {
      let octet = octets[index]
      if octet == UInt8(ascii: "%"), octets.endIndex - index > 2, let high = Hex.nibble(octets[index + 1]),
        let low = Hex.nibble(octets[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(octet == UInt8(ascii: "+") ? 0x20 : octet)
        index += 1
      }
    }
    return decoded
  }
}
