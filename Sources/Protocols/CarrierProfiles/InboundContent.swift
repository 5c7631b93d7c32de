import GSMText

/// The text of an incoming message as the carrier sent it, so that the parts of a long one can be joined before they
/// are read: a cut may fall into a character.
package struct InboundContent: Sendable, Equatable {
  package enum Coding: String, Sendable {
    case utf8
    /// ISO 8859-1 in which 0x80 is the euro sign, as carriers that speak of Latin-1 have it.
    case latin1
    /// The GSM alphabet, one septet an octet.
    case gsm
    /// UTF-16, the high octet first.
    case ucs2
    case octets
  }

  package var coding: Coding
  package var octets: [UInt8]

  package init(coding: Coding, octets: [UInt8]) {
    self.coding = coding
    self.octets = octets
  }

  package var text: String {
    switch coding {
    case .utf8: String(decoding: octets, as: UTF8.self)
    case .latin1: Latin.text(octets)
    case .gsm: TextEncoding.gsm7.decode(octets)
    case .ucs2: TextEncoding.ucs2.decode(octets)
    case .octets: Hex.text(octets)
    }
  }

  /// The text of a long message from its parts, in their order.
  package static func joined(_ parts: [InboundContent]) -> String {
    guard let first = parts.first else { return "" }
    if parts.allSatisfy({ $0.coding == first.coding }) {
      return InboundContent(coding: first.coding, octets: parts.flatMap(\.octets)).text
    }
    return parts.map(\.text).joined()
  }
}

/// The Latin-1 of carriers: ISO 8859-1 with the euro sign at 0x80, where Windows-1252 has it.
enum Latin {
  static func text(_ octets: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for octet in octets { text.append(octet == 0x80 ? "\u{20AC}" : Unicode.Scalar(octet)) }
    return String(text)
  }

  /// The octet of `scalar`; nil for what carriers do not read alike: controls but for the line ends, and U+00A4, where
  /// ISO 8859-15 has the euro sign.
  static func octet(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0x20AC: 0x80
    case 0x0A, 0x0D, 0x20...0x7E, 0xA0...0xA3, 0xA5...0xFF: UInt8(scalar.value)
    default: nil
    }
  }

  static func contains(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x7F && $0 >= 0x20 } || text.unicodeScalars.allSatisfy { octet($0) != nil }
  }
}
