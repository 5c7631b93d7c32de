import PhoneNumbers

/// What the operator says about signing up.
package struct SignUpPolicy: Sendable {
  package var isOpen: Bool
  /// Where a number without a country code belongs (ISO 3166).
  package var region: String?
  /// The countries whose numbers may sign up; nil for all.
  package var countries: [String]?
  /// How many codes are sent in a day (UTC), to whomever.
  package var codesADay: Int
  /// How many codes an address may ask for in an hour.
  package var codesPerAddress: Int
  /// The host of the pages, which a code names so that browsers fill it in nowhere else.
  package var host: String

  /// The version of the terms that everybody accepts who signs up.
  package static let terms = "2026-11"

  package init(
    isOpen: Bool, region: String? = nil, countries: [String]? = nil, codesADay: Int = 200, codesPerAddress: Int = 10,
    host: String = "localhost"
  ) {
    self.isOpen = isOpen
    self.region = region
    self.countries = countries
    self.codesADay = min(max(0, codesADay), 1_000_000_000)
    self.codesPerAddress = min(max(1, codesPerAddress), 1_000_000)
    self.host = host
  }

  /// Whether a code may be sent to a number of this country and kind.
  ///
  /// Numbers of no country are satellites' and international services, which cost most and are what those are after who
  /// let others pay for texts to themselves. A fixed line gets no text; libphonenumber does not know every new mobile
  /// range, so that an unknown kind passes.
  func serves(region: String?, kind: PhoneNumberParser.Kind) -> Bool {
    guard let region, countries?.contains(region) ?? true else { return false }
    switch kind {
    case .mobile, .fixedLineOrMobile, .voip, .unknown: return true
    case .fixedLine, .tollFree, .premiumRate, .sharedCost, .personal, .pager, .universalAccess, .voicemail:
      return false
    }
  }
}
