/// Unicode's composition (NFC, UAX #15) as far as it can end in the GSM alphabet.
///
/// An é may come as one character, or as an e and a combining accent, as some keyboards and file systems write it. The
/// alphabet has only the first. Both mean the same and look the same, so composing loses nothing and can more than
/// double what fits a part. It is done only when the *whole* text then fits; otherwise the text is sent as it came.
package enum CanonicalComposition {
  /// `text` composed, when that puts all of it into the GSM alphabet; nil when something remains outside.
  ///
  /// Equals what full NFC gives in that case: no character of the alphabet has more than one mark, so only a pair of
  /// letter and mark, or a character that Unicode calls equal to another one, can end there.
  package static func composedIntoGSM(_ text: some StringProtocol) -> String? {
    var scalars: [Unicode.Scalar] = []
    for original in text.unicodeScalars {
      let scalar = singletons[original] ?? original
      if GSMAlphabet.contains(scalar) {
        scalars.append(scalar)
      } else if let last = scalars.last, let composed = pairs[Pair(letter: last, mark: scalar)] {
        scalars[scalars.count - 1] = composed
      } else {
        return nil
      }
    }
    var composed = String.UnicodeScalarView()
    composed.append(contentsOf: scalars)
    return String(composed)
  }

  /// Whether this character, which the alphabet lacks, may yet become part of one that it has.
  static func mayCompose(_ scalar: Unicode.Scalar) -> Bool {
    let scalar = singletons[scalar] ?? scalar
    return marks.contains(scalar) || GSMAlphabet.contains(scalar)
  }

  private struct Pair: Hashable {
    let letter: Unicode.Scalar
    let mark: Unicode.Scalar
  }

  /// Ohm, kelvin and ångström signs, the Greek question mark, and the tone marks that equal grave and acute.
  private static let singletons: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{2126}": "Ω", "\u{212A}": "K", "\u{212B}": "Å", "\u{037E}": ";", "\u{0340}": "\u{0300}", "\u{0341}": "\u{0301}",
  ]

  private static let pairs: [Pair: Unicode.Scalar] = {
    let byMark: [(mark: Unicode.Scalar, letters: String, composed: String)] = [
      ("\u{0300}", "aeiou", "àèìòù"),
      ("\u{0301}", "eE", "éÉ"),
      ("\u{0303}", "nN", "ñÑ"),
      ("\u{0308}", "aouAOU", "äöüÄÖÜ"),
      ("\u{030A}", "aA", "åÅ"),
      ("\u{0327}", "C", "Ç"),
    ]
    var pairs: [Pair: Unicode.Scalar] = [:]
    for row in byMark {
      for (letter, composed) in zip(row.letters.unicodeScalars, row.composed.unicodeScalars) {
        pairs[Pair(letter: letter, mark: row.mark)] = composed
      }
    }
    return pairs
  }()

  private static let marks = Set(pairs.keys.map(\.mark))
}
