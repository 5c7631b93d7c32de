/// The alphabet by character, for looking up in one step.
enum EncodingTable {
  /// A code from here up stands for the escape and the code's low seven bits.
  static let escaped: UInt8 = 0x80
  /// The alphabet lacks the character.
  static let missing: UInt8 = 0xFF
  /// The euro sign, the one character of the alphabet beyond U+03FF.
  static let euro: UInt8 = 0x80 | 0x65

  /// U+0000 to U+03FF: Latin and Greek.
  static let codes: [UInt8] = {
    var codes = [UInt8](repeating: missing, count: 0x400)
    for (septet, scalar) in GSMAlphabet.defaultTable.enumerated() where septet != Int(GSMAlphabet.escape) {
      codes[Int(scalar.value)] = UInt8(septet)
    }
    for (septet, scalar) in GSMAlphabet.extensionTable where scalar != "€" {
      codes[Int(scalar.value)] = escaped | septet
    }
    return codes
  }()

  static func code(for scalar: Unicode.Scalar) -> UInt8 {
    scalar.value < 0x400 ? codes[Int(scalar.value)] : scalar == "€" ? euro : missing
  }
}

/// The alphabet by septet: 128 characters of the default table, then the 128 that follow an escape.
enum DecodingTable {
  static let scalars: [UInt32] = {
    let plain = GSMAlphabet.defaultTable.map(\.value)
    var scalars = plain + plain
    for (septet, scalar) in GSMAlphabet.extensionTable { scalars[0x80 + Int(septet)] = scalar.value }
    return scalars
  }()
}
