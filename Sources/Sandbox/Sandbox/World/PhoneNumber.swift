/// An international number: 7 to 15 digits, the first of which is not 0 (ITU-T E.164).
struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
  let value: UInt64

  /// Reads digits with or without `+`; nil for anything else.
  init?(_ text: some StringProtocol) {
    var digits = text.utf8[...]
    if digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard (7...15).contains(digits.count), digits.first != 0x30 else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + UInt64(digit - 0x30)
    }
    self.value = value
  }

  var digits: String { String(value) }
  var description: String { "+\(value)" }
}

/// Where a text says that it comes from.
struct Sender: Sendable, Equatable {
  /// As carriers write it: digits without `+`, or letters.
  var wire: String
  /// As the phone shows it.
  var shown: String

  var isDigits: Bool { Self.isDigits(wire) }

  static func isDigits(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 20 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
