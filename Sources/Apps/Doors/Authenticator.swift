package import Contract
import Cryptography
package import Database
package import Exchange
package import Network
package import Runtime

/// Finds out who a request is from: an API key as a bearer token, or a session cookie.
package final class Authenticator: Sendable {
  private struct Entry {
    let caller: Caller
    let until: Instant
  }

  private let store: AccountStore
  private let database: any Database
  private let clock: any WallClock
  /// Known keys by their digest, so that a busy program's key is not looked up for each message. Bounded, short-lived,
  /// and emptied whenever a key or an account changes, here or in another process.
  private let known = Lock<[[UInt8]: Entry]>([:])

  private static let knownLimit = 10_000
  private static let knownTime: Duration = .seconds(30)
  package static let cookieName = "switchboard_session"

  package init(store: AccountStore, database: any Database, clock: any WallClock) {
    self.store = store
    self.database = database
    self.clock = clock
  }

  /// Forgets what was looked up.
  package func forget() { known.withLock { $0.removeAll(keepingCapacity: true) } }

  /// - Throws: `notSignedIn`, or `crossSite` for a write with a cookie from another site.
  package func caller(of request: HTTPRequest) async throws -> Caller {
    if let authorization = request.headers["authorization"] {
      guard authorization.count <= 300, authorization.lowercased().hasPrefix("bearer ") else {
        throw APIError(.notSignedIn)
      }
      let token = authorization.dropFirst(7).trimmingPrefix { $0 == " " }
      return try await caller(key: String(token))
    }
    guard let token = request.cookie(Self.cookieName), token.utf8.count <= 100 else { throw APIError(.notSignedIn) }
    if !["GET", "HEAD"].contains(request.method) { try Self.requireSameOrigin(request) }
    return try await caller(session: token)
  }

  private func caller(key: String) async throws -> Caller {
    let digest = SHA256.hash(Array(key.utf8))
    let now = clock.now
    if let entry = known.withLock({ $0[digest] }), entry.until > now { return entry.caller }
    let found = try await database.read { [store] tx -> Caller? in
      guard let record = try store.key(key, tx: tx), let account = try store.account(record.account, tx: tx) else {
        return nil
      }
      return Caller(account: account, way: .key(record))
    }
    guard let found else { throw APIError(.notSignedIn) }
    known.withLock { known in
      if known.count >= Self.knownLimit { known.removeAll(keepingCapacity: true) }
      known[digest] = Entry(caller: found, until: now + Self.knownTime)
    }
    return found
  }

  private func caller(session token: String) async throws -> Caller {
    let now = clock.now
    let found = try await database.read { [store] tx -> Caller? in
      guard let session = try store.session(token, at: now, tx: tx),
        let account = try store.account(session.account, tx: tx)
      else { return nil }
      return Caller(account: account, way: .session(session.id))
    }
    guard let found else { throw APIError(.notSignedIn) }
    return found
  }

  /// A browser names the page's origin on every write (Fetch standard, section 3.2); it must be ours.
  package static func requireSameOrigin(_ request: HTTPRequest) throws(APIError) {
    guard let origin = request.headers["origin"], let host = request.headers["host"],
      origin == "http://\(host)" || origin == "https://\(host)"
    else { throw APIError(.crossSite) }
  }
}
