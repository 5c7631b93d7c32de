import Contract
package import Cryptography
package import Database
package import Doors
package import Exchange
import Formats
package import Network
package import PhoneNumbers
package import Runtime

/// `/api/v1/sessions`: signing in with a password, and out; where one is signed in.
package struct SessionsDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let accounts: AccountStore
  private let erasures: ErasureStore
  private let passwords: PasswordHasher
  private let numbers: PhoneNumberParser
  private let attempts: AttemptLimiter
  private let region: String?
  private let clock: any WallClock

  /// - Parameter region: where a number without a country code belongs.
  package init(
    door: APIDoor, database: any Database, accounts: AccountStore, erasures: ErasureStore = ErasureStore(),
    passwords: PasswordHasher, numbers: PhoneNumberParser, attempts: AttemptLimiter = AttemptLimiter(),
    region: String? = nil, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.accounts = accounts
    self.erasures = erasures
    self.passwords = passwords
    self.numbers = numbers
    self.attempts = attempts
    self.region = region
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("POST", "/api/v1/sessions", maximumBody: 4096) { request in
      await door.answer(request) { try await signIn(request) }
    }
    router.on("GET", "/api/v1/sessions") { request in
      await door.answer(request, scope: nil) { try await list(request, $0) }
    }
    router.on("DELETE", "/api/v1/sessions/current") { request in
      await door.answer(request, scope: nil) { caller in
        try await end(try caller.session(), request, caller)
      }
    }
    router.on("DELETE", "/api/v1/sessions/{id}") { request in
      await door.answer(request, scope: nil) { caller in
        _ = try caller.session()
        guard let id = request.parameters["id"].flatMap({ SessionID($0) }) else { throw APIError(.notFound) }
        return try await end(id, request, caller)
      }
    }
  }

  /// The same answer and the same work for an unknown number and a wrong password, so that nobody learns which
  /// numbers have accounts.
  private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.headers.contains("origin") { try Authenticator.requireSameOrigin(request) }
    let (phone, password) = try request.jsonObject { fields throws(APIError) in
      let phone = try fields.string("phone")
      return (phone, try fields.password("password"))
    }
    let now = clock.now
    let number = phone.flatMap { try? numbers.parse($0, region: region).e164 }
    // However the number is written, it is one account; what is no number is none.
    let tried = phone == nil ? "household" : number
    guard attempts.mayTry(from: request.remoteAddress, for: tried, at: now) else {
      throw APIError(.tooManyAttempts, retryAfter: AttemptLimiter.window)
    }
    let account = try await database.read { [accounts] tx in
      if phone == nil { return try accounts.onlyHouseholdAccount(tx: tx) }
      return try number.flatMap { try accounts.account(phone: $0, tx: tx) }
    }
    guard try await passwords.isRight(password, against: account?.password), let account else {
      throw APIError(.wrongCredentials)
    }
    attempts.succeeded(from: request.remoteAddress, for: tried)
    let agent = request.headers["user-agent"]
    let (token, isRestored) = try await database.transaction { [accounts, erasures] tx in
      // Erased, or given another password, while this one was looked at.
      guard try accounts.account(account.id, tx: tx)?.password == account.password else {
        throw APIError(.wrongCredentials)
      }
      let isRestored = try erasures.undo(account.id, tx: tx)
      return (try accounts.createSession(for: account.id, agent: agent, at: now, tx: tx), isRestored)
    }
    var response = HTTPResponse.json(
      201,
      JSONWriter.object { json in
        json.key("account")
        account.write(&json)
        json.field("restored", isRestored)
      })
    SessionCookie.set(token, on: &response, for: request)
    return response
  }

  private func list(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    let current = try caller.session()
    let now = clock.now
    let sessions = try await database.read { [accounts] tx in
      try accounts.sessions(of: caller.account.id, at: now, tx: tx)
    }
    return .json(
      200, JSONWriter.object { json in json.field("items", sessions) { $1.write(&$0, current: current) } })
  }

  private func end(_ id: SessionID, _ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    let isThere = try await database.transaction { [accounts] tx in
      try accounts.endSession(id, of: caller.account.id, tx: tx)
    }
    let isCurrent = try caller.session() == id
    guard isThere || isCurrent else { throw APIError(.notFound) }
    var response = HTTPResponse(status: 204)
    if isCurrent { SessionCookie.clear(on: &response) }
    return response
  }
}

extension SessionRecord {
  func write(_ json: inout JSONWriter, current: SessionID?) {
    json.object { json in
      json.field("id", id)
      json.field("current", id == current)
      json.field("agent", agent)
      json.field("createdAt", created)
      json.field("expiresAt", expires)
    }
  }
}

extension Caller {
  /// The session of a person who signed in; a key is for its scopes, and whose account it is, is not among them.
  func session() throws(APIError) -> SessionID {
    guard case .session(let id) = way else { throw APIError(.scopeMissing, detail: "a session") }
    return id
  }
}

extension JSONFields {
  /// A password that is looked at, not chosen.
  mutating func password(_ name: String) throws(APIError) -> String {
    let password = try requiredString(name)
    guard (1...PasswordHasher.longestPassword).contains(password.utf8.count) else {
      throw invalid(name, "has from 1 to \(PasswordHasher.longestPassword) bytes")
    }
    return password
  }
}

extension PasswordHasher {
  /// - Throws: `unavailable` where too many wait already.
  func isRight(_ password: String, against hash: String?) async throws(APIError) -> Bool {
    do { return try await verify(password, against: hash) } catch {
      throw APIError(.unavailable, retryAfter: .seconds(1))
    }
  }

  /// - Throws: `unavailable` where too many wait already.
  func hashed(_ password: String) async throws(APIError) -> String {
    do { return try await hash(password) } catch { throw APIError(.unavailable, retryAfter: .seconds(1)) }
  }
}
