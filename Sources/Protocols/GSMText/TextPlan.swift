/// A text made ready to go out: its encoding chosen, its octets written, and cut into parts.
///
/// A cut never falls inside a surrogate pair, nor between an escape and its septet, and not inside what a reader sees
/// as one character (an emoji with its skin tone, a flag, a letter with its marks, CR LF) unless that one is longer
/// than a whole part. Nothing is replaced: a text that does not fit the GSM alphabet goes as UCS-2, or, where GSM was
/// demanded, not at all. The work grows with the length of the text and no faster.
package struct TextPlan: Sendable {
  package let encoding: TextEncoding
  package let limits: PartLimits
  /// The text as it goes out: the one given, or its composed form where that alone fits the GSM alphabet (see
  /// ``CanonicalComposition``). Swift calls both equal.
  package let text: String
  /// The whole text as octets: one septet in each, or UTF-16, high octet first.
  package let octets: [UInt8]
  /// Where each part ends in `octets`.
  let ends: [Int]

  /// Plans `text`.
  ///
  /// - Parameters:
  ///   - encoding: the one to use; nil takes GSM if the whole text fits it, and UCS-2 otherwise.
  ///   - maximumParts: 255 is the most that a header can number.
  package init(
    _ text: String, encoding: TextEncoding? = nil, limits: PartLimits = .reference8, maximumParts: Int = 255
  ) throws(TextPlanError) {
    self.init(unbounded: text, encoding: encoding, limits: limits)
    if encoding == .gsm7, self.encoding != .gsm7 { throw .outsideGSM(TextPreview.forcing(in: text)) }
    if partCount > maximumParts { throw .tooManyParts(needed: partCount, maximum: maximumParts) }
  }

  /// Plans without refusing: what does not fit GSM becomes UCS-2 even where GSM was demanded.
  init(unbounded text: String, encoding: TextEncoding?, limits: PartLimits) {
    self.limits = limits
    if encoding != .ucs2, let septets = GSMAlphabet.septets(for: text) {
      (self.encoding, self.text, octets) = (.gsm7, text, septets)
      ends = Self.ends(ofSeptets: septets, limits)
    } else if encoding != .ucs2, let composed = CanonicalComposition.composedIntoGSM(text),
      let septets = GSMAlphabet.septets(for: composed)
    {
      (self.encoding, self.text, octets) = (.gsm7, composed, septets)
      ends = Self.ends(ofSeptets: septets, limits)
    } else {
      (self.encoding, self.text, octets) = (.ucs2, text, UCS2.encode(text))
      ends = Self.ends(ofUnitsIn: text, count: octets.count / 2, limits)
    }
  }

  /// Septets or UTF-16 units of the whole text.
  package var units: Int { octets.count / encoding.octetsPerUnit }

  /// At least 1: an empty text is one empty message.
  package var partCount: Int { ends.count }

  /// The octets of each part, without a header: unpacked septets, or UTF-16, high octet first.
  package func encodeParts() -> [[UInt8]] {
    if ends.count == 1 { return [octets] }
    var start = 0
    return ends.map { end in
      defer { start = end }
      return Array(octets[start..<end])
    }
  }

  /// What to show of this plan.
  package var preview: TextPreview { TextPreview(self) }
}

/// Why a text can not go out as asked.
package enum TextPlanError: Error, Equatable, CustomStringConvertible {
  /// GSM was demanded, and these characters are not in it (``TextPreview/forcing``).
  case outsideGSM([String])
  /// The text is longer than the parts allowed.
  case tooManyParts(needed: Int, maximum: Int)

  /// A sentence that tells nothing of the text itself.
  package var description: String {
    switch self {
    case .outsideGSM:
      "The text has characters that the GSM alphabet lacks. Nothing was sent; remove them, or let it go as Unicode."
    case .tooManyParts(let needed, let maximum):
      "The text needs \(needed) parts and \(maximum) are allowed. Nothing was sent; shorten it or send it in pieces."
    }
  }
}
