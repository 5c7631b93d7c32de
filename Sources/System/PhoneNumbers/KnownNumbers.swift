import Runtime

/// Numbers that were found good not long ago, each in the one place that its digits give it; a newer one takes the
/// place of an older one. Half a megabyte, whatever comes.
final class KnownNumbers: Sendable {
  private static let places = 65_536
  private let table = Lock([UInt64](repeating: 0, count: places))

  /// The digits as one number where `text` is well-formed E.164: fifteen digits fit, and none begins with zero.
  static func number(wellFormed text: String) -> UInt64? {
    guard PhoneNumber.isWellFormed(text.utf8) else { return nil }
    return text.utf8.dropFirst().reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
  }

  func contains(_ number: UInt64) -> Bool {
    table.withLock { $0[Self.place(of: number)] == number }
  }

  func insert(_ number: UInt64) {
    table.withLock { $0[Self.place(of: number)] = number }
  }

  /// Fibonacci hashing: neighbours in a number range land far apart.
  private static func place(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 48)
  }
}
