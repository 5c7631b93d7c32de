import GSMText

/// When a value is used: terms joined by `and`, each of them perhaps with `not` before it.
struct Condition: Sendable {
  enum Term: Sendable, Equatable {
    /// The text goes in the GSM alphabet.
    case gsm7
    /// The text goes as UCS-2.
    case ucs2
    /// The text goes in the GSM alphabet, and Latin-1 has all of its characters too.
    case latin1
    case flash
    /// The text needs more than one part.
    case long
    /// A receipt is wanted.
    case receipt
    case validity
    case callback
    /// There is a sender.
    case from
    case fromLetters, fromInternational, fromShort
    /// The operator gave this setting, or it has a default.
    case setting(String)

    static let names: [String: Term] = [
      "gsm7": .gsm7, "ucs2": .ucs2, "latin1": .latin1, "flash": .flash, "long": .long, "receipt": .receipt,
      "validity": .validity, "callback": .callback, "from": .from, "from.letters": .fromLetters,
      "from.international": .fromInternational, "from.short": .fromShort,
    ]

    init?(name: String) {
      if name.hasPrefix("settings.") {
        self = .setting(String(name.dropFirst("settings.".count)))
      } else if let term = Self.names[name] {
        self = term
      } else {
        return nil
      }
    }
  }

  let terms: [(term: Term, holds: Bool)]

  struct Problem: Error { var sentence: String }

  init(_ text: String) throws(Problem) {
    var words = text.split(separator: " ").map(String.init)[...]
    var terms: [(Term, Bool)] = []
    while let word = words.popFirst() {
      var name = word
      var holds = true
      if name == "not" {
        guard let next = words.popFirst() else { throw Problem(sentence: "A term is missing behind \"not\".") }
        name = next
        holds = false
      }
      guard let term = Term(name: name) else {
        throw Problem(
          sentence: "\"\(Shown.text(name, limit: 40))\" is no condition. There are: "
            + Term.names.keys.sorted().joined(separator: ", ") + ", settings.NAME.")
      }
      terms.append((term, holds))
      if let word = words.popFirst(), word != "and" || words.isEmpty {
        throw Problem(sentence: "Conditions are joined by \"and\".")
      }
    }
    guard !terms.isEmpty else { throw Problem(sentence: "The condition is empty.") }
    self.terms = terms
  }

  func holds(for values: SlotValues) -> Bool {
    for (term, expected) in terms where Self.holds(term, values) != expected { return false }
    return true
  }

  private static func holds(_ term: Term, _ values: SlotValues) -> Bool {
    if case .setting(let name) = term { return values.setting(name) != nil }
    guard let submission = values.submission else { return false }
    switch term {
    case .setting: return false
    case .gsm7: return submission.plan.encoding == .gsm7
    case .ucs2: return submission.plan.encoding == .ucs2
    case .latin1: return submission.plan.encoding == .gsm7 && Latin.contains(submission.plan.text)
    case .flash: return submission.flash
    case .long: return submission.plan.partCount > 1
    case .receipt: return submission.wantsReceipt
    case .validity: return submission.validity != nil
    case .callback: return submission.callbackURL != nil
    case .from: return values.sender != nil
    case .fromLetters: return values.senderKind == .letters
    case .fromInternational: return values.senderKind == .international
    case .fromShort: return values.senderKind == .short
    }
  }
}
