/// How the text of a short message is written as octets.
package enum TextEncoding: String, Sendable, CaseIterable {
  /// The GSM 7-bit default alphabet with its extension table, 3GPP TS 23.038 clause 6.2.1.
  /// As octets here: one septet in each, unpacked, as SMPP carries it.
  case gsm7
  /// "UCS2" of 3GPP TS 23.038 clause 6.2.3. Written as UTF-16, high octet first, because that is what every phone
  /// reads: a character beyond U+FFFF takes two units.
  case ucs2

  /// Octets in one unit of length: a septet travels in one octet here, a UTF-16 unit in two.
  package var octetsPerUnit: Int {
    switch self {
    case .gsm7: 1
    case .ucs2: 2
    }
  }

  /// The text that `octets` say. Never fails: what can not be read becomes U+FFFD.
  package func decode(_ octets: some Collection<UInt8>) -> String {
    switch self {
    case .gsm7: GSMAlphabet.decode(octets)
    case .ucs2: UCS2.decode(octets)
    }
  }
}
