package import Contract
package import Cryptography
package import Database

/// What an account may do on the exchange.
package enum Role: String, Sendable {
  case user
  case admin
}

package struct AccountRecord: Sendable, Equatable {
  package let id: AccountID
  /// E.164; nil in household mode.
  package let phone: String?
  package let name: String?
  package let role: Role
  package let locale: String
  /// An IANA zone.
  package let zone: String
  package let region: String?
  package let currency: String?
  /// What may be spent in one day, in millionths; nil for the exchange's default.
  package let dailyCap: Int64?
  package let created: Instant
  /// The encoded password hash; nil where only keys sign in.
  package let password: String?

  init(_ row: any Row) {
    id = row.identifier(0)
    phone = row.textIfPresent(1)
    name = row.textIfPresent(2)
    role = Role(rawValue: row.text(3)) ?? .user
    locale = row.text(4)
    zone = row.text(5)
    region = row.textIfPresent(6)
    currency = row.textIfPresent(7)
    dailyCap = row.integerIfPresent(8)
    created = row.instant(9)
    password = row.textIfPresent(10)
  }
}

/// What a key may do; `*` may do all.
package enum Scope: String, Sendable, CaseIterable {
  case messagesSend = "messages:send"
  case messagesRead = "messages:read"
  case inboxRead = "inbox:read"
  case admin = "admin"
  case all = "*"
}

package struct KeyRecord: Sendable, Equatable {
  package let id: KeyID
  package let account: AccountID
  package let name: String?
  package let scopes: Set<Scope>
  package let created: Instant
}

/// Accounts, their keys and their sessions.
package struct AccountStore: Sendable {
  let ids: IdentifierSource
  private let master: MasterKey

  package static let sessionLife: Duration = .seconds(90 * 24 * 3600)
  private static let keyPurpose: MasterKey.Purpose = "api-key"
  private static let sessionPurpose: MasterKey.Purpose = "session"

  package init(ids: IdentifierSource, key: MasterKey) {
    self.ids = ids
    master = key
  }

  // MARK: Accounts

  /// - Throws: `DatabaseError.uniqueViolation` where the phone number has an account.
  package func create(
    phone: String?, name: String?, role: Role, password: String?, locale: String = "en", zone: String = "UTC",
    region: String? = nil, currency: String? = nil, at now: Instant, tx: any Transaction
  ) throws -> AccountID {
    let id = AccountID(ids.next(at: now))
    try tx.run(
      """
      INSERT INTO accounts (id, phone, name, role, password, locale, zone, region, currency, created, updated)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
      """,
      [
        .id(id), .text(phone), .text(name), .text(role.rawValue), .text(password), .text(locale), .text(zone),
        .text(region), .text(currency), .instant(now),
      ])
    if role == .admin { try Inbox.adopt(by: id, tx: tx) }
    return id
  }

  package func account(_ id: AccountID, tx: any Transaction) throws -> AccountRecord? {
    try tx.first(
      """
      SELECT id, phone, name, role, locale, zone, region, currency, daily_cap, created, password
      FROM accounts WHERE id = $1
      """, [.id(id)], AccountRecord.init)
  }

  package func account(phone: String, tx: any Transaction) throws -> AccountRecord? {
    try tx.first(
      """
      SELECT id, phone, name, role, locale, zone, region, currency, daily_cap, created, password
      FROM accounts WHERE phone = $1 AND phone IS NOT NULL
      """, [.text(phone)], AccountRecord.init)
  }

  /// Newest first, older than `cursor`.
  package func accounts(before cursor: AccountID?, limit: Int, tx: any Transaction) throws -> [AccountRecord] {
    try tx.all(
      """
      SELECT id, phone, name, role, locale, zone, region, currency, daily_cap, created, password
      FROM accounts WHERE id < $1 ORDER BY id DESC LIMIT $2
      """, [.id(cursor?.value ?? ID128(high: .max, low: .max)), .integer(limit)], AccountRecord.init)
  }

  package func setPassword(_ password: String, of id: AccountID, at now: Instant, tx: any Transaction) throws {
    try tx.run(
      "UPDATE accounts SET password = $2, updated = $3 WHERE id = $1", [.id(id), .text(password), .instant(now)])
  }

  /// - Parameter cap: millionths a day; nil for the exchange's default.
  package func setDailyCap(_ cap: Int64?, of id: AccountID, at now: Instant, tx: any Transaction) throws -> Bool {
    try tx.run(
      "UPDATE accounts SET daily_cap = $2, updated = $3 WHERE id = $1", [.id(id), .integer(cap), .instant(now)]) > 0
  }

  // MARK: Keys

  /// - Returns: the key's id, and the key itself, which is shown once and kept only as a hash.
  package func createKey(
    for account: AccountID, name: String?, scopes: Set<Scope>, at now: Instant, tx: any Transaction
  ) throws -> (id: KeyID, key: String) {
    let id = KeyID(ids.next(at: now))
    let secret = "sb_" + Base64URL.encode(randomBytes(32))
    try tx.run(
      "INSERT INTO api_keys (id, account, name, hash, scopes, created) VALUES ($1, $2, $3, $4, $5, $6)",
      [
        .id(id), .id(account), .text(name), .bytes(master.hash(secret, purpose: Self.keyPurpose)),
        .text(scopes.map(\.rawValue).sorted().joined(separator: " ")), .instant(now),
      ])
    return (id, secret)
  }

  package func key(_ secret: String, tx: any Transaction) throws -> KeyRecord? {
    try tx.first(
      "SELECT id, account, name, scopes, created FROM api_keys WHERE hash = $1",
      [.bytes(master.hash(secret, purpose: Self.keyPurpose))], Self.readKey)
  }

  package func keys(of account: AccountID, tx: any Transaction) throws -> [KeyRecord] {
    try tx.all(
      "SELECT id, account, name, scopes, created FROM api_keys WHERE account = $1 ORDER BY id", [.id(account)],
      Self.readKey)
  }

  package func removeKey(_ id: KeyID, tx: any Transaction) throws -> Bool {
    try tx.run("DELETE FROM api_keys WHERE id = $1", [.id(id)]) > 0
  }

  private static func readKey(_ row: any Row) -> KeyRecord {
    KeyRecord(
      id: row.identifier(0), account: row.identifier(1), name: row.textIfPresent(2),
      scopes: Set(row.text(3).split(separator: " ").compactMap { Scope(rawValue: String($0)) }),
      created: row.instant(4))
  }

  // MARK: Sessions

  /// Whoever signs in once more than this is signed out where it was longest ago.
  package static let mostSessions = 100

  /// - Returns: the session's token, which only the browser keeps.
  package func createSession(
    for account: AccountID, agent: String?, at now: Instant, tx: any Transaction
  ) throws -> String {
    try tx.run(
      """
      DELETE FROM sessions WHERE account = $1
        AND id <= (SELECT id FROM sessions WHERE account = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)
      """, [.id(account), .integer(Self.mostSessions - 1)])
    let token = Base64URL.encode(randomBytes(32))
    try tx.run(
      "INSERT INTO sessions (id, account, hash, agent, created, expires) VALUES ($1, $2, $3, $4, $5, $6)",
      [
        .id(ids.next(at: now)), .id(account),
        .bytes(master.hash(token, purpose: Self.sessionPurpose)), .text(agent.map { String($0.prefix(200)) }),
        .instant(now), .instant(now + Self.sessionLife),
      ])
    return token
  }

  package func session(
    _ token: String, at now: Instant, tx: any Transaction
  ) throws -> (id: SessionID, account: AccountID)? {
    try tx.first(
      "SELECT id, account FROM sessions WHERE hash = $1 AND expires > $2",
      [.bytes(master.hash(token, purpose: Self.sessionPurpose)), .instant(now)]
    ) { ($0.identifier(0), $0.identifier(1)) }
  }

  package func endSession(_ id: SessionID, tx: any Transaction) throws {
    try tx.run("DELETE FROM sessions WHERE id = $1", [.id(id)])
  }

  package func removeExpiredSessions(at now: Instant, tx: any Transaction) throws {
    try tx.run("DELETE FROM sessions WHERE expires <= $1", [.instant(now)])
  }
}

