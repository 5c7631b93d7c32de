import Accounts
import Contract
import Cryptography
import Database
import Delivery
import Doors
import Exchange
import Formats
import Foundation
import GSMText
import Network
import PhoneNumbers
import Runtime
import Testing
import Texts

/// The doors of accounts on a real database, with a clock that the test moves and no carrier that would take anything:
/// what was accepted lies in the outbox and can be read there.
final class Bench: Sendable {
  static let start = Instant(milliseconds: 1_767_225_600_000)
  static let aino = "+358401234567"
  static let password = "tammikuun lumi"

  let database: SQLiteDatabase
  let clock = ManualClock(now: start)
  let key: MasterKey
  let outbox: Outbox
  let inbox: Inbox
  let accounts: AccountStore
  let erasures = ErasureStore()
  let signUps: SignUpStore
  let authenticator: Authenticator
  let erasure: AccountErasure
  let export: ExportDoor
  let start: StartDoor
  let router: Router
  private let folder: String

  /// - Parameters:
  ///   - folder: where an earlier bench kept its database.
  ///   - carriers: whose prefixes are served.
  init(
    _ policy: SignUpPolicy = SignUpPolicy(isOpen: true, region: "FI", countries: ["FI"], host: "sms.example.org"),
    folder: String? = nil, prices: PriceList? = nil, dailyCap: Int64? = nil, carriers: [RouteTable.Carrier] = [fast]
  ) throws {
    self.folder = folder ?? NSTemporaryDirectory() + "accounts-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
    database = try SQLiteDatabase(
      path: self.folder + "/exchange.db",
      migrations: ExchangeSchema.migrations + TextsSchema.migrations + AccountsSchema.migrations)
    key = try #require(MasterKey(hex: String(repeating: "5a", count: 32)))
    let ids = IdentifierSource(random: SecureRandomPool())
    let hub = EventHub()
    let log = Logger("tests", level: .error, sink: DescriptorSink(2, format: .text))
    outbox = Outbox(ids: ids, key: key)
    inbox = Inbox(ids: ids) { parts in String(decoding: parts.flatMap(\.octets), as: UTF8.self) }
    accounts = AccountStore(ids: ids, key: key)
    signUps = SignUpStore(ids: ids, key: key, policy: policy)
    let dispatcher = Dispatcher(
      machine: DispatchMachine(policy: RetryPolicy(), random: SeededRandom(seed: 1)), outbox: outbox,
      database: database, hub: hub, channels: [:], clock: clock, log: log)
    dispatcher.setRoutes(RouteTable(carriers), limits: [:])
    authenticator = Authenticator(store: accounts, database: database, clock: clock)
    let door = APIDoor(authenticator: authenticator, log: log)
    let passwords = PasswordHasher(passes: 1, memory: 8 << 10)
    let attempts = AttemptLimiter()
    let numbers = PhoneNumberParser()
    erasure = AccountErasure(
      database: database, erasures: erasures, eraser: AccountEraser(outbox: outbox, steps: [TextsErasure.step]),
      hub: hub, clock: clock)
    export = ExportDoor(
      door: door, database: database, accounts: accounts, outbox: outbox,
      parts: TextsExport.parts(database: database, outbox: outbox, inbox: inbox, routes: { dispatcher.routes }),
      currency: "EUR", clock: clock)
    start = StartDoor(
      door: door, database: database, accounts: accounts, policy: policy, version: "1.2.3",
      hasGateway: { !dispatcher.routes.carriers.isEmpty })
    var router = Router()
    start.routes(&router)
    SignUpDoor(
      door: door, database: database, policy: policy, store: signUps,
      sender: CodeSender(
        outbox: outbox, dispatcher: dispatcher, host: policy.host, prices: prices, dailyCap: dailyCap),
      accounts: accounts, passwords: passwords, numbers: numbers, clock: clock
    ).routes(&router)
    SessionsDoor(
      door: door, database: database, accounts: accounts, passwords: passwords, numbers: numbers,
      attempts: attempts, region: policy.region, clock: clock
    ).routes(&router)
    AccountDoor(
      door: door, database: database, accounts: accounts, passwords: passwords, attempts: attempts, hub: hub,
      clock: clock
    ).routes(&router)
    export.routes(&router)
    APIDoor.answerUnknown(&router)
    self.router = router
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Another exchange on the same data, as after a restart.
  func restarted() async throws -> Bench {
    await database.close()
    let copy = NSTemporaryDirectory() + "accounts-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    let bench = try Bench(folder: copy)
    bench.clock.advance(to: clock.now)
    return bench
  }

  static let fast = RouteTable.Carrier(
    number: 1, name: "fast", channel: .sms, isEnabled: true, rank: 1, prefixes: [])

  // MARK: Calling

  struct Answer {
    let response: HTTPResponse

    /// The id of a sign-up.
    func id() throws -> String {
      guard let id = json["id"]?.string else { throw Unexpected(description: "no id: \(text)") }
      return id
    }

    /// The cookie of one who signed in.
    func session() throws -> String {
      guard let cookie else { throw Unexpected(description: "no cookie: \(text)") }
      return cookie
    }

    var status: Int { response.status }
    var bytes: [UInt8] {
      if case .bytes(let bytes) = response.body { bytes } else { [] }
    }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSONValue { (try? JSON.parse(bytes)) ?? .null }
    var code: String? { json["error"]?["code"]?.string }
    var detail: String { json["error"]?["detail"]?.string ?? "" }
    var retryAfter: Int? { response.headers["retry-after"].flatMap { Int($0) } }
    /// As a browser sends it back.
    var cookie: String? {
      response.headers["set-cookie"]?.split(separator: ";").first.map(String.init).flatMap {
        $0.hasSuffix("=") ? nil : $0
      }
    }
  }

  func call(
    _ method: String, _ path: String, _ body: String? = nil, from address: String = "192.0.2.1",
    cookie: String? = nil, key: String? = nil, origin: String? = nil
  ) async -> Answer {
    var headers: HTTPHeaders = ["host": "sms.example.org", "user-agent": "Test/1"]
    if body != nil { headers.add("content-type", "application/json") }
    if let cookie {
      headers.add("cookie", cookie)
      if origin == nil { headers.add("origin", "https://sms.example.org") }
    }
    if let key { headers.add("authorization", "Bearer \(key)") }
    if let origin { headers.add("origin", origin) }
    return Answer(
      response: await router.handle(
        HTTPRequest(
          method: method, target: "/api/v1" + path, headers: headers, body: Array((body ?? "").utf8),
          remoteAddress: address)))
  }

  func ask(
    _ phone: String = aino, from address: String = "192.0.2.1", _ more: String = "", origin: String? = nil
  ) async -> Answer {
    await call("POST", "/sign-ups", #"{"phone":"\#(phone)"\#(more)}"#, from: address, origin: origin)
  }

  func check(_ id: String, _ code: String, from address: String = "192.0.2.1") async -> Answer {
    await call("POST", "/sign-ups/\(id)/check", #"{"code":"\#(code)"}"#, from: address)
  }

  func verify(
    _ id: String, _ code: String, password: String = password, _ more: String = #","acceptTerms":true"#,
    from address: String = "192.0.2.1"
  ) async -> Answer {
    await call(
      "POST", "/sign-ups/\(id)/verify", #"{"code":"\#(code)","password":"\#(password)"\#(more)}"#, from: address)
  }

  func signIn(_ phone: String = aino, password: String = password, from address: String = "192.0.2.1") async -> Answer {
    await call("POST", "/sessions", #"{"phone":"\#(phone)","password":"\#(password)"}"#, from: address)
  }

  /// Signs up to the end.
  /// - Returns: the cookie and the account.
  func signUp(_ phone: String = aino, password: String = password) async throws -> (cookie: String, id: AccountID) {
    let asked = await ask(phone)
    let verified = await verify(try asked.id(), try await code(phone), password: password)
    let account = verified.json["account"]?["id"]?.string.flatMap { AccountID($0) }
    return (try verified.session(), try #require(account))
  }

  // MARK: Looking

  /// The texts that went to a number in the exchange's name, the newest first.
  func texts(to phone: String = aino) async throws -> [String] {
    let records = try await database.read { [outbox] tx in
      try outbox.deliveries(of: .exchange, before: nil, limit: 1000, tx: tx).filter { $0.address == phone }
    }
    return records.compactMap { outbox.openedBody(of: $0).flatMap { TextBody(bytes: $0)?.text } }
  }

  /// The code that a number got last.
  func code(_ phone: String = aino) async throws -> String {
    String(try #require(try await texts(to: phone).first).suffix(6))
  }

  /// A code that is not this one.
  func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

  func count(_ statement: SQL, _ values: [Value] = []) async throws -> Int {
    try await database.read { tx in try tx.first(statement, values) { $0.int(0) } ?? 0 }
  }

  /// An account whose sign-ins cost no code.
  func account(
    _ phone: String? = aino, password: String? = password, role: Role = .user
  ) async throws -> AccountID {
    let hash =
      if let password { try await PasswordHasher(passes: 1, memory: 8 << 10).hash(password) } else { String?.none }
    let now = clock.now
    return try await database.transaction { [accounts] tx in
      try accounts.create(phone: phone, name: nil, role: role, password: hash, at: now, tx: tx)
    }
  }

  /// A text of an account, as its door would accept it.
  @discardableResult
  func send(_ account: AccountID, to: String = "+358407777777", _ text: String = "Hei", notBefore: Instant? = nil)
    async throws -> DeliveryID
  {
    let now = clock.now
    return try await database.transaction { [outbox] tx in
      var events = EventBatch()
      let acceptance = try outbox.accept(
        NewDelivery(
          account: account, channel: .sms, address: to, body: TextBody(text: text, sender: nil, encoding: .gsm7).bytes,
          carrier: 1, notBefore: notBefore, expires: now + .seconds(86_400),
          price: Price(micros: 50_000, currency: "EUR")),
        at: now, events: &events, tx: tx)
      _ = try events.write(in: tx, at: now)
      guard case .accepted(let id, _, _) = acceptance else { throw Unexpected(description: "it was not accepted") }
      return id
    }
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
}
