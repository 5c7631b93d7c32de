import Contract
package import Database
package import Doors
package import Exchange
import Formats
package import Network
package import Runtime

/// `/api/v1/account`: one's own account.
package struct AccountDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let accounts: AccountStore
  private let clock: any WallClock

  package init(door: APIDoor, database: any Database, accounts: AccountStore, clock: any WallClock) {
    self.door = door
    self.database = database
    self.accounts = accounts
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/account") { request in
      await door.answer(request, scope: nil) {
        try request.refuseQuery()
        return Self.show($0.account)
      }
    }
    router.on("PATCH", "/api/v1/account", maximumBody: 4096) { request in
      await door.answer(request, scope: nil) { try await change(request, $0) }
    }
  }

  private static func show(_ account: AccountRecord) -> HTTPResponse {
    .json(
      200,
      JSONWriter.object { json in
        json.field("id", account.id)
        json.field("phone", account.phone)
        json.field("name", account.name)
        json.field("role", account.role.rawValue)
        json.field("locale", account.locale)
        json.field("zone", account.zone)
        json.field("region", account.region)
        json.field("currency", account.currency)
        json.field("createdAt", account.created)
      })
  }

  private func change(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    // A key is for its scopes; who owns the account is not among them.
    guard case .session = caller.way else { throw APIError(.scopeMissing, detail: "a session") }
    let change = try request.jsonObject { fields throws(APIError) in try AccountChange(&fields) }
    let id = caller.account.id
    let now = clock.now
    let account = try await database.transaction { [accounts] tx in
      try accounts.change(change, of: id, at: now, tx: tx)
      return try accounts.account(id, tx: tx)
    }
    door.authenticator.forget()
    guard let account else { throw APIError(.notFound) }
    return Self.show(account)
  }
}

extension AccountChange {
  init(_ fields: inout JSONFields) throws(APIError) {
    self.init()
    if let name = try fields.string("name") {
      guard name.unicodeScalars.count <= 100 else { throw fields.invalid("name", "has at most 100 characters") }
      self.name = name
    }
    if let locale = try fields.string("locale") {
      guard ["en", "fi", "zh-Hans"].contains(locale) else {
        throw fields.invalid("locale", "is one of en, fi, zh-Hans")
      }
      self.locale = locale
    }
    if let zone = try fields.string("zone") {
      guard Self.isZone(zone) else { throw fields.invalid("zone", "is an IANA time zone, like Europe/Helsinki") }
      self.zone = zone
    }
    if let region = try fields.string("region") {
      guard Self.isUpper(region, 2) else { throw fields.invalid("region", "is an ISO 3166 code, like FI") }
      self.region = region
    }
    if let currency = try fields.string("currency") {
      guard Self.isUpper(currency, 3) else { throw fields.invalid("currency", "is an ISO 4217 code, like EUR") }
      self.currency = currency
    }
  }

  private static func isUpper(_ text: String, _ length: Int) -> Bool {
    text.utf8.count == length && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  private static func isZone(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
          || [0x2F, 0x5F, 0x2B, 0x2D].contains(byte)
      }
  }
}
