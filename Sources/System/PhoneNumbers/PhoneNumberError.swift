/// Why a text is no number that a message can go to.
///
/// Each has a sentence that says what to do. None repeats what was written: it may be anything.
package enum PhoneNumberError: Error, Hashable, Sendable, CaseIterable {
  case empty
  /// More than 40 characters, or more digits than a number of its country has.
  case tooLong
  case tooShort
  /// A letter, a control character, an extension, or a sign that no number has.
  case invalidCharacters
  /// No country code, or one that nobody has.
  case unknownCountry
  /// Its length is of no number of its country.
  case notPossible
  /// It is long enough, but in a range that its country does not use.
  case notValid
}

extension PhoneNumberError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty:
      "The phone number is empty. Write it with its country code, such as +358 40 123 4567."
    case .tooLong:
      "The phone number has too many digits. Check it and write one number only."
    case .tooShort:
      "The phone number has too few digits. Write all of it, with its country code."
    case .invalidCharacters:
      "The phone number has a character that does not belong there. "
        + "Use digits, spaces, dashes and brackets, with a + before the country code, and no extension."
    case .unknownCountry:
      "The country of the phone number is not known. Begin it with + and the country code, such as +358."
    case .notPossible:
      "The phone number does not have the right number of digits for its country. Check it and write all of it."
    case .notValid:
      "No such phone number is in use in its country. Check each digit."
    }
  }
}
