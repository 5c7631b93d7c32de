import Formats
import Foundation

/// What values a setting takes, and how they are written.
package struct SettingKind<Value: Sendable>: Sendable {
  /// The end of the sentence `… must be`.
  let accepts: String
  /// A value as the file writes it.
  let example: String
  /// A flag of this kind needs no value to be on.
  let isSwitch: Bool
  /// May stand several times on a command line.
  let isList: Bool
  /// From a flag or a variable.
  let parse: @Sendable (String) -> Value?
  /// From the file.
  let read: @Sendable (JSONValue) -> Value?
  /// As the file writes it.
  let write: @Sendable (Value) -> String

  /// A kind whose values are texts in the file too.
  /// - Parameters:
  ///   - accepts: the end of the sentence `… must be`.
  ///   - parse: nil for what is not accepted.
  package init(
    _ accepts: String, example: String, parse: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.init(
      accepts: accepts, example: jsonText(example), isSwitch: false, isList: false, parse: parse,
      read: { $0.string.flatMap(parse) }, write: { jsonText(write($0)) })
  }

  init(
    accepts: String, example: String, isSwitch: Bool, isList: Bool, parse: @escaping @Sendable (String) -> Value?,
    read: @escaping @Sendable (JSONValue) -> Value?, write: @escaping @Sendable (Value) -> String
  ) {
    self.accepts = accepts
    self.example = example
    self.isSwitch = isSwitch
    self.isList = isList
    self.parse = parse
    self.read = read
    self.write = write
  }

  /// The same values, or none.
  var orNone: SettingKind<Value?> {
    SettingKind<Value?>(
      accepts: accepts, example: example, isSwitch: isSwitch, isList: isList,
      parse: { [parse] in parse($0).map { .some($0) } }, read: { [read] in read($0).map { .some($0) } },
      write: { [write] in $0.map(write) ?? "null" })
  }
}

func jsonText(_ text: String) -> String {
  var writer = JSONWriter()
  writer.string(text)
  return String(decoding: writer.bytes, as: UTF8.self)
}

extension SettingKind<String> {
  /// Any text that is not empty.
  package static var string: Self {
    SettingKind("a text that is not empty", example: "text", parse: { $0.isEmpty ? nil : $0 }, write: { $0 })
  }

  /// The path of a file or folder.
  package static var path: Self {
    SettingKind("a path", example: "/path", parse: { $0.isEmpty || $0.contains("\0") ? nil : $0 }, write: { $0 })
  }

  /// The address of a web server, with or without a path; a slash at its end is taken off.
  package static var url: Self {
    SettingKind(
      "an address like https://sms.example.org", example: "https://sms.example.org",
      parse: { text in
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
          scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty, parts.user == nil,
          parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
      }, write: { $0 })
  }
}

extension SettingKind<Int> {
  package static var integer: Self { integer(in: .min ... .max) }

  package static func integer(in range: ClosedRange<Int>) -> Self {
    let accepts =
      switch (range.lowerBound, range.upperBound) {
      case (.min, .max): "a whole number"
      case (_, .max): "a whole number of at least \(range.lowerBound)"
      default: "a whole number from \(range.lowerBound) to \(range.upperBound)"
      }
    let parse = { @Sendable (text: String) in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    return SettingKind(
      accepts: accepts, example: String(max(0, range.lowerBound)), isSwitch: false, isList: false, parse: parse,
      read: { $0.integer.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil } },
      write: { String($0) })
  }
}

extension SettingKind<Bool> {
  package static var bool: Self {
    SettingKind(
      accepts: "true or false", example: "true", isSwitch: true, isList: false,
      parse: { text in
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
      }, read: \.bool, write: { String($0) })
  }
}

extension SettingKind<[String]> {
  /// Texts: an array in the file; with commas between them elsewhere, or the flag several times.
  package static var list: Self {
    SettingKind(
      accepts: "a list of texts", example: "[\"one\", \"two\"]", isSwitch: false, isList: true,
      parse: { text in
        let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return parts.contains("") ? nil : parts
      },
      read: { value in
        let texts = value.array?.compactMap { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
        return texts?.count == value.array?.count ? texts : nil
      }, write: { "[\($0.map(jsonText).joined(separator: ", "))]" })
  }
}

extension SettingKind<Duration> {
  /// A whole number and a unit: `500ms`, `30s`, `5m`, `24h`, `7d`.
  package static func duration(in range: ClosedRange<Duration> = .zero ... .seconds(3_153_600_000)) -> Self {
    let accepts =
      range.upperBound >= .seconds(3_153_600_000) && range.lowerBound == .zero
      ? "a time like 500ms, 30s, 5m, 24h or 7d"
      : "a time from \(durationText(range.lowerBound)) to \(durationText(range.upperBound)), like 500ms, 30s, 5m or 24h"
    return SettingKind(
      accepts, example: "30s", parse: { parseDuration($0).flatMap { range.contains($0) ? $0 : nil } },
      write: durationText)
  }
}

private let units: [(name: String, milliseconds: Int64)] = [
  ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
]

func parseDuration(_ text: String) -> Duration? {
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  guard let count = Int64(digits), let unit = units.first(where: { $0.name == text.dropFirst(digits.count) }) else {
    return nil
  }
  let (product, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
  return overflow ? nil : .milliseconds(product)
}

/// The duration in its largest unit that leaves no rest.
func durationText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  if attoseconds != 0 { return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms" }
  let unit = units.first { $0.milliseconds >= 1000 && seconds % ($0.milliseconds / 1000) == 0 && seconds != 0 }
  return unit.map { "\(seconds / ($0.milliseconds / 1000))\($0.name)" } ?? "\(seconds)s"
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words that `Value` lists.
  package static var word: Self {
    let words = Value.allCases.map(\.rawValue)
    return SettingKind(
      "one of \(words.joined(separator: ", "))", example: words.first ?? "", parse: { Value(rawValue: $0) },
      write: { $0.rawValue })
  }
}
