package import Formats

/// One thing that an operator can set. The program declares each once and reads it by that declaration.
package struct Setting<Value: Sendable>: AnySetting {
  /// Its name in the file, in camel case: `publicURL`.
  package let key: String
  package let summary: String
  package let places: SettingPlaces
  /// A secret is never shown, neither in an error nor in a list.
  package let isSecret: Bool
  package let defaultValue: Value
  let kind: SettingKind<Value>

  /// - Parameter summary: what it does, in a sentence or two, for the file that explains every key.
  package init(
    _ key: String, _ kind: SettingKind<Value>, default defaultValue: Value, _ summary: String,
    places: SettingPlaces = .all, isSecret: Bool = false
  ) {
    self.key = key
    self.kind = kind
    self.defaultValue = defaultValue
    self.summary = summary
    self.places = places
    self.isSecret = isSecret
  }

  /// A setting that has no value unless somebody gives it one.
  package init<Wrapped>(
    _ key: String, _ kind: SettingKind<Wrapped>, _ summary: String, places: SettingPlaces = .all,
    isSecret: Bool = false
  ) where Value == Wrapped? {
    self.init(key, kind.orNone, default: nil, summary, places: places, isSecret: isSecret)
  }

  package var accepts: String { kind.accepts }
  package var isSwitch: Bool { kind.isSwitch }
  package var isList: Bool { kind.isList }
  package var defaultText: String? {
    let text = kind.write(defaultValue)
    return text == "null" ? nil : text
  }
  package var example: String { kind.example }

  package func resolve(text: String) -> SettingValue? {
    kind.parse(text).map { SettingValue(value: $0, text: kind.write($0)) }
  }

  package func resolve(json: JSONValue) -> SettingValue? {
    kind.read(json).map { SettingValue(value: $0, text: kind.write($0)) }
  }
}

/// Where a setting may stand.
package struct SettingPlaces: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let flag = SettingPlaces(rawValue: 1)
  package static let variable = SettingPlaces(rawValue: 2)
  package static let file = SettingPlaces(rawValue: 4)
  package static let all: SettingPlaces = [.flag, .variable, .file]
}

/// A setting whatever its type.
package protocol AnySetting: Sendable {
  var key: String { get }
  var summary: String { get }
  var places: SettingPlaces { get }
  var isSecret: Bool { get }
  /// The end of the sentence `… must be`.
  var accepts: String { get }
  var isSwitch: Bool { get }
  var isList: Bool { get }
  /// The default as the file writes it; nil where there is none.
  var defaultText: String? { get }
  var example: String { get }
  func resolve(text: String) -> SettingValue?
  func resolve(json: JSONValue) -> SettingValue?
}

/// A value that was accepted, and how the file would write it.
package struct SettingValue: Sendable {
  let value: any Sendable
  let text: String
}

extension AnySetting {
  /// `--public-url`
  package var flag: String { "--" + words(of: key).joined(separator: "-").lowercased() }

  /// `SWITCHBOARD_PUBLIC_URL`
  package var variable: String { "SWITCHBOARD_" + words(of: key).joined(separator: "_").uppercased() }
}

/// `publicURL` is `public` and `URL`; `tlsKey` is `tls` and `Key`.
private func words(of key: String) -> [String] {
  var words: [String] = []
  var word = ""
  let letters = Array(key)
  for (index, letter) in letters.enumerated() {
    let before = index > 0 ? letters[index - 1] : nil
    let after = index + 1 < letters.count ? letters[index + 1] : nil
    let begins = letter.isUppercase && (before?.isUppercase == false || before != nil && after?.isLowercase == true)
    if begins, !word.isEmpty {
      words.append(word)
      word = ""
    }
    word.append(letter)
  }
  return words + [word]
}