/// What a person changes of an account; nil leaves it.
package struct AccountChange: Sendable, Equatable {
  package var name: String?
  package var locale: String?
  package var zone: String?
  package var region: String?
  package var currency: String?

  package init() {}
}

extension AccountStore {
  package func change(_ change: AccountChange, of id: AccountID, at now: Instant, tx: any Transaction) throws {
    try tx.run(
      """
      UPDATE accounts SET name = COALESCE($2, name), locale = COALESCE($3, locale), zone = COALESCE($4, zone),
        region = COALESCE($5, region), currency = COALESCE($6, currency), updated = $7
      WHERE id = $1
      """,
      [
        .id(id), .text(change.name), .text(change.locale), .text(change.zone), .text(change.region),
        .text(change.currency), .instant(now),
      ])
  }

  /// In household mode one account has a password and no number; nil where there is none, or more than one.
  package func onlyHouseholdAccount(tx: any Transaction) throws -> AccountRecord? {
    let found = try tx.all(
      """
      SELECT id, phone, name, role, locale, zone, region, currency, daily_cap, created, password
      FROM accounts WHERE phone IS NULL AND password IS NOT NULL LIMIT 2
      """, [], AccountRecord.init)
    return found.count == 1 ? found.first : nil
  }
}

extension AccountStore {
  /// The operator: the admin that was made first.
  package func firstAdmin(tx: any Transaction) throws -> AccountRecord? {
    try tx.first(
      """
      SELECT id, phone, name, role, locale, zone, region, currency, daily_cap, created, password
      FROM accounts WHERE role = 'admin' ORDER BY id LIMIT 1
      """, [], AccountRecord.init)
  }

  /// Signs an account out everywhere.
  package func endSessions(of account: AccountID, tx: any Transaction) throws {
    try tx.run("DELETE FROM sessions WHERE account = $1", [.id(account)])
  }
}
