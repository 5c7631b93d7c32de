/// The GSM 7-bit default alphabet and its extension table: 3GPP TS 23.038 clauses 6.2.1 and 6.2.1.1.
///
/// Septets are unpacked here, one in each octet; ``Septets`` packs them. Nothing is ever replaced on the way out: what
/// the alphabet lacks has no septets.
package enum GSMAlphabet {
  /// The septet that announces a character of the extension table.
  package static let escape: UInt8 = 0x1B
  static let carriageReturn: UInt8 = 0x0D
  static let lineFeed: UInt8 = 0x0A

  /// The default table by septet. 0x09 is the capital C with cedilla; the small one is not in the alphabet.
  /// 0x1B is the escape, which a reader who does not know it shows as a space.
  static let defaultTable: [Unicode.Scalar] = Array(
    """
    @£$¥èéùìòÇ\u{0A}Øø\u{0D}ÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{20}ÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
    """.unicodeScalars)

  /// What stands after the escape. 0x0A is the page break.
  static let extensionTable: [(septet: UInt8, scalar: Unicode.Scalar)] = [
    (0x0A, "\u{0C}"), (0x14, "^"), (0x28, "{"), (0x29, "}"), (0x2F, "\\"), (0x3C, "["), (0x3D, "~"), (0x3E, "]"),
    (0x40, "|"), (0x65, "€"),
  ]

  /// The septets of one character: one of them, or the escape and another; nil when the alphabet lacks it.
  ///
  /// U+001B itself is lacking: written as a septet it would turn the character after it into another one.
  package static func septets(for scalar: Unicode.Scalar) -> [UInt8]? {
    let code = EncodingTable.code(for: scalar)
    if code < EncodingTable.escaped { return [code] }
    return code == EncodingTable.missing ? nil : [escape, code & 0x7F]
  }

  /// Whether the alphabet has this character.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    EncodingTable.code(for: scalar) != EncodingTable.missing
  }

  /// The septets of a whole text, one in each octet; nil when any character is lacking.
  ///
  /// Takes the characters as they stand; ``CanonicalComposition`` makes one é of an e and its accent.
  package static func septets(for text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { utf8 in
      let codes = EncodingTable.codes
      var septets: [UInt8] = []
      septets.reserveCapacity(utf8.count)
      var index = 0
      while index < utf8.count {
        let lead = utf8[index]
        let code: UInt8
        if lead < 0x80 {
          code = codes[Int(lead)]
          index += 1
        } else if lead < 0xD0, index + 1 < utf8.count {
          code = codes[Int(lead & 0x1F) << 6 | Int(utf8[index + 1] & 0x3F)]
          index += 2
        } else if lead == 0xE2, index + 2 < utf8.count, utf8[index + 1] == 0x82, utf8[index + 2] == 0xAC {
          code = EncodingTable.euro
          index += 3
        } else {
          return nil
        }
        if code < EncodingTable.escaped {
          septets.append(code)
        } else if code != EncodingTable.missing {
          septets.append(escape)
          septets.append(code & 0x7F)
        } else {
          return nil
        }
      }
      return septets
    }
  }

  /// The text of unpacked septets. Any octets may be given:
  ///
  /// - the escape and a septet that the extension table lacks show the character of the default table (6.2.1.1);
  /// - two escapes show a space (6.2.1.1, note 1), and the pair is over;
  /// - an escape at the very end shows nothing;
  /// - an octet with its high bit set is no septet and becomes U+FFFD: clearing the bit would show a wrong letter.
  package static func decode(_ septets: some Collection<UInt8>) -> String {
    septets.withContiguousStorageIfAvailable(decode(contiguous:))
      ?? Array(septets).withUnsafeBufferPointer(decode(contiguous:))
  }

  private static func decode(contiguous septets: UnsafeBufferPointer<UInt8>) -> String {
    let table = DecodingTable.scalars
    var utf8: [UInt8] = []
    utf8.reserveCapacity(septets.count + septets.count / 4 + 4)
    var afterEscape = false
    for septet in septets {
      if septet == escape, !afterEscape {
        afterEscape = true
        continue
      }
      let scalar = septet < 0x80 ? table[Int(septet) + (afterEscape ? 0x80 : 0)] : 0xFFFD
      afterEscape = false
      if scalar < 0x80 {
        utf8.append(UInt8(truncatingIfNeeded: scalar))
      } else if scalar < 0x800 {
        utf8.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
        utf8.append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
      } else {
        utf8.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
        utf8.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F))
        utf8.append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
      }
    }
    return String(decoding: utf8, as: UTF8.self)
  }
}
