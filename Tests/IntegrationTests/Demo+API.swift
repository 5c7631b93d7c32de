import Database
import Formats
import Foundation

/// The exchange as the tests of its API see it.
extension Demo {
  /// The answer with its header fields. Without a content type given, a body is JSON.
  func raw(
    _ method: String, _ path: String, _ body: String? = nil, headers: [(name: String, value: String)] = [],
    key: String? = nil
  ) async throws -> RawCall.Answer {
    var headers = headers
    headers.append((name: "Authorization", value: "Bearer \(key ?? self.key)"))
    if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    return try await RawCall(method: method, path: path, headers: headers, body: body.map { Array($0.utf8) })
      .send(to: address)
  }

  /// The ids of a list, newest first.
  func ids(_ path: String, key: String? = nil) async throws -> [String] {
    let answer = try await call("GET", path + "?limit=1000", key: key)
    guard let items = answer.json["items"]?.array else { throw Failure("no list: \(answer.json)") }
    return items.compactMap { $0["id"]?.string }
  }

  /// Everything that a request could have added to. Not the demo phone's answers: they come when they come.
  func kept() async throws -> [String] {
    let inbox = try await call("GET", "/api/v1/inbox?limit=1000").json["items"]?.array ?? []
    let texts = inbox.filter { $0["from"]?.string != Demo.phone }.compactMap { $0["id"]?.string }
    return try await ids("/api/v1/messages") + texts
  }

  /// The account of the demo key.
  func account() async throws -> String {
    guard let id = try await call("GET", "/api/v1/account").json["id"]?.string else { throw Failure("no account") }
    return id
  }

  /// A key of the demo account, or another, that may do only this.
  func createKey(_ scopes: String, of account: String? = nil) async throws -> (id: String, key: String) {
    let owner = if let account { account } else { try await self.account() }
    let made = try await commandJSON(["key", "create", "--account", owner, "--scopes", scopes])
    guard let id = made["id"]?.string, let key = made["key"]?.string else { throw Failure("no key: \(made)") }
    return (id, key)
  }

  /// An account with a password.
  func createAccount(_ phone: String, password: String) async throws -> String {
    let made = try await commandJSON(
      ["account", "create", "--phone", phone, "--password-stdin"], input: password + "\n")
    guard let id = made["id"]?.string else { throw Failure("no account: \(made)") }
    return id
  }

  /// The path at which a carrier reaches the exchange.
  func callback(of carrier: String) async throws -> String {
    let shown = try await command(["carrier", "show", carrier])
    guard let path = shown.printed.firstMatch(of: /\/hooks\/\S+/) else {
      throw Failure("no callback: \(shown.printed)")
    }
    return String(path.0)
  }

  /// Runs statements in the exchange's database, beside it.
  func inDatabase<Result>(_ body: (any Transaction) throws -> Result) throws -> Result {
    try body(try SQLiteConnection(.file(data + "/switchboard.db")))
  }

  /// The number that a statement gives.
  func number(_ statement: SQL) throws -> Int {
    try inDatabase { tx in try tx.first(statement, []) { $0.int(0) } ?? 0 }
  }
}
