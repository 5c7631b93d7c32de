import Contract
package import Cryptography
package import Database
package import Doors
package import Exchange
import Formats
package import Network
package import PhoneNumbers
package import Runtime

/// `/api/v1/sessions`: signing in with a password, and out.
package struct SessionsDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let accounts: AccountStore
  private let passwords: PasswordHasher
  private let numbers: PhoneNumberParser
  private let attempts: AttemptLimiter
  private let clock: any WallClock

  package init(
    door: APIDoor, database: any Database, accounts: AccountStore, passwords: PasswordHasher,
    numbers: PhoneNumberParser, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.accounts = accounts
    self.passwords = passwords
    self.numbers = numbers
    self.clock = clock
    attempts = AttemptLimiter()
  }

  package func routes(_ router: inout Router) {
    router.on("POST", "/api/v1/sessions", maximumBody: 4096) { request in
      await door.answer(request) { try await signIn(request) }
    }
    router.on("DELETE", "/api/v1/sessions/current") { request in
      await door.answer(request, scope: nil) { try await signOut(request, $0) }
    }
  }

  /// The same answer and the same work for an unknown number and a wrong password, so that nobody learns which
  /// numbers have accounts.
  private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.headers.contains("origin") { try Authenticator.requireSameOrigin(request) }
    let (phone, password) = try request.jsonObject { fields throws(APIError) in
      let phone = try fields.string("phone")
      let password = try fields.requiredString("password")
      guard (1...PasswordHasher.longestPassword).contains(password.utf8.count) else {
        throw fields.invalid("password", "has from 1 to \(PasswordHasher.longestPassword) bytes")
      }
      return (phone, password)
    }
    let now = clock.now
    let number = phone.flatMap { try? numbers.parse($0, region: nil).e164 }
    // However the number is written, it is one account; what is no number is none.
    let tried = phone == nil ? "household" : number
    guard attempts.mayTry(from: request.remoteAddress, for: tried, at: now) else {
      throw APIError(.tooManyAttempts, retryAfter: AttemptLimiter.window)
    }
    let account = try await database.read { [accounts] tx in
      if phone == nil { return try accounts.onlyHouseholdAccount(tx: tx) }
      return try number.flatMap { try accounts.account(phone: $0, tx: tx) }
    }
    let isRight: Bool
    do { isRight = try await passwords.verify(password, against: account?.password) } catch {
      throw APIError(.unavailable, retryAfter: .seconds(1))
    }
    guard isRight, let account else { throw APIError(.wrongCredentials) }
    attempts.succeeded(from: request.remoteAddress, for: tried)
    let agent = request.headers["user-agent"]
    let token = try await database.transaction { [accounts] tx in
      try accounts.createSession(for: account.id, agent: agent, at: now, tx: tx)
    }
    var response = HTTPResponse.json(201, JSONWriter.object { json in json.field("account", account.id) })
    // Behind a proxy only the page knows that it came over TLS.
    let isSecure = request.isSecure || request.headers["origin"]?.hasPrefix("https://") == true
    response.headers.add("set-cookie", Self.cookie(token, life: AccountStore.sessionLife, isSecure: isSecure))
    return response
  }

  private func signOut(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    guard case .session(let id) = caller.way else {
      throw APIError(.scopeMissing, detail: "a session")
    }
    try await database.transaction { [accounts] tx in try accounts.endSession(id, tx: tx) }
    var response = HTTPResponse(status: 204)
    response.headers.add("set-cookie", Self.cookie("", life: .zero, isSecure: false))
    return response
  }

  private static func cookie(_ token: String, life: Duration, isSecure: Bool) -> String {
    "\(Authenticator.cookieName)=\(token); Path=/; Max-Age=\(life.inMilliseconds / 1000); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }
}
