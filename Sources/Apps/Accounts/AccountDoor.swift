import Contract
package import Cryptography
package import Database
package import Doors
package import Exchange
import Formats
package import Network
package import Runtime

/// `/api/v1/account`: one's own account.
package struct AccountDoor: Sendable {
  let door: APIDoor
  let database: any Database
  let accounts: AccountStore
  let erasures: ErasureStore
  let passwords: PasswordHasher
  let attempts: AttemptLimiter
  let hub: EventHub
  let clock: any WallClock

  package init(
    door: APIDoor, database: any Database, accounts: AccountStore, erasures: ErasureStore = ErasureStore(),
    passwords: PasswordHasher, attempts: AttemptLimiter = AttemptLimiter(), hub: EventHub, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.accounts = accounts
    self.erasures = erasures
    self.passwords = passwords
    self.attempts = attempts
    self.hub = hub
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
    router.on("POST", "/api/v1/account/password", maximumBody: 4096) { request in
      await door.answer(request, scope: nil) { try await changePassword(request, $0) }
    }
    router.on("DELETE", "/api/v1/account", maximumBody: 4096) { request in
      await door.answer(request, scope: nil) { try await delete(request, $0) }
    }
  }

  private static func show(_ account: AccountRecord) -> HTTPResponse {
    var json = JSONWriter()
    account.write(&json)
    return .json(200, json.bytes)
  }

  private func change(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    _ = try caller.session()
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
    locale = try fields.locale("locale")
    zone = try fields.zone("zone")
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
}

extension JSONFields {
  /// A language that the pages have.
  mutating func locale(_ name: String) throws(APIError) -> String? {
    guard let locale = try string(name) else { return nil }
    guard ["en", "fi", "zh-Hans"].contains(locale) else { throw invalid(name, "is one of en, fi, zh-Hans") }
    return locale
  }

  mutating func zone(_ name: String) throws(APIError) -> String? {
    guard let zone = try string(name) else { return nil }
    let isZone =
      (1...64).contains(zone.utf8.count)
      && zone.utf8.allSatisfy { byte in
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
          || [0x2F, 0x5F, 0x2B, 0x2D].contains(byte)
      }
    guard isZone else { throw invalid(name, "is an IANA time zone, like Europe/Helsinki") }
    return zone
  }
}
