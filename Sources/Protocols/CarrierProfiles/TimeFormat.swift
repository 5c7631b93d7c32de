import Contract

/// How a carrier writes a time.
struct TimeFormat: Sendable {
  private enum Form: Sendable {
    /// Seconds since 1970, with or without a fraction.
    case epoch
    case epochMilliseconds
    /// RFC 3339, or the same without a zone.
    case rfc3339
    case pattern([Element])
  }

  private enum Element: Sendable {
    case year4, year2, month, day, hour, minute, second
    case literal(UInt8)
  }

  private let form: Form

  /// Reads a form's name, or a picture of the time: `YYYY`, `YY`, `MM` (behind a year a month), `DD`, `hh`, `mm`, `ss`
  /// stand for digits, every other character for itself. nil when the picture has no date.
  init?(_ picture: String) {
    switch picture {
    case "epoch": form = .epoch
    case "epochMilliseconds": form = .epochMilliseconds
    case "rfc3339": form = .rfc3339
    default:
      var elements: [Element] = []
      var rest = picture[...]
      let names: [(String, Element)] = [
        ("YYYY", .year4), ("YY", .year2), ("MM", .month), ("DD", .day), ("hh", .hour), ("mm", .minute), ("ss", .second),
      ]
      while let first = rest.utf8.first {
        if let (name, element) = names.first(where: { rest.hasPrefix($0.0) }) {
          elements.append(element)
          rest = rest.dropFirst(name.count)
        } else {
          guard first < 0x80, !rest.isEmpty else { return nil }
          elements.append(.literal(first))
          rest = rest.dropFirst()
        }
      }
      guard picture.contains("YY"), picture.contains("MM"), picture.contains("DD") else { return nil }
      form = .pattern(elements)
    }
  }

  /// Whether the zone of the profile plays a part.
  var needsZone: Bool {
    switch form {
    case .epoch, .epochMilliseconds: false
    case .rfc3339, .pattern: true
    }
  }

  /// nil when `text` is not such a time. `offset` is the zone's, for times that do not say theirs.
  func instant(_ text: String, offset: Duration) -> Instant? {
    guard text.utf8.count <= 40 else { return nil }
    switch form {
    case .epoch: return Self.epoch(text, scale: 1000)
    case .epochMilliseconds: return Self.epoch(text, scale: 1)
    case .rfc3339:
      if let instant = Instant(text) { return instant }
      return Instant(text + "Z").map { $0 - offset }
    case .pattern(let elements):
      return Self.civil(text, elements).map { $0 - offset }
    }
  }

  private static func epoch(_ text: String, scale: Int64) -> Instant? {
    let whole = text.prefix { $0 != "." }
    let fraction = text.utf8.dropFirst(whole.utf8.count + 1)
    guard (1...14).contains(whole.utf8.count), whole.utf8.allSatisfy(\.isDigit), fraction.allSatisfy(\.isDigit),
      let number = Int64(whole)
    else { return nil }
    let milliseconds = number.multipliedReportingOverflow(by: scale)
    return milliseconds.overflow ? nil : Instant(milliseconds: milliseconds.partialValue)
  }

  private static func civil(_ text: String, _ elements: [Element]) -> Instant? {
    var octets = Array(text.utf8)[...]
    func number(_ width: Int) -> Int64? {
      guard octets.count >= width else { return nil }
      var value: Int64 = 0
      for octet in octets.prefix(width) {
        guard octet.isDigit else { return nil }
        value = value * 10 + Int64(octet - 0x30)
      }
      octets = octets.dropFirst(width)
      return value
    }
    var (year, month, day, hour, minute, second): (Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0)
    for element in elements {
      if case .literal(let literal) = element {
        guard octets.popFirst() == literal else { return nil }
        continue
      }
      let width = if case .year4 = element { 4 } else { 2 }
      guard let value = number(width) else { return nil }
      switch element {
      case .year4: year = value
      case .year2: year = 2000 + value
      case .month: month = value
      case .day: day = value
      case .hour: hour = value
      case .minute: minute = value
      case .second: second = value
      case .literal: break
      }
    }
    guard octets.isEmpty, (1...12).contains(month), day >= 1, hour <= 23, minute <= 59, second <= 60 else { return nil }
    let days = Instant.days(year: year, month: month, day: day)
    // The 30th of February would come back as a day of March.
    guard Instant.civil(days: days) == (year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + min(second, 59)
    return Instant(milliseconds: seconds * 1000)
  }

  /// Reads `utc`, `Z` or an offset like `+10:00`.
  static func offset(_ text: String) -> Duration? {
    if text == "utc" || text == "UTC" || text == "Z" { return .zero }
    let octets = Array(text.utf8)
    guard octets.count == 6, octets[3] == UInt8(ascii: ":"), let hours = Int(text.dropFirst().prefix(2)),
      let minutes = Int(text.suffix(2)), hours <= 14, minutes <= 59, [1, 2, 4, 5].allSatisfy({ octets[$0].isDigit })
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    switch octets[0] {
    case UInt8(ascii: "+"): return .seconds(seconds)
    case UInt8(ascii: "-"): return .seconds(-seconds)
    default: return nil
    }
  }
}
