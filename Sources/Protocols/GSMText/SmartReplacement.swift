/// Typographers' characters put back to the plain ones that the GSM alphabet has, so that a curly quote does not more
/// than double the parts of a message.
///
/// Only characters that look alike or show nothing are replaced; letters keep their accents, and ½ stays ½, since 1½
/// would become 11/2.
package enum SmartReplacement {
  /// `text` with its lookalikes replaced, and how many characters were.
  ///
  /// The text comes back as it was, with 0, when it fits GSM already, when something would remain outside GSM all the
  /// same, or when the replaced text would take more parts than the original.
  package static func replaced(
    _ text: String, limits: PartLimits = .reference8
  ) -> (text: String, replacedCount: Int) {
    if GSMAlphabet.septets(for: text) != nil || CanonicalComposition.composedIntoGSM(text) != nil { return (text, 0) }
    var replaced: [Unicode.Scalar] = []
    var count = 0
    for scalar in text.unicodeScalars {
      if GSMAlphabet.contains(scalar) {
        replaced.append(scalar)
      } else if let replacement = replacement(for: scalar) {
        replaced.append(contentsOf: replacement.unicodeScalars)
        count += 1
      } else if CanonicalComposition.mayCompose(scalar) {
        replaced.append(scalar)
      } else {
        return (text, 0)
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: replaced)
    let plan = TextPlan(unbounded: String(view), encoding: nil, limits: limits)
    guard plan.encoding == .gsm7,
      plan.partCount <= TextPlan(unbounded: text, encoding: .ucs2, limits: limits).partCount
    else { return (text, 0) }
    return (plan.text, count)
  }

  /// What stands in for `scalar`, perhaps nothing at all; nil when there is no lookalike.
  static func replacement(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0xFF01...0xFF5E:
      // Fullwidth forms stand in the order of ASCII.
      guard let plain = Unicode.Scalar(scalar.value - 0xFEE0) else { return nil }
      return GSMAlphabet.contains(plain) ? String(plain) : lookalikes[plain]
    default: return lookalikes[scalar]
    }
  }
}
