/// What a person wrote, reduced to an optional plus sign and ASCII digits.
///
/// People write separators of every kind, brackets, digits of other scripts, and phones paste invisible direction marks
/// round a number; all of that goes. What no number has is refused, not skipped.
struct WrittenNumber {
  /// ASCII digits, after a `+` where the number was written with its country code.
  private(set) var text = ""

  /// More than any number needs, with all its separators.
  static let longest = 40

  init(_ written: String) throws(PhoneNumberError) {
    // A scalar has at most four bytes; this looks at no more of a huge text than its length in bytes.
    guard written.utf8.count <= Self.longest * 4 else { throw .tooLong }
    var count = 0
    for scalar in written.unicodeScalars {
      count += 1
      guard count <= Self.longest else { throw .tooLong }
      switch scalar.value {
      case 0x30...0x39: append(digit: scalar.value - 0x30)
      case 0xFF10...0xFF19: append(digit: scalar.value - 0xFF10)
      case 0x0660...0x0669: append(digit: scalar.value - 0x0660)
      case 0x06F0...0x06F9: append(digit: scalar.value - 0x06F0)
      case 0x2B, 0xFF0B:
        guard text.isEmpty else { throw .invalidCharacters }
        text = "+"
      default:
        guard Self.isSeparator(scalar.value) else { throw .invalidCharacters }
      }
    }
    guard !text.isEmpty else { throw .empty }
    guard text != "+" else { throw .tooShort }
  }

  /// The number with the world's most common international prefix, 00, written as a plus sign; nil without one.
  var withPlusForDoubleZero: String? {
    text.hasPrefix("00") ? "+" + text.dropFirst(2) : nil
  }

  private mutating func append(digit: UInt32) {
    text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: 0x30 + digit)))
  }

  private static func isSeparator(_ scalar: UInt32) -> Bool {
    switch scalar {
    // Spaces.
    case 0x20, 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    // Marks without width: joiners, directions, byte order.
    case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
    // - . / ( ) [ ], their fullwidth forms, every dash and the minus.
    case 0x2D, 0x2E, 0x2F, 0x28, 0x29, 0x5B, 0x5D: true
    case 0xFF0D, 0xFF0E, 0xFF0F, 0xFF08, 0xFF09, 0xFF3B, 0xFF3D: true
    case 0x2010...0x2015, 0x2212: true
    default: false
    }
  }
}
