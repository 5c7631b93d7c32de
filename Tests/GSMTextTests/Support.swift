/// The octets that hexadecimal digits say; spaces are skipped.
func octets(_ hex: String) -> [UInt8] {
  let digits = hex.utf8.filter { $0 != 0x20 }.map { UInt8(hexDigit: $0) }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

func hex(_ octets: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef")
  return octets.reduce(into: "") {
    $0.append(digits[Int($1 >> 4)])
    $0.append(digits[Int($1 & 0xF)])
  }
}

extension UInt8 {
  fileprivate init(hexDigit digit: UInt8) {
    self = digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x61 + 10
  }
}

func * (text: String, count: Int) -> String { String(repeating: text, count: count) }

/// Two texts scalar by scalar: `==` of Swift takes composed and decomposed letters for one.
func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

/// SplitMix64: the same values on every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
