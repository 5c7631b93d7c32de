import CPhoneNumber

/// Reads what people and programs write as a telephone number, and knows what kind of number it is.
///
/// The rules of each country are libphonenumber's. Safe to use from any thread; copies share one memory of numbers
/// that were found good, so that a number that is written to again costs next to nothing.
package struct PhoneNumberParser: Sendable {
  private let isStrict: Bool
  private let known = KnownNumbers()

  /// - Parameter strict: whether a number must lie in a range that its country is known to use, not only have a
  ///   possible length. Numbers set aside for examples and drama are good in either case.
  package init(strict: Bool = true) { isStrict = strict }

  /// Reads a number written with its country code (`+` or `00`), or as it is dialled inside `region`.
  ///
  /// - Parameters:
  ///   - text: at most 40 characters: digits, spaces, dashes, dots, slashes and brackets.
  ///   - region: ISO 3166-1, two letters; where a number without a country code belongs. Nil, or no known country:
  ///     a country code is needed.
  package func parse(_ text: String, region: String?) throws(PhoneNumberError) -> PhoneNumber {
    if let number = KnownNumbers.number(wellFormed: text), known.contains(number) {
      return PhoneNumber(checked: text)
    }
    let written = try WrittenNumber(text)
    let number = try read(written, region: region)
    if let value = KnownNumbers.number(wellFormed: number.e164) { known.insert(value) }
    return number
  }

  private func read(_ written: WrittenNumber, region: String?) throws(PhoneNumberError) -> PhoneNumber {
    let region = Region(region)
    guard let international = written.withPlusForDoubleZero else { return try check(written.text, region) }
    guard region != .none else { return try check(international, region) }
    // The region's own prefix comes first (0011 in Australia begins with 00, too), then what most of the world dials.
    do { return try check(written.text, region) } catch { return try check(international, region) }
  }

  private func check(_ text: String, _ region: Region) throws(PhoneNumberError) -> PhoneNumber {
    var text = text
    let (outcome, e164) = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CPhoneNumberE164Capacity)) { buffer in
          guard let start = characters.baseAddress, let target = buffer.baseAddress else {
            return (CPhoneNumberFailed, "")
          }
          target[0] = 0
          let outcome = region.code.withCString { CPhoneNumberParse(start, characters.count, $0, target) }
          return (outcome, String(cString: target))
        }
      }
    }
    switch outcome {
    case CPhoneNumberValid: break
    case CPhoneNumberPossible: guard !isStrict || Self.isReservedForDrama(e164) else { throw .notValid }
    // Only digits come here, so that what is no number has too few of them.
    case CPhoneNumberTooShort, CPhoneNumberNotANumber: throw .tooShort
    case CPhoneNumberTooLong: throw .tooLong
    case CPhoneNumberUnknownCountry: throw .unknownCountry
    default: throw .notPossible
    }
    guard let number = PhoneNumber(e164: e164) else { throw .notPossible }
    return number
  }

  /// Numbers that a regulator keeps free for films, examples and tests, and that libphonenumber therefore calls unused.
  ///
  /// Ofcom, "Telephone numbers for use in TV and radio drama programmes"; ARCEP decision 2018-0881, annex 2.5.12.
  private static func isReservedForDrama(_ e164: String) -> Bool {
    ["+447700900", "+441632960", "+443069990", "+3319900", "+3363998"]
      .contains { e164.hasPrefix($0) }
  }
}

/// Two capital letters of ISO 3166-1, or none, which libphonenumber writes as `ZZ`.
private struct Region: Equatable {
  let code: String

  static let none = Region(nil)

  init(_ written: String?) {
    let letters = written?.uppercased() ?? ""
    let isCode = letters.utf8.count == 2 && letters.utf8.allSatisfy { $0 >= 0x41 && $0 <= 0x5A }
    code = isCode ? letters : "ZZ"
  }
}
