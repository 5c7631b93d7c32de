/// A moment in UTC, in whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Arithmetic stops at the ends of the range, it never traps.
public struct Instant: Hashable, Sendable, Comparable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds.addingSaturating(duration.inMilliseconds))
  }

  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(milliseconds: instant.milliseconds.subtractingSaturating(duration.inMilliseconds))
  }

  public static func - (left: Instant, right: Instant) -> Duration {
    .milliseconds(left.milliseconds.subtractingSaturating(right.milliseconds))
  }
}

extension Duration {
  /// Whole milliseconds, rounded towards zero; the nearest that there is for a duration beyond 292 million years.
  public var inMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    return product.addingSaturating(attoseconds / 1_000_000_000_000_000)
  }
}

extension Int64 {
  fileprivate func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}

// MARK: - RFC 3339

extension Instant: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds: `2026-11-30T04:06:03.000Z`.
  ///
  /// RFC 3339 knows the years 0000 to 9999; a moment outside of them is written as the first or the last inside.
  public var description: String {
    let milliseconds = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    let days = milliseconds.flooringDivide(86_400_000)
    let rest = milliseconds - days * 86_400_000
    let (year, month, day) = Self.civil(days: days)
    return String(unsafeUninitializedCapacity: 24) { buffer in
      func put(_ value: Int64, at offset: Int, width: Int) {
        var value = value
        for position in stride(from: offset + width - 1, through: offset, by: -1) {
          buffer[position] = 0x30 + UInt8(truncatingIfNeeded: value % 10)
          value /= 10
        }
      }
      put(year, at: 0, width: 4)
      put(month, at: 5, width: 2)
      put(day, at: 8, width: 2)
      put(rest / 3_600_000, at: 11, width: 2)
      put(rest / 60_000 % 60, at: 14, width: 2)
      put(rest / 1000 % 60, at: 17, width: 2)
      put(rest % 1000, at: 20, width: 3)
      buffer[4] = UInt8(ascii: "-")
      buffer[7] = UInt8(ascii: "-")
      buffer[10] = UInt8(ascii: "T")
      buffer[13] = UInt8(ascii: ":")
      buffer[16] = UInt8(ascii: ":")
      buffer[19] = UInt8(ascii: ".")
      buffer[23] = UInt8(ascii: "Z")
      return 24
    }
  }

  /// Reads RFC 3339 section 5.6 with any offset and any number of fraction digits; nil for anything else.
  ///
  /// What is finer than a millisecond is cut off. A leap second is read as the second before it.
  public init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)[...]
    func number(_ width: Int) -> Int64? {
      guard bytes.count >= width else { return nil }
      var value: Int64 = 0
      for byte in bytes.prefix(width) {
        guard byte >= 0x30, byte <= 0x39 else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      bytes = bytes.dropFirst(width)
      return value
    }
    func take(_ accepted: UInt8...) -> Bool {
      guard let first = bytes.first, accepted.contains(first) else { return false }
      bytes = bytes.dropFirst()
      return true
    }
    let dash = UInt8(ascii: "-")
    let colon = UInt8(ascii: ":")
    guard let year = number(4), take(dash), let month = number(2), take(dash), let day = number(2),
      take(UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")),
      let hour = number(2), take(colon), let minute = number(2), take(colon), let second = number(2),
      (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year),
      hour <= 23, minute <= 59, second <= 60
    else { return nil }
    var fraction: Int64 = 0
    if take(UInt8(ascii: ".")) {
      var digits = 0
      while let digit = bytes.first, digit >= 0x30, digit <= 0x39 {
        if digits < 3 { fraction = fraction * 10 + Int64(digit - 0x30) }
        digits += 1
        bytes = bytes.dropFirst()
      }
      guard digits > 0 else { return nil }
      while digits < 3 {
        fraction *= 10
        digits += 1
      }
    }
    var offset: Int64 = 0
    if !take(UInt8(ascii: "Z"), UInt8(ascii: "z")) {
      guard let sign = bytes.first, sign == dash || sign == UInt8(ascii: "+") else { return nil }
      bytes = bytes.dropFirst()
      guard let hours = number(2), take(colon), let minutes = number(2), hours <= 23, minutes <= 59 else { return nil }
      offset = (hours * 60 + minutes) * (sign == dash ? -1 : 1)
    }
    guard bytes.isEmpty else { return nil }
    let seconds = Self.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + min(second, 59)
    self.init(milliseconds: (seconds - offset * 60) * 1000 + fraction)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar.
  public static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooringDivide(400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Year, month and day of a number of days since 1970-01-01.
  public static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooringDivide(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  func flooringDivide(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

extension Instant: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let instant = Instant(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not an RFC 3339 time"))
    }
    self = instant
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
