/// Reads `application/x-www-form-urlencoded` (WHATWG URL section 5.1), strictly: a broken escape spoils the whole.
package struct FormDecoding: Sendable {
  /// More pairs than this are refused.
  package var maximumPairs: Int

  package init(maximumPairs: Int = 1000) { self.maximumPairs = maximumPairs }

  /// Names and values in their order, `+` read as a space; nil when an escape is broken, something is not UTF-8, or there
  /// are too many pairs.
  package func parse(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
    guard let raw = parseRaw(bytes) else { return nil }
    var pairs: [(name: String, value: String)] = []
    for (name, value) in raw {
      guard let value = String(validating: value, as: UTF8.self) else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  /// The same with values as bytes, for senders that write another character set than UTF-8.
  package func parseRaw(_ bytes: some Collection<UInt8>) -> [(name: String, value: [UInt8])]? {
    var pairs: [(name: String, value: [UInt8])] = []
    for part in bytes.split(separator: 0x26) {
      guard pairs.count < maximumPairs else { return nil }
      let equals = part.firstIndex(of: 0x3D) ?? part.endIndex
      let rest = equals == part.endIndex ? part[equals...] : part[part.index(after: equals)...]
      guard let name = PercentDecoding.string(part[..<equals], plusIsSpace: true),
        let value = PercentDecoding.bytes(rest, plusIsSpace: true)
      else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }
}
