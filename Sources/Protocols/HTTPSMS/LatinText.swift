import GSMText

/// The Latin-1 of HTTPSMS: ISO 8859-1 in which 0x80 (Windows-1252) and 0xA4 (ISO 8859-15) are the euro sign.
enum LatinText {
  /// What the carrier makes of each octet: its septets, or a space where the GSM alphabet has no such character.
  static let septets: [[UInt8]] = (0...255).map { octet in
    GSMAlphabet.septets(for: String(latin1: CollectionOfOne(UInt8(octet)))) ?? [0x20]
  }

  /// The octets of `text`; nil when it has a character that is not in this Latin-1.
  static func octets(_ text: String) -> [UInt8]? {
    var octets: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x20AC: octets.append(0x80)
      case 0x80, 0xA4: return nil
      case 0...0xFF: octets.append(UInt8(scalar.value))
      default: return nil
      }
    }
    return octets
  }
}

extension String {
  /// Reads octets of the Latin-1 of HTTPSMS.
  init(latin1 octets: some Collection<UInt8>) {
    var text = String.UnicodeScalarView()
    for octet in octets { text.append(octet == 0x80 || octet == 0xA4 ? "\u{20AC}" : Unicode.Scalar(octet)) }
    self.init(text)
  }
}
