/// Finds a key that stands twice: by comparison in a small object, by hash in a large one.
struct KeySet {
  private var keys: Set<String> = []

  /// - Returns: false where one of `members` has the key already.
  mutating func insert(_ key: String, into members: [JSONValue.Member]) -> Bool {
    if members.count < 16 { return !members.contains { $0.key == key } }
    if keys.isEmpty { keys = Set(members.map(\.key)) }
    return keys.insert(key).inserted
  }
}

func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x61...0x66: byte - 0x61 + 10
  case 0x41...0x46: byte - 0x41 + 10
  default: nil
  }
}
