/// What somebody looks for in conversations.
struct ConversationQuery: Sendable, Equatable {
  static let longest = 100

  /// As texts are compared with it.
  let text: String
  /// As numbers and names are compared with it; nil where it can be in none.
  let peer: String?

  /// Nil where it is empty or too long, or has a null character, as no text that is asked for may.
  init?(_ written: String) {
    guard (1...Self.longest).contains(written.unicodeScalars.count), !written.utf8.contains(0) else { return nil }
    text = FoldedText.fold(written)
    peer = Self.number(written) ?? text
  }

  /// The digits of a number as its E.164 form has them, however it is spaced; nil for what is none.
  private static func number(_ written: String) -> String? {
    var digits = ""
    for character in written.unicodeScalars {
      switch character {
      case "0"..."9": digits.unicodeScalars.append(character)
      case "+": if !digits.isEmpty { return nil }
      case " ", "-", "(", ")", ".", "/", "\u{A0}": break
      default: return nil
      }
    }
    // The zeros before a number dialled inside its country, or before a country code, stand in no E.164 number.
    let significant = String(digits.drop { $0 == "0" })
    return significant.isEmpty ? nil : significant
  }

  func fits(peer: String) -> Bool {
    guard let query = self.peer else { return false }
    return FoldedText.fold(peer).utf8.contains(query.utf8)
  }
}
