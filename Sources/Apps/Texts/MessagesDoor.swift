import Contract
import Cryptography
package import Database
import Delivery
package import Doors
package import Exchange
import Formats
import GSMText
package import Network
package import Runtime

/// `/api/v1/messages`: send, look at, list, call back, preview; `/api/v1/batches`.
package struct MessagesDoor: Sendable {
  private let door: APIDoor
  let database: any Database
  let outbox: Outbox
  let acceptor: Acceptor
  let composer: TextComposer
  let dispatcher: Dispatcher
  private let hub: EventHub
  let clock: any WallClock

  package static let mostInBatch = 1000
  /// For how long the first answer is repeated as it was.
  private static let firstAnswerTime: Duration = .seconds(24 * 3600)

  package init(
    door: APIDoor, database: any Database, outbox: Outbox, acceptor: Acceptor, composer: TextComposer,
    dispatcher: Dispatcher, hub: EventHub, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.outbox = outbox
    self.acceptor = acceptor
    self.composer = composer
    self.dispatcher = dispatcher
    self.hub = hub
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("POST", "/api/v1/messages", maximumBody: 65_536) { request in
      await door.answer(request, scope: .messagesSend) { try await send(request, $0) }
    }
    router.on("POST", "/api/v1/batches", maximumBody: 4 << 20) { request in
      await door.answer(request, scope: .messagesSend) { try await sendBatch(request, $0) }
    }
    router.on("POST", "/api/v1/messages/preview", maximumBody: 65_536) { request in
      await door.answer(request, scope: .messagesSend) { try preview(request, $0) }
    }
    router.on("GET", "/api/v1/messages") { request in
      await door.answer(request, scope: .messagesRead) { try await list(request, $0) }
    }
    router.on("GET", "/api/v1/messages/{id}") { request in
      await door.answer(request, scope: .messagesRead) { try await show(request, $0) }
    }
    router.on("DELETE", "/api/v1/messages/{id}") { request in
      await door.answer(request, scope: .messagesSend) { try await cancel(request, $0) }
    }
  }

  // MARK: Send

  private func send(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    let key = try Self.idempotencyKey(request)
    let hash = key.map { _ in SHA256.hash(request.body) }
    let asked = try request.jsonObject { fields throws(APIError) in try TextRequest(&fields) }
    var delivery: NewDelivery
    do {
      delivery = try composer.compose(asked, for: caller.account, routes: dispatcher.routes, at: clock.now)
    } catch {
      guard let before = try await earlier(key, hash, caller) else { throw error }
      return try await repeated(before)
    }
    delivery.idempotencyKey = key
    delivery.requestHash = hash
    let acceptance = try await acceptor.accept([delivery])[0]
    switch acceptance {
    case .accepted(let id, let state, let at):
      let record = DeliveryRecord(accepted: delivery, id: id, state: state, at: at)
      return .json(202, message(record))
    case .repeated(let id): return try await repeated(id)
    case .keyReused: throw APIError(.idempotencyKeyReused)
    case .overCap(let spent, let cap): throw Self.overCap(spent, cap)
    }
  }

  private func repeated(_ id: MessageID) async throws -> HTTPResponse {
    guard let record = try await firstAnswer(id) else { throw APIError(.notFound) }
    return .json(202, message(record))
  }

  /// What a repeated request is answered with: for a day the message as it was accepted, then as it is.
  func firstAnswer(_ id: MessageID) async throws -> DeliveryRecord? {
    let record = try await database.read { [outbox] tx in try outbox.delivery(id, tx: tx) }
    return record.map { clock.now - $0.created < Self.firstAnswerTime ? MessageView.asAccepted($0) : $0 }
  }

  /// What a request that can not be accepted now made when it came first: since then its time may have passed, or its
  /// carrier may have gone.
  func earlier(_ key: String?, _ hash: [UInt8]?, _ caller: Caller) async throws -> MessageID? {
    guard let key, let hash else { return nil }
    let account = caller.account.id
    return try await database.read { [outbox] tx in try outbox.earlier(key, requestHash: hash, of: account, tx: tx) }
  }

  static func overCap(_ spent: Int64, _ cap: Int64) -> APIError {
    APIError(
      .spendingCap,
      detail: "spent \(Price(micros: spent, currency: "").amount) of \(Price(micros: cap, currency: "").amount)")
  }

  static func idempotencyKey(_ request: HTTPRequest) throws(APIError) -> String? {
    let keys = request.headers.all("idempotency-key")
    guard let key = keys.first else { return nil }
    guard keys.count == 1, (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw APIError(.invalidIdempotencyKey)
    }
    return key
  }

  private func preview(_ request: HTTPRequest, _ caller: Caller) throws -> HTTPResponse {
    let (preview, number, price) = try request.jsonObject { fields throws(APIError) in
      try composer.preview(
        try fields.requiredString("text"), to: try fields.string("to"), smart: try fields.bool("smart") ?? false,
        region: caller.account.region)
    }
    return .json(
      200,
      JSONWriter.object { json in
        json.field("encoding", preview.encoding.rawValue)
        json.field("units", preview.units)
        json.field("parts", preview.parts)
        json.field("split", preview.split) { $0.string($1) }
        json.field("forcing", preview.forcing) { $0.string($1) }
        json.field("remaining", preview.remaining)
        json.price("price", price)
        switch number {
        case .success(let number):
          json.object("to") { json in
            json.field("e164", number.e164)
            json.field("country", number.country)
            json.field("national", number.national)
          }
          json.field("error", nil as String?)
        case .failure(let error):
          json.field("to", nil as String?)
          json.object("error") { json in
            json.field("code", error.code)
            json.field("message", error.detail ?? error.message)
          }
        case nil:
          json.field("to", nil as String?)
          json.field("error", nil as String?)
        }
      })
  }

  // MARK: Look

  private func list(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    let paging = try Paging<MessageKind>(request)
    let account = caller.account.id
    let found = try await database.read { [outbox] tx in
      try outbox.deliveries(of: account, before: paging.cursor, limit: paging.limit + 1, tx: tx)
    }
    return paging.page(found, id: \.id) { json, record in view(record).write(&json) }
  }

  private func show(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    guard let id = request.parameters["id"].flatMap({ MessageID($0) }) else { throw APIError(.notFound) }
    let account = caller.account.id
    let found = try await database.read { [outbox] tx in
      try outbox.delivery(id, of: account, tx: tx).map { record in
        (record, try outbox.attempts(of: id, tx: tx), try outbox.receipts(of: id, tx: tx))
      }
    }
    guard let (record, attempts, receipts) = found else { throw APIError(.notFound) }
    var json = JSONWriter()
    view(record).write(&json, attempts: attempts, receipts: receipts)
    return .json(200, json.bytes)
  }

  private func cancel(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    guard let id = request.parameters["id"].flatMap({ MessageID($0) }) else { throw APIError(.notFound) }
    let account = caller.account.id
    let now = clock.now
    let result = try await database.transaction { [outbox] tx in
      var events = EventBatch()
      let result = try outbox.cancel(id, of: account, at: now, events: &events, tx: tx)
      let record = try outbox.delivery(id, tx: tx)
      return (result, record, try events.write(in: tx, at: now))
    }
    hub.signal(result.2)
    dispatcher.wake()
    guard let outcome = result.0, let record = result.1 else { throw APIError(.notFound) }
    if record.isCancelPending { return .json(202, message(record)) }
    guard outcome.isCancelled else { throw APIError(.tooLate, detail: "the message is \(outcome.state.name)") }
    return .json(200, message(record))
  }

  // MARK: Views

  func view(_ record: DeliveryRecord) -> MessageView {
    MessageView(record, body: outbox.openedText(of: record), routes: dispatcher.routes)
  }

  private func message(_ record: DeliveryRecord) -> [UInt8] {
    var json = JSONWriter(reserving: 512)
    view(record).write(&json)
    return json.bytes
  }
}

extension TextRequest {
  /// Reads the fields of `POST /api/v1/messages`.
  init(_ fields: inout JSONFields) throws(APIError) {
    self.init(to: try fields.requiredString("to"), text: try fields.requiredString("text"))
    from = try fields.string("from")
    if let name = try fields.string("class") {
      guard let known = DeliveryClass(name: name) else {
        throw fields.invalid("class", "is one of code, alarm, normal, bulk")
      }
      deliveryClass = known
    }
    notBefore = try fields.instant("notBefore")
    expiresAt = try fields.instant("expiresAt")
    carrier = try fields.string("carrier")
    reference = try fields.string("reference")
    smart = try fields.bool("smart") ?? false
  }
}
