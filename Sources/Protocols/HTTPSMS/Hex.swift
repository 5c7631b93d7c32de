/// Hexadecimal digits of either case.
enum Hex {
  /// nil for an odd number of digits or anything that is no digit.
  static func octets(_ digits: some Collection<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = nibble(digit) else { return nil }
      if let first = high {
        octets.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return octets
  }

  /// Upper-case digits.
  static func text(_ octets: some Collection<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(octets.count * 2)
    for octet in octets {
      text.append(digits[Int(octet >> 4)])
      text.append(digits[Int(octet & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
