/// Text from outside made fit to be kept and shown: short, on one line, without control characters.
enum Shown {
  static let limit = 300

  /// Controls, format characters and line separators are written as `\u{…}`, line ends as `\n` and `\r`.
  static func text(_ text: some StringProtocol, limit: Int = limit) -> String {
    var shown = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else {
        shown.append("…")
        break
      }
      count += 1
      switch scalar {
      case "\n": shown.append(contentsOf: #"\n"#.unicodeScalars)
      case "\r": shown.append(contentsOf: #"\r"#.unicodeScalars)
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
          shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        default: shown.append(scalar)
        }
      }
    }
    return String(shown)
  }

  static func octets(_ octets: some Collection<UInt8>, limit: Int = limit) -> String {
    // Four octets are the longest character.
    text(String(decoding: octets.prefix(limit * 4), as: UTF8.self), limit: limit)
  }
}
