import Contract
import Database
import Exchange
import Formats
import Runtime

enum KeyCommand: Command {
  static let name = "key"
  static let summary = "create, list and remove API keys"
  static let help = """
    switchboard key create --account ID --scopes SCOPE,… [--name NAME] [--data DIR] [--json]
    switchboard key list --account ID [--data DIR] [--json]
    switchboard key remove KEY-ID [--data DIR] [--json]

    Scopes: \(Scope.allCases.map(\.rawValue).joined(separator: " ")). Works beside a running server, which notices
    within a second. The key itself is shown once.

    Example: switchboard key create --account acc_… --scopes messages:send,messages:read
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let isJSON = arguments.flag("--json")
    switch arguments.word() {
    case "create": return try await create(folder, isJSON, &arguments)
    case "list": return try await list(folder, isJSON, &arguments)
    case "remove": return try await remove(folder, isJSON, &arguments)
    default: throw UsageError("key needs one of create, list, remove.")
    }
  }

  private static func create(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let account = try account(&arguments)
    let scopes = try scopes(try arguments.required("--scopes"))
    let name = try arguments.value("--name")
    try arguments.finish()
    let made = try await folder.open().use { open in
      try await open.database.transaction { tx in
        guard try open.accounts.account(account, tx: tx) != nil else { throw AccountCommand.none }
        return try open.accounts.createKey(for: account, name: name, scopes: scopes, at: SystemClock().now, tx: tx)
      }
    }
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("id", made.id)
          json.field("key", made.key)
        })
    } else {
      Output.line("\(made.key)\nThis is the only time that the key is shown. Its id is \(made.id).")
    }
    return .done
  }

  private static func scopes(_ text: String) throws(UsageError) -> Set<Scope> {
    var scopes: Set<Scope> = []
    for word in text.split(separator: ",") {
      guard let scope = Scope(rawValue: String(word)) else {
        throw UsageError("'\(word)' is no scope; there are \(Scope.allCases.map(\.rawValue).joined(separator: " ")).")
      }
      scopes.insert(scope)
    }
    guard !scopes.isEmpty else { throw UsageError("--scopes names at least one scope.") }
    return scopes
  }

  private static func account(_ arguments: inout Arguments) throws -> AccountID {
    guard let account = AccountID(try arguments.required("--account")) else {
      throw UsageError("--account is an account's id; `switchboard account list` shows them.")
    }
    return account
  }

  private static func list(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let account = try account(&arguments)
    try arguments.finish()
    let keys = try await folder.open().use { open in
      try await open.database.read { tx in
        guard try open.accounts.account(account, tx: tx) != nil else { throw AccountCommand.none }
        return try open.accounts.keys(of: account, tx: tx)
      }
    }
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("items", keys) { json, key in
            json.object { json in
              json.field("id", key.id)
              json.field("name", key.name)
              json.field("scopes", key.scopes.map(\.rawValue).sorted()) { $0.string($1) }
              json.field("createdAt", key.created)
            }
          }
        })
    } else {
      for key in keys {
        Output.line("\(key.id)  \(key.scopes.map(\.rawValue).sorted().joined(separator: ","))  \(key.name ?? "")")
      }
    }
    return .done
  }

  private static func remove(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    guard let id = arguments.word().flatMap({ KeyID($0) }) else {
      throw UsageError("Name the key by its id; `switchboard key list` shows them.")
    }
    try arguments.finish()
    let isRemoved = try await folder.open().use { open in
      try await open.database.transaction { tx in try open.accounts.removeKey(id, tx: tx) }
    }
    guard isRemoved else { throw CommandError("There is no such key.") }
    Output.done("The key is gone; a running server takes it no more within a second.", isJSON: isJSON) { json in
      json.field("id", id)
    }
    return .done
  }
}
