import Contract
import Cryptography
import Database
import Doors
import Exchange
import Formats
import Network
import Runtime

/// What only somebody may do who still knows the password: change it, and delete the account.
extension AccountDoor {
  func changePassword(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    let session = try caller.session()
    let (current, new) = try request.jsonObject { fields throws(APIError) in
      (try fields.password("current"), try fields.password("new"))
    }
    try await requirePassword(current, request, caller)
    try PasswordRule.check(new, phone: caller.account.phone)
    let hash = try await passwords.hashed(new)
    let account = caller.account
    let now = clock.now
    try await database.transaction { [accounts] tx in
      // Another session may have changed it in between.
      guard try accounts.account(account.id, tx: tx)?.password == account.password else {
        throw APIError(.wrongPassword)
      }
      try accounts.setPassword(hash, of: account.id, at: now, tx: tx)
      try accounts.endSessions(of: account.id, except: session, tx: tx)
    }
    door.authenticator.forget()
    hub.signal([account.id.value])
    return HTTPResponse(status: 204)
  }

  func delete(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    _ = try caller.session()
    let password = try request.jsonObject { fields throws(APIError) in try fields.password("password") }
    try await requirePassword(password, request, caller)
    let account = caller.account.id
    let now = clock.now
    let erases = try await database.transaction { [accounts, erasures] tx in
      try erasures.ask(account, accounts: accounts, at: now, tx: tx)
    }
    door.authenticator.forget()
    // Its streams end.
    hub.signal([account.value])
    var response = HTTPResponse.json(202, JSONWriter.object { json in json.field("erasesAt", erases) })
    SessionCookie.clear(on: &response)
    return response
  }

  /// Counted with those who sign in: a browser that was left open must not tell the password to whoever finds it.
  private func requirePassword(_ password: String, _ request: HTTPRequest, _ caller: Caller) async throws {
    let tried = caller.account.phone ?? "household"
    guard attempts.mayTry(from: request.remoteAddress, for: tried, at: clock.now) else {
      throw APIError(.tooManyAttempts, retryAfter: AttemptLimiter.window)
    }
    guard try await passwords.isRight(password, against: caller.account.password) else {
      throw APIError(.wrongPassword)
    }
    attempts.succeeded(from: request.remoteAddress, for: tried)
  }
}
