import Formats
import GSMText

extension CarrierProfile {
  /// Reads a profile. Unknown keys, patterns that are none and names that nothing has are refused with their line.
  ///
  /// - Parameter file: the name that errors begin with.
  package init(json5: [UInt8], file: String) throws(ProfileError) {
    do {
      let value = try JSON5.parse(json5, file: file, limit: 256 * 1024)
      try self.init(value, file: file)
    } catch let error as JSON5Error {
      throw ProfileError(error, file: file)
    } catch let error as FieldError {
      throw ProfileError(error, file: file)
    } catch {
      throw ProfileError(file: file, line: 0, sentence: "The file can not be read.")
    }
  }

  private enum Kind: String, CaseIterable { case http }
  private enum Language: String, CaseIterable { case first = "carrier/1" }

  private init(_ value: JSONValue, file: String) throws(FieldError) {
    self.file = file
    var reader = try ObjectReader(value, file: file)
    let _: Language = try reader.word("profile")
    let _: Kind = try reader.word("kind")
    name = try reader.parsed("name", "a short name of lower-case letters, digits and -") { Self.isName($0) ? $0 : nil }
    title = try reader.string("title", length: 1...80)
    about = try reader.stringIfPresent("about", length: 1...2000) ?? ""
    settings = try Self.settings(&reader)
    let kinds = Dictionary(settings.map { ($0.name, $0.kind) }) { $1 }
    settingKinds = kinds
    defaults = Dictionary(settings.compactMap { field in field.defaultValue.map { (field.name, $0) } }) { $1 }
    limits = try Limits(&reader)
    rates = try Rates(&reader)
    timeout = try reader.durationIfPresent("timeout", in: 1...300) ?? .seconds(20)
    identifiers = try reader.wordIfPresent("ids") ?? .exact
    let scope = TemplateScope(kinds: kinds, hasSubmission: true)
    var submit = try reader.object("submit")
    self.submit = try RequestTemplate(&submit, scope)
    try submit.finish()
    let tables = try Self.tables(&reader)
    answers = try reader.objects("answers", count: 1...100) { rule throws(FieldError) in
      try AnswerRule(&rule, tables: tables)
    }
    if var given = try reader.objectIfPresent("incoming") {
      incoming = try Incoming(&given, kinds: kinds, identifiers: identifiers)
      try given.finish()
    } else {
      incoming = nil
    }
    examples = try Examples(&reader)
    try reader.finish()
  }

  private static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isDigit || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
  }

  private static func settings(_ reader: inout ObjectReader) throws(FieldError) -> [SettingField] {
    var given = try reader.object("settings")
    var fields: [SettingField] = []
    for member in given.allMembers() {
      guard (1...40).contains(member.key.utf8.count),
        member.key.utf8.allSatisfy({ $0.isDigit || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) })
      else { throw given.problem(member.key, "The name of a setting has letters and digits only.") }
      var entry = try ObjectReader(member.value, path: given.path(to: member.key), file: given.file)
      let value = try entry.stringIfPresent("default")
      let isOptional = try entry.boolIfPresent("optional") ?? false
      let field = SettingField(
        name: member.key, title: try entry.string("title", length: 1...60),
        doc: try entry.string("doc", length: 1...500),
        kind: try entry.wordIfPresent("kind") ?? .text, isSecret: try entry.boolIfPresent("secret") ?? false,
        isRequired: !isOptional && value == nil, defaultValue: value)
      if let value, let problem = field.problem(with: value) { throw entry.problem("default", problem) }
      guard value == nil || !field.isSecret else { throw entry.problem("default", "A secret has no default.") }
      try entry.finish()
      fields.append(field)
    }
    return fields
  }

  private static func tables(_ reader: inout ObjectReader) throws(FieldError) -> [String: [String: Verdict]] {
    guard var given = try reader.objectIfPresent("codes") else { return [:] }
    var tables: [String: [String: Verdict]] = [:]
    for member in given.allMembers() {
      var table = try ObjectReader(member.value, path: given.path(to: member.key), file: given.file)
      var codes: [String: Verdict] = [:]
      for member in table.allMembers() {
        var entry = try ObjectReader(member.value, path: table.path(to: member.key), file: given.file)
        codes[member.key] = try Verdict(&entry, captured: nil)
        try entry.finish()
      }
      tables[member.key] = codes
    }
    return tables
  }
}

extension CarrierProfile.Limits {
  init(_ reader: inout ObjectReader) throws(FieldError) {
    var limits = try reader.object("limits")
    recipients = try limits.integerIfPresent("recipients", in: 1...1) ?? 1
    if let parts = limits.valueIfPresent("parts"), parts.object != nil {
      var parts = try limits.object("parts")
      gsm7Parts = try parts.integer("gsm7", in: 1...255)
      ucs2Parts = try parts.integer("ucs2", in: 1...255)
      try parts.finish()
    } else {
      gsm7Parts = try limits.integer("parts", in: 1...255)
      ucs2Parts = gsm7Parts
    }
    referenceLength = try limits.integerIfPresent("reference", in: 0...100) ?? 100
    validity = try limits.durationIfPresent("validity", in: 60...2_592_000)
    if var given = try limits.objectIfPresent("sender") {
      sender = Sender(
        isRequired: try given.boolIfPresent("required") ?? false,
        letters: try given.integerIfPresent("letters", in: 0...20) ?? 11,
        digits: try given.integerIfPresent("digits", in: 0...20) ?? 15)
      try given.finish()
    } else {
      sender = Sender(isRequired: false, letters: 11, digits: 15)
    }
    try limits.finish()
  }
}

extension CarrierProfile.Rates {
  init(_ reader: inout ObjectReader) throws(FieldError) {
    guard var rate = try reader.objectIfPresent("rate") else {
      self.init(messagesPerSecond: nil, partsPerSecond: nil)
      return
    }
    self.init(
      messagesPerSecond: try rate.numberIfPresent("messages", in: 0.01...100_000),
      partsPerSecond: try rate.numberIfPresent("parts", in: 0.01...100_000))
    try rate.finish()
  }
}
