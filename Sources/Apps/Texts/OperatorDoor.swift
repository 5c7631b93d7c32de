import Contract
import Cryptography
package import Database
import Delivery
package import Doors
package import Exchange
import Formats
package import Network
package import Runtime

/// `/api/v1/operator`: how the carriers are, a test message by one of them, and any message by its id. For admins only.
package struct OperatorDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let outbox: Outbox
  private let acceptor: Acceptor
  private let composer: TextComposer
  private let carriers: CarrierStore
  private let dispatcher: Dispatcher
  private let clock: any WallClock

  private static let testText = "Test message from Switchboard"
  /// No carrier's id is longer.
  private static let longestID = 200

  package init(
    door: APIDoor, database: any Database, outbox: Outbox, acceptor: Acceptor, composer: TextComposer,
    carriers: CarrierStore, dispatcher: Dispatcher, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.outbox = outbox
    self.acceptor = acceptor
    self.composer = composer
    self.carriers = carriers
    self.dispatcher = dispatcher
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/operator/carriers") { request in
      await door.answer(request, scope: .admin) { try await list(request, $0) }
    }
    router.on("POST", "/api/v1/operator/carriers/{name}/test") { request in
      await door.answer(request, scope: .admin) { try await test(request, $0) }
    }
    router.on("GET", "/api/v1/operator/messages/{id}") { request in
      await door.answer(request, scope: .admin) { try await show(request, $0) }
    }
  }

  // MARK: Carriers

  private func list(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    let now = clock.now
    let routes = dispatcher.routes
    let views = try await database.read { [carriers, outbox, dispatcher] tx in
      let numbers = try carriers.numbers(tx: tx)
      return try carriers.carriers(tx: tx).filter { !$0.isRetired }.map { record in
        CarrierView(
          record: record, isInService: routes.carriers[record.number]?.isEnabled ?? false,
          pace: dispatcher.pace(of: record.number), numbers: numbers[record.number] ?? [],
          queued: try outbox.waiting(for: record.number, tx: tx),
          today: try CarrierDays.today(of: record.number, at: now, tx: tx),
          lastError: try CarrierDays.lastError(of: record.number, tx: tx))
      }
    }
    return .json(200, JSONWriter.object { json in json.field("items", views) { $1.write(&$0, at: now) } })
  }

  /// A message like any other, that no other carrier may stand in for.
  private func test(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    guard let name = request.parameters["name"] else { throw APIError(.notFound) }
    let key = try MessagesDoor.idempotencyKey(request)
    var asked = try request.jsonObject { fields throws(APIError) in
      TextRequest(to: try fields.requiredString("to"), text: Self.testText)
    }
    asked.carrier = name
    let routes = dispatcher.routes
    guard routes.carriers.values.contains(where: { $0.name == name }) else { throw APIError(.notFound) }
    var delivery = try composer.compose(asked, for: caller.account, routes: routes, at: clock.now)
    delivery.idempotencyKey = key
    delivery.requestHash = key.map { _ in SHA256.hash(Array("\(asked)".utf8)) }
    let record: DeliveryRecord
    switch try await acceptor.accept([delivery])[0] {
    case .accepted(let id, let state, let at):
      record = DeliveryRecord(accepted: delivery, id: id, state: state, at: at)
    case .repeated(let id):
      let before = try await database.read { [outbox] tx in try outbox.delivery(id, tx: tx) }
      guard let before else { throw APIError(.notFound) }
      record = MessageView.asAccepted(before)
    case .keyReused: throw APIError(.idempotencyKeyReused)
    case .overCap(let spent, let cap): throw MessagesDoor.overCap(spent, cap)
    }
    var json = JSONWriter()
    MessageView(record, body: outbox.openedText(of: record), routes: routes).write(&json)
    return .json(202, json.bytes)
  }

  // MARK: Messages

  /// By its own id, or by the one that a carrier has for it.
  private func show(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    guard let name = request.parameters["id"], name.utf8.count <= Self.longestID else { throw APIError(.notFound) }
    let routes = dispatcher.routes
    let found = try await database.read { [outbox] tx in
      let record =
        if let id = MessageID(name) { try outbox.delivery(id, tx: tx) } else {
          try outbox.delivery(carrierID: name, of: routes.carriers.keys, tx: tx)
        }
      return try record.map { record in
        (record, try outbox.attempts(of: record.id, tx: tx), try outbox.receipts(of: record.id, tx: tx))
      }
    }
    guard let (record, attempts, receipts) = found else { throw APIError(.notFound) }
    // What somebody else wrote is nobody's business; what became of it is the operator's.
    let isHidden = record.account != caller.account.id
    var json = JSONWriter()
    MessageView(record, body: outbox.openedText(of: record), hidesText: isHidden, routes: routes)
      .write(&json, attempts: attempts, receipts: receipts) { json in
        json.field("textHidden", isHidden)
        json.field("account", record.account)
      }
    return .json(200, json.bytes)
  }
}
