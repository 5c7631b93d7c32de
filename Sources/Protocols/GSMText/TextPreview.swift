/// What a text will be when it is sent, for the person who is writing it.
package struct TextPreview: Sendable, Equatable {
  package let encoding: TextEncoding
  /// Septets (an escaped character counts two) or UTF-16 units of the whole text.
  package let units: Int
  /// Number of messages that the text takes; at least 1.
  package let parts: Int
  /// The text of each part. Joined they are the text.
  package let split: [String]
  /// The different characters that the GSM alphabet lacks and that make the text go as UCS-2, in the order in which
  /// they appear; empty for GSM. At most ``forcingLimit``, and a character of more than 32 scalars is shown cut.
  package let forcing: [String]
  /// Units that fit each part: the single limit while there is one part, the smaller one from two parts on.
  package let unitsPerPart: Int
  /// Units still free in the last part.
  package let remaining: Int

  /// The most characters that ``forcing`` names.
  package static let forcingLimit = 50

  /// Previews `text`, however long it is. GSM can not be demanded of a text that does not fit it: then the preview
  /// says UCS-2 and why.
  package init(_ text: String, encoding: TextEncoding? = nil, limits: PartLimits = .reference8) {
    self.init(TextPlan(unbounded: text, encoding: encoding, limits: limits))
  }

  init(_ plan: TextPlan) {
    encoding = plan.encoding
    units = plan.units
    parts = plan.partCount
    split = plan.partCount == 1 ? [plan.text] : plan.encodeParts().map(plan.encoding.decode)
    forcing = plan.encoding == .gsm7 ? [] : Self.forcing(in: plan.text)
    unitsPerPart = parts == 1 ? plan.limits.single(encoding) : plan.limits.part(encoding)
    let lastStart = plan.ends.dropLast().last ?? 0
    remaining = unitsPerPart - (plan.octets.count - lastStart) / encoding.octetsPerUnit
  }

  /// The different characters of `text` that the GSM alphabet lacks even when composed.
  static func forcing(in text: String) -> [String] {
    var found: [String] = []
    var seenScalars: Set<Unicode.Scalar> = []
    var seen: Set<String> = []
    for character in text {
      if found.count == forcingLimit { break }
      let scalars = character.unicodeScalars
      if scalars.allSatisfy(GSMAlphabet.contains) { continue }
      if scalars.count == 1, let scalar = scalars.first, !seenScalars.insert(scalar).inserted { continue }
      // The longest sequence that Unicode recommends has about twenty scalars; a heap of marks is shown in part.
      let shown = String(String.UnicodeScalarView(scalars.prefix(32)))
      if CanonicalComposition.composedIntoGSM(shown) == nil, seen.insert(shown).inserted { found.append(shown) }
    }
    return found
  }
}
