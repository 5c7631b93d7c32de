import CarrierProfiles
import Contract
import Cryptography
import Database
import Exchange
import Formats
import PhoneNumbers
import Runtime

enum CarrierCommand: Command {
  static let name = "carrier"
  static let summary = "set up carriers: create, list, show, test, enable, disable, remove; check a profile"
  static let help = """
    switchboard carrier profiles [--data DIR] [--json]
    switchboard carrier create NAME --profile PROFILE [--set KEY=VALUE]… [--prefix +358]… [--rank 100]
                               [--number NUMBER[=ACCOUNT-ID]]… [--parts-per-second N] [--window N] [--poll]
                               [--allow-private] [--data DIR] [--json]
    switchboard carrier list [--data DIR] [--json]
    switchboard carrier show NAME [--data DIR] [--json]
    switchboard carrier test NAME --to NUMBER [--text TEXT] [--from SENDER] [--seconds 60] [--data DIR] [--json]
    switchboard carrier enable NAME | disable NAME | remove NAME [--data DIR] [--json]
    switchboard carrier check FILE [--json]

    A setting whose value is `-` is read from the standard input, so that a password stays out of the shell's history.
    `test` sends one message by this carrier and no other, and shows its life, as `send --wait` does.
    `create` prints the path at which the carrier reaches us with receipts and answers. `check` runs the examples in a
    profile of your own; put it into profiles/carriers/ of the data folder to use it.

    Example: switchboard carrier create fast --profile httpsms --set user=me --set password=-
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let isJSON = arguments.flag("--json")
    switch arguments.word() {
    case "profiles": return try profiles(folder, isJSON, &arguments)
    case "create": return try await create(folder, isJSON, &arguments)
    case "list": return try await list(folder, isJSON, &arguments)
    case "show": return try await show(folder, isJSON, &arguments)
    case "test": return try await test(isJSON, folder, &arguments)
    case "enable": return try await setEnabled(true, folder, isJSON, &arguments)
    case "disable": return try await setEnabled(false, folder, isJSON, &arguments)
    case "remove": return try await remove(folder, isJSON, &arguments)
    case "check": return try check(isJSON, &arguments)
    default:
      throw UsageError("carrier needs one of profiles, create, list, show, test, enable, disable, remove, check.")
    }
  }

  private static func profiles(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) throws -> ExitStatus {
    try arguments.finish()
    let library = ProfileLibrary(folder)
    if isJSON {
      let known = try library.names.map { (name: $0, profile: try library.profile($0)) }
      Output.bytes(
        JSONWriter.object { json in
          json.field("items", known) { json, entry in
            json.object { json in
              json.field("name", entry.name)
              json.field("title", entry.profile.title)
              json.field("settings", entry.profile.settings) { json, field in
                json.object { json in
                  json.field("name", field.name)
                  json.field("secret", field.isSecret)
                  json.field("required", field.isRequired)
                  json.field("default", field.defaultValue)
                  json.field("doc", field.doc)
                }
              }
            }
          }
        })
      return .done
    }
    for name in library.names {
      let profile = try library.profile(name)
      Output.line("\(name): \(profile.title)")
      for field in profile.settings {
        let need = field.isRequired ? "" : field.defaultValue.map { ", else \($0)" } ?? ", may be left out"
        Output.line("  \(field.name)\(field.isSecret ? " (secret)" : "")\(need): \(field.doc)")
      }
    }
    return .done
  }

  private static func create(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    guard let name = arguments.word(), CarrierRecord.isName(name) else {
      throw UsageError("A carrier's name has up to 32 small letters, digits and dashes.")
    }
    let profile = try ProfileLibrary(folder).profile(try arguments.required("--profile"))
    var record = CarrierRecord(
      name: name, profile: profile.name, settings: try settings(&arguments),
      callbackSecret: Base64URL.encode(randomBytes(24)))
    record.prefixes = try arguments.values("--prefix")
    record.rank = try arguments.integer("--rank", in: 0...1_000_000) ?? 100
    record.partsPerSecond = try arguments.integer("--parts-per-second", in: 1...100_000).map(Double.init)
    record.window = try arguments.integer("--window", in: 1...1000)
    record.isPolled = arguments.flag("--poll")
    record.allowsPrivateAddresses = arguments.flag("--allow-private")
    let numbers = try numbers(&arguments)
    try arguments.finish()
    guard record.prefixes.allSatisfy(isPrefix) else { throw UsageError("--prefix is + and up to 14 digits.") }
    let problems = profile.problems(withSettings: record.settings)
    guard problems.isEmpty else {
      throw UsageError(
        "\(problems.joined(separator: " ")) --set takes \(profile.settings.map(\.name).joined(separator: ", ")); "
          + "`switchboard carrier profiles` explains them.")
    }
    try await folder.open().use { open in
      try await open.database.transaction { [record] tx in
        do {
          let store = CarrierStore(key: open.key)
          let number = try store.create(record, at: SystemClock().now, tx: tx)
          for (address, account) in numbers { try store.assign(address, to: number, account: account, tx: tx) }
        } catch DatabaseError.uniqueViolation {
          throw CommandError("There is a carrier of this name already; nothing was changed.")
        }
      }
    }
    let path = "/hooks/\(name)/\(record.callbackSecret)"
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("name", name)
          json.field("callback", path)
        })
    } else {
      Output.line("Carrier \(name) is in service. Receipts and answers reach us at the exchange's address and\n\(path)")
    }
    return .done
  }

  private static func isPrefix(_ text: String) -> Bool {
    text.hasPrefix("+") && (2...15).contains(text.utf8.count)
      && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func settings(_ arguments: inout Arguments) throws -> [String: String] {
    var settings: [String: String] = [:]
    for pair in try arguments.values("--set") {
      guard let equals = pair.firstIndex(of: "=") else { throw UsageError("--set is KEY=VALUE.") }
      var value = String(pair[pair.index(after: equals)...])
      if value == "-" {
        guard let line = readLine(strippingNewline: true) else {
          throw UsageError("A setting of `-` is read from the standard input, one line each.")
        }
        value = line
      }
      settings[String(pair[..<equals])] = value
    }
    return settings
  }

  private static func numbers(_ arguments: inout Arguments) throws -> [(String, AccountID?)] {
    try arguments.values("--number").map { text in
      let parts = text.split(separator: "=", maxSplits: 1)
      guard let address = parts.first.flatMap({ try? PhoneNumberParser(strict: false).parse(String($0), region: nil) })
      else { throw UsageError("--number is a number with its country code, like +358401234567.") }
      guard parts.count == 2 else { return (address.e164, nil) }
      guard let account = AccountID(parts[1]) else { throw UsageError("--number NUMBER=ACCOUNT-ID names an account.") }
      return (address.e164, account)
    }
  }

  private static func carriers(_ folder: DataFolder) async throws -> [CarrierRecord] {
    try await folder.open().use { open in
      try await open.database.read { tx in try CarrierStore(key: open.key).carriers(tx: tx) }
    }.filter { !$0.name.contains("~") }
  }

  private static func list(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    try arguments.finish()
    let carriers = try await carriers(folder)
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("items", carriers) { json, carrier in
            json.object { json in
              json.field("name", carrier.name)
              json.field("profile", carrier.profile)
              json.field("enabled", carrier.isEnabled)
              json.field("rank", carrier.rank)
              json.field("prefixes", carrier.prefixes) { $0.string($1) }
            }
          }
        })
    } else {
      for carrier in carriers {
        let prefixes = carrier.prefixes.isEmpty ? "all numbers" : carrier.prefixes.joined(separator: " ")
        Output.line(
          "\(carrier.name)  \(carrier.profile)  \(carrier.isEnabled ? "enabled" : "disabled")  rank \(carrier.rank)  \(prefixes)"
        )
      }
    }
    return .done
  }

  /// Secrets are named, never shown.
  private static func show(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let name = try name(&arguments)
    guard let carrier = try await carriers(folder).first(where: { $0.name == name }) else { throw none }
    guard carrier.isReadable else { throw CommandError("\(name) can not be shown: \(CarrierLoader.unreadable).") }
    let profile = try ProfileLibrary(folder).profile(carrier.profile)
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("name", carrier.name)
          json.field("profile", carrier.profile)
          json.field("enabled", carrier.isEnabled)
          json.field("rank", carrier.rank)
          json.field("prefixes", carrier.prefixes) { $0.string($1) }
          json.object("settings") { json in
            for field in profile.settings where !field.isSecret {
              guard let value = carrier.settings[field.name] ?? field.defaultValue else { continue }
              json.key(dynamic: field.name)
              json.string(value)
            }
          }
          json.field("callback", "/hooks/\(carrier.name)/\(carrier.callbackSecret)")
        })
      return .done
    }
    let prefixes = carrier.prefixes.isEmpty ? "all numbers" : carrier.prefixes.joined(separator: " ")
    Output.line("\(carrier.name): \(profile.title), \(carrier.isEnabled ? "enabled" : "disabled")")
    Output.line("  rank \(carrier.rank), \(prefixes)\(carrier.isPolled ? ", polled" : "")")
    for field in profile.settings {
      let value = carrier.settings[field.name].map { field.isSecret ? "(set)" : $0 } ?? field.defaultValue ?? "-"
      Output.line("  \(field.name) = \(value)")
    }
    Output.line("  callbacks at /hooks/\(carrier.name)/\(carrier.callbackSecret)")
    return .done
  }

  /// A removed one has a name that can not be typed.
  private static func name(_ arguments: inout Arguments) throws -> String {
    guard let name = arguments.word() else { throw UsageError("Name the carrier.") }
    try arguments.finish()
    guard CarrierRecord.isName(name) else { throw none }
    return name
  }

  private static func test(
    _ isJSON: Bool, _ folder: DataFolder, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    guard let name = arguments.word() else { throw UsageError("Name the carrier.") }
    let text = try arguments.value("--text") ?? "A test of the carrier \(name)"
    var words = ["--carrier", name, "--text", text, "--wait", "--data", folder.path] + arguments.words
    if isJSON { words.append("--json") }
    var rest = Arguments(words)
    return try await SendCommand.run(&rest)
  }

  private static func setEnabled(
    _ isEnabled: Bool, _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let name = try name(&arguments)
    try await folder.open().use { open in
      try await open.database.transaction { tx in
        let store = CarrierStore(key: open.key)
        guard try store.setEnabled(isEnabled, name: name, at: SystemClock().now, tx: tx) else { throw none }
      }
    }
    Output.done(
      "\(name) is \(isEnabled ? "enabled" : "disabled"); a running server follows within a second.", isJSON: isJSON
    ) { json in
      json.field("name", name)
      json.field("enabled", isEnabled)
    }
    return .done
  }

  private static func remove(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let name = try name(&arguments)
    try await folder.open().use { open in
      try await open.database.transaction { tx in
        guard try CarrierStore(key: open.key).retire(name: name, at: SystemClock().now, tx: tx) else { throw none }
      }
    }
    Output.done(
      "\(name) is removed. What waited for it goes by another carrier, or expires; history is kept.", isJSON: isJSON
    ) { json in json.field("name", name) }
    return .done
  }

  private static func check(_ isJSON: Bool, _ arguments: inout Arguments) throws -> ExitStatus {
    guard let file = arguments.word() else { throw UsageError("Name the profile's file.") }
    try arguments.finish()
    guard let bytes = FileReading.bytes(of: file, limit: 1 << 20) else {
      throw CommandError("\(file) can not be read, or is larger than a profile may be.")
    }
    let profile = try CarrierProfile(json5: bytes, file: file)
    let problems = profile.examplesProblems()
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("title", profile.title)
          json.field("problems", problems) { $0.string("\($1)") }
        })
    } else if problems.isEmpty {
      Output.line("\(profile.title): the profile is good, and all its examples hold.")
    } else {
      for problem in problems { Output.line("\(problem)") }
    }
    return problems.isEmpty ? .done : .failed
  }

  private static let none = CommandError("There is no such carrier; `switchboard carrier list` shows them.")
}
