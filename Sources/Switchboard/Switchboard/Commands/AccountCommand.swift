import Accounts
import Contract
import Cryptography
import Database
import Exchange
import Formats
import Foundation
import PhoneNumbers
import Runtime

enum AccountCommand: Command {
  static let name = "account"
  static let summary = "create, list and show accounts; set a password or a limit"
  static let help = """
    switchboard account create [--phone NUMBER] [--name NAME] [--role user|admin] [--password-stdin]
                               [--region FI] [--data DIR] [--json]
    switchboard account list [--data DIR] [--json]
    switchboard account show ID [--data DIR] [--json]
    switchboard account password ID --password-stdin [--data DIR] [--json]
    switchboard account limit ID (--daily AMOUNT | --none) [--data DIR] [--json]

    Works beside a running server. This is the only way to make an admin.
    A password has at least 8 characters, is none of the most common ones, and is read from the standard input, so
    that it stays out of the shell's history. Without --phone the account is for household mode: it signs in with the
    password only.

    Example: echo 'a good long password' | switchboard account create --phone '+358 40 123 4567' --role admin \\
               --password-stdin
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let isJSON = arguments.flag("--json")
    switch arguments.word() {
    case "create": return try await create(folder, isJSON, &arguments)
    case "list": return try await list(folder, isJSON, &arguments)
    case "show": return try await show(folder, isJSON, &arguments)
    case "password": return try await setPassword(folder, isJSON, &arguments)
    case "limit": return try await setLimit(folder, isJSON, &arguments)
    default: throw UsageError("account needs one of create, list, show, password, limit.")
    }
  }

  private static func create(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let phone = try arguments.value("--phone")
    let name = try arguments.value("--name")
    let region = try arguments.value("--region")
    guard let role = Role(rawValue: try arguments.value("--role") ?? "user") else {
      throw UsageError("--role is user or admin.")
    }
    let readsPassword = arguments.flag("--password-stdin")
    try arguments.finish()
    let number = try phone.map { try parsed($0, region) }
    let hash = readsPassword ? try await PasswordHasher().hash(try password(for: number)) : nil
    let id = try await folder.open().use { open in
      try await open.database.transaction { tx in
        do {
          return try open.accounts.create(
            phone: number, name: name, role: role, password: hash, region: region, at: SystemClock().now, tx: tx)
        } catch DatabaseError.uniqueViolation {
          throw CommandError("There is an account with this number already; nothing was changed.")
        }
      }
    }
    if isJSON {
      Output.bytes(
        JSONWriter.object { json in
          json.field("id", id)
          json.field("phone", number)
          json.field("role", role.rawValue)
        })
    } else {
      Output.line("Account \(id) was made\(number.map { " for \($0)" } ?? "").")
    }
    return .done
  }

  private static func parsed(_ text: String, _ region: String?) throws -> String {
    do { return try PhoneNumberParser().parse(text, region: region).e164 } catch {
      throw UsageError(error.description)
    }
  }

  static func password(for phone: String?) throws -> String {
    guard let line = readLine(strippingNewline: true) else {
      throw UsageError("The password is missing: one line on the standard input.")
    }
    do { try PasswordRule.check(line, phone: phone) } catch {
      throw UsageError("The password can not be taken: \(error.detail ?? error.message).")
    }
    return line
  }

  private static func list(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    try arguments.finish()
    let found = try await folder.open().use { open in
      try await open.database.read { tx in try open.accounts.accounts(before: nil, limit: 10_000, tx: tx) }
    }
    if isJSON {
      Output.bytes(JSONWriter.object { json in json.field("items", found) { write($1, to: &$0) } })
    } else {
      for account in found {
        Output.line("\(account.id)  \(account.role.rawValue)  \(account.phone ?? "-")  \(account.name ?? "")")
      }
    }
    return .done
  }

  private static func show(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let id = try accountID(&arguments)
    try arguments.finish()
    let (account, keys, spent) = try await folder.open().use { open in
      try await open.database.read { tx in
        guard let account = try open.accounts.account(id, tx: tx) else { throw none }
        return (
          account, try open.accounts.keys(of: id, tx: tx), try open.outbox.spent(by: id, on: SystemClock().now, tx: tx)
        )
      }
    }
    if isJSON {
      var json = JSONWriter()
      write(account, to: &json)
      Output.bytes(json.bytes)
    } else {
      Output.line("\(account.id)  \(account.role.rawValue)  \(account.phone ?? "no number")")
      Output.line("made \(account.created), spent today \(Price(micros: spent, currency: "").amount)")
      for key in keys {
        Output.line("key \(key.id)  \(key.scopes.map(\.rawValue).sorted().joined(separator: ","))  \(key.name ?? "")")
      }
    }
    return .done
  }

  private static func setPassword(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let id = try accountID(&arguments)
    guard arguments.flag("--password-stdin") else { throw UsageError("--password-stdin is missing.") }
    try arguments.finish()
    let hash = try await PasswordHasher().hash(try password(for: nil))
    try await folder.open().use { open in
      try await open.database.transaction { tx in
        guard try open.accounts.account(id, tx: tx) != nil else { throw none }
        try open.accounts.setPassword(hash, of: id, at: SystemClock().now, tx: tx)
        try open.accounts.endSessions(of: id, tx: tx)
      }
    }
    Output.done("The password was set, and the account was signed out everywhere.", isJSON: isJSON) { json in
      json.field("id", id)
    }
    return .done
  }

  private static func setLimit(
    _ folder: DataFolder, _ isJSON: Bool, _ arguments: inout Arguments
  ) async throws -> ExitStatus {
    let id = try accountID(&arguments)
    let amount = try arguments.value("--daily")
    let isUnset = arguments.flag("--none")
    try arguments.finish()
    guard isUnset != (amount != nil) else { throw UsageError("Give either --daily AMOUNT or --none.") }
    let cap = try amount.map { text throws(UsageError) in
      guard let micros = Price.micros(text) else { throw UsageError("--daily is an amount like 12.50.") }
      return micros
    }
    try await folder.open().use { open in
      try await open.database.transaction { tx in
        guard try open.accounts.setDailyCap(cap, of: id, at: SystemClock().now, tx: tx) else { throw none }
      }
    }
    Output.done(cap == nil ? "The account has no limit of its own now." : "The limit was set.", isJSON: isJSON) {
      json in
      json.field("id", id)
    }
    return .done
  }

  static func accountID(_ arguments: inout Arguments) throws -> AccountID {
    guard let word = arguments.word() else { throw UsageError("Name the account by its id.") }
    guard let id = AccountID(word) else { throw UsageError("'\(word)' is no account's id; `account list` shows them.") }
    return id
  }

  static let none = CommandError("There is no such account; `switchboard account list` shows them.")

  private static func write(_ account: AccountRecord, to json: inout JSONWriter) {
    json.object { json in
      json.field("id", account.id)
      json.field("phone", account.phone)
      json.field("name", account.name)
      json.field("role", account.role.rawValue)
      json.field("createdAt", account.created)
    }
  }
}
