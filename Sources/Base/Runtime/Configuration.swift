import Formats

/// What the operator wants: flags first, then `SWITCHBOARD_*` variables, then the file, then the defaults.
package struct Configuration: Sendable {
  /// Where a value came from.
  package enum Source: Equatable, Sendable, CustomStringConvertible {
    case flag(String)
    case variable(String)
    case file(String, line: Int)
    case byDefault

    package var description: String {
      switch self {
      case .flag(let name), .variable(let name): name
      case .file(let name, let line): "\(name), line \(line)"
      case .byDefault: "default"
      }
    }
  }

  private struct Entry {
    let value: SettingValue
    let source: Source
  }

  private let settings: [any AnySetting]
  private var entries: [String: Entry] = [:]
  /// Variables that begin with `SWITCHBOARD_` and set nothing: a slip of the pen, or another program's (Kubernetes makes
  /// such names for a service that is called switchboard). Worth a warning, no more.
  package let ignoredVariables: [String]

  /// - Parameters:
  ///   - settings: every setting of the program.
  ///   - environment: all variables; those that no setting names are left alone.
  ///   - file: the file's name, for errors, and its bytes; nil where there is none.
  package init(
    _ settings: [any AnySetting], flags: Flags = .none, environment: [String: String] = [:],
    file: (name: String, bytes: [UInt8])? = nil
  ) throws(ConfigurationError) {
    self.settings = settings
    let variables = settings.filter { $0.places.contains(.variable) }
    let known = Set(variables.map(\.variable))
    ignoredVariables = environment.keys.filter { $0.hasPrefix("SWITCHBOARD_") && !known.contains($0) }.sorted()
    if let file { try read(file.name, file.bytes) }
    for setting in variables {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      try take(text, for: setting, from: .variable(setting.variable), called: setting.variable)
    }
    for setting in settings {
      guard let text = flags.texts[setting.key] else { continue }
      try take(text, for: setting, from: .flag(setting.flag), called: setting.flag)
    }
  }

  package subscript<Value>(setting: Setting<Value>) -> Value {
    assert(settings.contains { $0.key == setting.key }, "a setting that was not declared: \(setting.key)")
    return entries[setting.key]?.value.value as? Value ?? setting.defaultValue
  }

  package func source(of setting: any AnySetting) -> Source { entries[setting.key]?.source ?? .byDefault }

  /// Every setting that has a value: key, value as the file writes it, source. Secrets are hidden.
  package var effective: [(key: String, value: String, source: Source)] {
    settings.compactMap { setting in
      guard let text = entries[setting.key]?.value.text ?? setting.defaultText else { return nil }
      return (setting.key, setting.isSecret ? "(hidden)" : text, source(of: setting))
    }
  }

  // MARK: Reading

  private mutating func take(
    _ text: String, for setting: any AnySetting, from source: Source, called name: String
  ) throws(ConfigurationError) {
    guard let value = setting.resolve(text: text) else {
      let found = setting.isSecret ? nil : quoted(text)
      throw ConfigurationError(.bad(accepts: setting.accepts, found: found), name: name)
    }
    entries[setting.key] = Entry(value: value, source: source)
  }

  private mutating func read(_ file: String, _ bytes: [UInt8]) throws(ConfigurationError) {
    let text: JSONValue
    do { text = try JSON5.parse(bytes, file: file) } catch {
      throw ConfigurationError(.file(error.description), name: file)
    }
    guard let members = text.object else {
      throw ConfigurationError(
        .bad(accepts: "an object: { key: value, … }", found: nil), name: "The file", file: file,
        position: text.position)
    }
    let known = settings.filter { $0.places.contains(.file) }
    for member in members {
      guard let setting = known.first(where: { $0.key == member.key }) else {
        throw unknown(member, known, in: file)
      }
      if member.value.isNull { continue }
      guard let value = setting.resolve(json: member.value) else {
        let found = setting.isSecret ? nil : Self.shown(member.value)
        throw ConfigurationError(
          .bad(accepts: setting.accepts, found: found), name: setting.key, file: file, position: member.value.position)
      }
      let source = Source.file(file, line: Int(member.position.line))
      entries[setting.key] = Entry(value: value, source: source)
    }
  }

  private func unknown(
    _ member: JSONValue.Member, _ known: [any AnySetting], in file: String
  ) -> ConfigurationError {
    let name = printable(member.key)
    if let elsewhere = settings.first(where: { $0.key == member.key }) {
      let places = [
        elsewhere.places.contains(.flag) ? elsewhere.flag : nil,
        elsewhere.places.contains(.variable) ? elsewhere.variable : nil,
      ]
      let sentence = places.compactMap { $0 }.joined(separator: " or ")
      return ConfigurationError(.misplaced(sentence), name: name, file: file, position: member.position)
    }
    let nearest = nearestWord(to: member.key, among: known.map(\.key))
    return ConfigurationError(.unknown(nearest: nearest), name: name, file: file, position: member.position)
  }

  private static func shown(_ value: JSONValue) -> String? {
    switch value.kind {
    case .bool(let value): String(value)
    case .integer(let value): String(value)
    case .number(let value): value.description
    case .string(let value): quoted(value)
    case .null, .array, .object: nil
    }
  }
}
