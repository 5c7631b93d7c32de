/// A telephone number in its international form (ITU-T E.164): a plus sign, the country code, the national number.
///
/// Its `description` is the masked form, so that a number that slips into a sentence is still no leak.
package struct PhoneNumber: Hashable, Sendable {
  /// The whole number, such as `+358401234567`. Personal data: never in a log.
  package let e164: String

  /// A number that was parsed before and comes from our own database; checks the shape only (a plus sign and 7 to 15
  /// digits that do not begin with zero).
  package init?(e164: String) {
    guard Self.isWellFormed(e164.utf8) else { return nil }
    self.e164 = e164
  }

  init(checked e164: String) { self.e164 = e164 }

  /// The number without its plus sign, as many carriers want it.
  package var digits: Substring { e164.dropFirst() }

  /// The number with its middle hidden, for logs and for people: `+3584012••567`.
  ///
  /// Twelve digits and more keep the first seven and the last three; what is shorter hides at least four.
  package var masked: String {
    let digits = digits
    let isLong = digits.count >= 12
    let head = isLong ? 7 : max(1, digits.count - 7)
    let tail = isLong ? 3 : 2
    let hidden = digits.count - head - tail
    return "+\(digits.prefix(head))\(String(repeating: "•", count: max(2, hidden)))\(digits.suffix(tail))"
  }

  /// Whether `text` is a plus sign and 7 to 15 ASCII digits, the first of which is not zero.
  static func isWellFormed(_ text: String.UTF8View) -> Bool {
    guard (8...16).contains(text.count), text.first == UInt8(ascii: "+") else { return false }
    let digits = text.dropFirst()
    return digits.first != UInt8(ascii: "0") && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}

extension PhoneNumber: CustomStringConvertible {
  package var description: String { masked }
}
