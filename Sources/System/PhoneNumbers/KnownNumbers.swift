import Runtime

/// Numbers that were found good not long ago, each in one of the two places that its digits give it; a newer one takes
/// the place of the older of the two. Half a megabyte, whatever comes.
final class KnownNumbers: Sendable {
  private static let pairs = 32_768
  private let table = Lock([UInt64](repeating: 0, count: 2 * pairs))

  /// The digits as one number where `text` is well-formed E.164: fifteen digits fit, and none begins with zero.
  static func number(wellFormed text: String) -> UInt64? {
    guard PhoneNumber.isWellFormed(text.utf8) else { return nil }
    return text.utf8.dropFirst().reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
  }

  func contains(_ number: UInt64) -> Bool {
    let place = Self.place(of: number)
    return table.withLock { $0[place] == number || $0[place + 1] == number }
  }

  func insert(_ number: UInt64) {
    let place = Self.place(of: number)
    table.withLock { table in
      guard table[place] != number else { return }
      table[place + 1] = table[place]
      table[place] = number
    }
  }

  /// The first of a pair. Fibonacci hashing: neighbours in a number range land far apart.
  private static func place(of number: UInt64) -> Int {
    2 * Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 49)
  }
}
