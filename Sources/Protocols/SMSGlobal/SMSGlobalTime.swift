package import Contract

/// A date and a time of day in a zone that only the account's owner knows.
///
/// The vendor's pages speak of GMT+10 and of Sydney's time, one client of the account's own zone. So the zone is a
/// setting of the account, and its offset is handed in.
package struct SMSGlobalTime: Sendable, Hashable {
  /// The moment at which a clock at Greenwich shows this time.
  private let asUTC: Instant

  /// The time that a clock with this offset from UTC shows at `instant`.
  package init(_ instant: Instant, offset: Duration) { asUTC = instant + offset }

  /// The moment at which a clock with this offset from UTC shows this time.
  package func instant(offset: Duration) -> Instant { asUTC - offset }

  /// Reads `YYYY-MM-DD HH:MM:SS`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 19, text.utf8.dropFirst(10).first == 0x20, let instant = Instant(text + "Z") else {
      return nil
    }
    asUTC = instant
  }

  /// Reads `yymmddhhmm` of this century, as receipts have it; nil for anything else.
  package init?(minutes text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 10, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    func pair(_ index: Int) -> String { String(decoding: digits[index..<index + 2], as: UTF8.self) }
    guard let instant = Instant("20\(pair(0))-\(pair(2))-\(pair(4))T\(pair(6)):\(pair(8)):00Z") else { return nil }
    asUTC = instant
  }

  /// `YYYY-MM-DD HH:MM:SS`.
  package var text: String {
    let text = asUTC.description
    return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
  }

  /// `yymmddhhmm`.
  package var minutes: String {
    String(decoding: text.utf8.dropFirst(2).prefix(14).filter { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)
  }
}
