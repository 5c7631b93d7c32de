import Contract
package import Database
package import Doors
package import Exchange
import Formats
package import Network
import Runtime

/// `/api/v1/start`: all that a page has to know before it shows anything.
package struct StartDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let accounts: AccountStore
  private let policy: SignUpPolicy
  private let version: String
  private let hasGateway: @Sendable () -> Bool

  /// Nobody reads a larger number.
  private static let mostUnread = 10_000

  /// - Parameter hasGateway: whether a carrier for texts is in service.
  package init(
    door: APIDoor, database: any Database, accounts: AccountStore, policy: SignUpPolicy, version: String,
    hasGateway: @escaping @Sendable () -> Bool
  ) {
    self.door = door
    self.database = database
    self.accounts = accounts
    self.policy = policy
    self.version = version
    self.hasGateway = hasGateway
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/start") { request in
      await door.answer(request) {
        try request.refuseQuery()
        return .json(200, try await start(for: request))
      }
    }
  }

  /// The same for a page that has it inside.
  /// - Returns: JSON; `{}` where it can not be known now, so that the page asks for itself.
  package func first(for request: HTTPRequest) async -> [UInt8] {
    (try? await start(for: request)) ?? Array("{}".utf8)
  }

  private func start(for request: HTTPRequest) async throws -> [UInt8] {
    let account = try await person(request)
    let (isHousehold, unread) = try await database.read { [accounts] tx in
      (
        try accounts.onlyHouseholdAccount(tx: tx) != nil,
        try account.map { try Self.unread(of: $0.id, tx: tx) } ?? 0
      )
    }
    return JSONWriter.object { json in
      json.field("version", version)
      json.field("signUp", policy.isOpen ? "open" : "closed")
      json.field("household", isHousehold)
      json.field("gateway", hasGateway())
      json.field("region", policy.region)
      if let countries = policy.countries {
        json.field("countries", countries) { $0.string($1) }
      } else {
        json.field("countries", nil as String?)
      }
      json.field("terms", SignUpPolicy.terms)
      json.key("account")
      if let account { account.write(&json) } else { json.null() }
      json.field("unread", unread)
    }
  }

  /// Whose session it is; nil for anybody else.
  private func person(_ request: HTTPRequest) async throws -> AccountRecord? {
    guard request.headers["authorization"] == nil else { return nil }
    do { return try await door.authenticator.caller(of: request).account } catch is APIError { return nil }
  }

  private static func unread(of account: AccountID, tx: any Transaction) throws -> Int {
    try tx.first(
      "SELECT COUNT(*) FROM (SELECT 1 FROM inbound WHERE account = $1 AND is_read = 0 LIMIT $2) AS unread",
      [.id(account), .integer(mostUnread)]
    ) { $0.int(0) } ?? 0
  }
}
