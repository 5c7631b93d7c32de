package import Contract

/// IMF-fixdate, the form of Date, Expires and Last-Modified (RFC 9110 section 5.6.7).
package enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ instant: Instant) -> String {
    // The year has four digits.
    let seconds = min(max(instant.milliseconds / 1000, 0), 253_402_300_799)
    let day = seconds / 86_400
    let (year, month, dayOfMonth) = Instant.civil(days: day)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(days[Int(day % 7)]), \(two(dayOfMonth)) \(months[Int(month) - 1]) \(year) "
      + "\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60)) GMT"
  }
}
