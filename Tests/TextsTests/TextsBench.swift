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

/// The doors of texts as a client meets them: a database in a folder, two accounts, and a clock that the test moves.
/// Nothing is sent; what became of a message is written into its row.
final class TextsBench: Sendable {
  static let peer = "+358401112223"
  static let other = "+447700900123"

  let folder: String
  let clock = ManualClock()
  let database: SQLiteDatabase
  let ids = IdentifierSource(random: SeededRandom(seed: 1))
  let hub = EventHub()
  let outbox: Outbox
  let inbox: Inbox
  let carriers: CarrierStore
  let dispatcher: Dispatcher
  let indexer: ConversationIndexer
  let alice: (id: AccountID, key: String)
  let bob: (id: AccountID, key: String)
  private let key: MasterKey
  private let router: Router

  static let migrations = ExchangeSchema.migrations + TextsSchema.migrations

  init(folder: String? = nil) async throws {
    let isNew = folder == nil
    self.folder = folder ?? NSTemporaryDirectory() + "switchboard-texts-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
    database = try SQLiteDatabase(path: self.folder + "/texts.db", migrations: Self.migrations)
    let key = try #require(MasterKey(hex: String(repeating: "5a", count: 32)))
    self.key = key
    outbox = Outbox(ids: ids, key: key)
    inbox = Inbox(ids: ids) { parts in String(decoding: parts.flatMap(\.octets), as: UTF8.self) }
    let accounts = AccountStore(ids: ids, key: key)
    let carriers = CarrierStore(key: key)
    self.carriers = carriers
    let log = Logger.silent
    dispatcher = Dispatcher(
      machine: DispatchMachine(policy: RetryPolicy(), random: SeededRandom(seed: 2)), outbox: outbox,
      database: database, hub: hub, channels: [:], clock: clock, log: log)
    indexer = ConversationIndexer(database: database, hub: hub, clock: clock, log: log)
    let now = clock.now
    if let last = try await database.read({ tx in
      try tx.first("SELECT id FROM deliveries ORDER BY id DESC LIMIT 1") { $0.id(0) }
    }) {
      ids.goOn(after: last)
    }
    (alice, bob) = try await database.transaction { tx in
      func account(_ phone: String, _ role: Role) throws -> (AccountID, String) {
        let id =
          try accounts.account(phone: phone, tx: tx)?.id
          ?? accounts.create(phone: phone, name: nil, role: role, password: nil, region: "FI", at: now, tx: tx)
        return (id, try accounts.createKey(for: id, name: nil, scopes: [.all], at: now, tx: tx).key)
      }
      if isNew {
        for (name, isEnabled) in [("north", true), ("south", false)] {
          let number = try carriers.create(
            CarrierRecord(
              name: name, profile: "httpsms", settings: ["password": "secret"], callbackSecret: "hook",
              isEnabled: isEnabled),
            at: now, tx: tx)
          try carriers.assign("+35845700000\(number)", to: number, account: nil, tx: tx)
        }
      }
      return (try account("+358401110001", .admin), try account("+358401110002", .user))
    }
    let routes = try await database.read { tx in RouteTable(try carriers.carriers(tx: tx).map(\.route)) }
    dispatcher.setRoutes(routes, limits: [:])
    let door = APIDoor(
      authenticator: Authenticator(store: accounts, database: database, clock: clock), log: log)
    let acceptor = Acceptor(outbox: outbox, database: database, hub: hub, dispatcher: dispatcher, clock: clock)
    let composer = TextComposer(numbers: PhoneNumberParser(), prices: nil, defaultDailyCap: nil)
    var router = Router()
    MessagesDoor(
      door: door, database: database, outbox: outbox, acceptor: acceptor, composer: composer, dispatcher: dispatcher,
      hub: hub, clock: clock
    ).routes(&router)
    InboxDoor(door: door, database: database, inbox: inbox, hub: hub, clock: clock).routes(&router)
    ConversationsDoor(
      door: door, database: database, outbox: outbox, inbox: inbox, indexer: indexer, dispatcher: dispatcher, hub: hub,
      clock: clock
    ).routes(&router)
    SendersDoor(door: door, database: database, carriers: carriers).routes(&router)
    OperatorDoor(
      door: door, database: database, outbox: outbox, acceptor: acceptor, composer: composer, carriers: carriers,
      dispatcher: dispatcher, clock: clock
    ).routes(&router)
    APIDoor.answerUnknown(&router)
    self.router = router
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  // MARK: Calls

  typealias Answer = (status: Int, json: JSONValue, text: String)

  func call(_ method: String, _ path: String, _ body: String? = nil, key: String? = nil) async throws -> Answer {
    var headers = HTTPHeaders()
    headers.add("authorization", "Bearer \(key ?? alice.key)")
    if body != nil { headers.add("content-type", "application/json") }
    let response = await router.handle(
      HTTPRequest(method: method, target: "/api/v1" + path, headers: headers, body: Array((body ?? "").utf8)))
    guard case .bytes(let bytes) = response.body else { throw Unexpected(description: "no body") }
    return (response.status, (try? JSON.parse(bytes)) ?? .null, String(decoding: bytes, as: UTF8.self))
  }

  /// The items of a page that must be there.
  func items(_ path: String, key: String? = nil) async throws -> [JSONValue] {
    let answer = try await call("GET", path, key: key)
    try #require(answer.status == 200, "\(answer.text)")
    return try #require(answer.json["items"]?.array)
  }

  /// The peers of a list of conversations.
  func peers(_ query: String = "", key: String? = nil) async throws -> [String] {
    try await items("/conversations" + query, key: key).compactMap { $0["peer"]?.string }
  }

  /// Every page, from the first to the last.
  func pages(_ path: String, limit: Int, between: () async throws -> Void = {}) async throws -> [[JSONValue]] {
    var pages: [[JSONValue]] = []
    var cursor = ""
    while true {
      let answer = try await call("GET", "\(path)\(path.contains("?") ? "&" : "?")limit=\(limit)\(cursor)")
      try #require(answer.status == 200, "\(answer.text)")
      pages.append(try #require(answer.json["items"]?.array))
      guard let next = answer.json["next"]?.string else { return pages }
      cursor = "&cursor=\(next)"
      try await between()
    }
  }

  // MARK: Messages

  /// Sends a text by the API.
  @discardableResult
  func send(_ text: String, to peer: String = TextsBench.peer, more: String = "", key: String? = nil) async throws
    -> String
  {
    clock.advance(by: .milliseconds(1))
    let body = JSONWriter.object { json in
      json.field("to", peer)
      json.field("text", text)
    }
    let answer = try await call(
      "POST", "/messages", String(decoding: body.dropLast(), as: UTF8.self) + more + "}", key: key)
    try #require(answer.status == 202, "\(answer.text)")
    return try #require(answer.json["id"]?.string)
  }

  /// A text arrives.
  func receive(_ text: String, from sender: String = TextsBench.peer, for account: AccountID? = nil) async throws {
    clock.advance(by: .milliseconds(1))
    let now = clock.now
    let owner = account ?? alice.id
    let digest = Array("\(ids.next(at: now))".utf8)
    let streams = try await database.transaction { [carriers, inbox] tx in
      try carriers.assign("+358457111111", to: 1, account: owner, tx: tx)
      var events = EventBatch()
      let incoming = IncomingText(
        sender: sender, recipient: "+358457111111", text: text, reference: nil, at: nil, part: nil, digest: digest,
        raw: [])
      _ = try inbox.receive(incoming, from: 1, at: now, events: &events, tx: tx)
      return try events.write(in: tx, at: now)
    }
    hub.signal(streams)
  }

  /// What became of a message, as if a carrier had said so.
  func end(_ id: String, as state: DeliveryState, code: String? = nil) async throws {
    let message = try #require(MessageID(id))
    try await database.transaction { tx in
      try tx.run(
        "UPDATE deliveries SET state = $2, due = NULL, error_code = $3, error = $3 WHERE id = $1",
        [.id(message), .integer(state.rawValue), .text(code)])
    }
  }

  func number(_ statement: SQL) async throws -> Int {
    try await database.read { tx in try tx.first(statement, []) { $0.int(0) } ?? 0 }
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

extension JSONValue {
  var strings: [String] { array?.compactMap(\.string) ?? [] }
}
