/// Hexadecimal digits.
enum Hex {
  static let digits = Array("0123456789ABCDEF".utf8)

  static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

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
  static func append(_ octets: some Collection<UInt8>, to output: inout [UInt8]) {
    output.reserveCapacity(output.count + octets.count * 2)
    for octet in octets {
      output.append(digits[Int(octet >> 4)])
      output.append(digits[Int(octet & 15)])
    }
  }

  static func text(_ octets: some Collection<UInt8>) -> String {
    var output: [UInt8] = []
    append(octets, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
