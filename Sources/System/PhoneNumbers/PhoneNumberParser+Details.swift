import CPhoneNumber

extension PhoneNumberParser {
  /// What a number is for, as far as its digits say.
  package enum Kind: String, Sendable, CaseIterable {
    case mobile
    case fixedLine
    /// Countries such as the United States do not tell the two apart.
    case fixedLineOrMobile
    case tollFree
    case premiumRate
    case sharedCost
    case voip
    case personal
    case pager
    /// A company's number for the whole country.
    case universalAccess
    case voicemail
    case unknown
  }

  /// What is known of a number.
  /// - Returns: its country (ISO 3166-1, two letters; nil for numbers of no country, such as +800), its kind, and how
  ///   people read it, from abroad (`+358 40 1234567`) and inside the country (`040 1234567`).
  package func details(
    of number: PhoneNumber
  ) -> (region: String?, kind: Kind, international: String, national: String) {
    var e164 = number.e164
    return e164.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.capacity) { buffer in
          guard let start = characters.baseAddress, let region = buffer.baseAddress else {
            return (nil, .unknown, number.e164, number.e164)
          }
          let international = region + Int(CPhoneNumberRegionCapacity)
          let national = international + Int(CPhoneNumberInternationalCapacity)
          var kind = CPhoneNumberUnknown
          guard CPhoneNumberDetails(start, characters.count, region, &kind, international, national) else {
            return (nil, .unknown, number.e164, number.e164)
          }
          return (
            region[0] == 0 ? nil : String(cString: region), Kind(kind), String(cString: international),
            String(cString: national)
          )
        }
      }
    }
  }

  private static var capacity: Int { Int(CPhoneNumberRegionCapacity) + 2 * Int(CPhoneNumberInternationalCapacity) }
}

extension PhoneNumberParser.Kind {
  fileprivate init(_ kind: CPhoneNumberKind) {
    self =
      switch kind {
      case CPhoneNumberMobile: .mobile
      case CPhoneNumberFixedLine: .fixedLine
      case CPhoneNumberFixedLineOrMobile: .fixedLineOrMobile
      case CPhoneNumberTollFree: .tollFree
      case CPhoneNumberPremiumRate: .premiumRate
      case CPhoneNumberSharedCost: .sharedCost
      case CPhoneNumberVoIP: .voip
      case CPhoneNumberPersonal: .personal
      case CPhoneNumberPager: .pager
      case CPhoneNumberUAN: .universalAccess
      case CPhoneNumberVoicemail: .voicemail
      default: .unknown
      }
  }
}
