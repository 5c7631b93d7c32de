package import Contract
import Cryptography

/// What a new password must be: long enough, and none of those that are tried first (NIST SP 800-63B section 3.1.1.2).
/// No mix of kinds of characters is asked for.
package enum PasswordRule {
  package static let shortest = 8

  /// - Parameter phone: the number that it belongs to, which is no secret.
  /// - Throws: `weakPassword` with the reason, or `invalidField` for what can be none.
  package static func check(_ password: String, phone: String?) throws(APIError) {
    guard password.utf8.count <= PasswordHasher.longestPassword else {
      throw APIError(.invalidField, detail: "password has at most \(PasswordHasher.longestPassword) bytes")
    }
    guard password.unicodeScalars.count >= shortest else {
      throw APIError(.weakPassword, detail: "it has fewer than \(shortest) characters")
    }
    let small = password.lowercased()
    guard !CommonPasswords.all.contains(small) else {
      throw APIError(.weakPassword, detail: "it is one of the most common passwords")
    }
    guard Set(small.unicodeScalars).count > 2 else {
      throw APIError(.weakPassword, detail: "it repeats one or two characters")
    }
    if let phone, isNumber(password, phone) {
      throw APIError(.weakPassword, detail: "it is the phone number")
    }
  }

  /// Whether it is the number, in whatever way people write it: with its country code or without.
  private static func isNumber(_ password: String, _ phone: String) -> Bool {
    let signs = password.unicodeScalars.filter { !" +-()./".unicodeScalars.contains($0) }
    guard signs.allSatisfy({ (0x30...0x39).contains($0.value) }) else { return false }
    let digits = String(String.UnicodeScalarView(signs)).drop { $0 == "0" }
    return digits.count >= 5 && phone.hasSuffix(digits)
  }
}
