import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Runtime
import Testing

/// An exchange on one thread: its tables in memory, its engine, and a clock that the test moves.
final class Bench {
  static let start = Instant(milliseconds: 1_767_225_600_000)
  static let alice = AccountID(ID128(high: 1, low: 1))
  static let bob = AccountID(ID128(high: 1, low: 2))
  static let helsinki = "+358401112223"
  static let london = "+447700900123"

  let database: SQLiteConnection
  let key: MasterKey
  let ids: IdentifierSource
  let outbox: Outbox
  let inbox: Inbox
  var machine: DispatchMachine
  var now = Bench.start
  private(set) var last: DispatchResult?

  init(carriers: [RouteTable.Carrier] = [carrier(1)], limits: [Int: CarrierPace.Limits] = [:]) throws {
    database = try SQLiteConnection(.memory)
    try Migrator.apply(ExchangeSchema.migrations, on: database)
    key = try #require(MasterKey(hex: String(repeating: "5a", count: 32)))
    ids = IdentifierSource(random: SeededRandom(seed: 1))
    outbox = Outbox(ids: ids, key: key)
    inbox = Inbox(ids: ids) { parts in String(decoding: parts.flatMap(\.octets), as: UTF8.self) }
    machine = DispatchMachine(policy: RetryPolicy(), random: SeededRandom(seed: 2))
    machine.setRoutes(RouteTable(carriers), limits: limits, at: now)
  }

  func wait(_ duration: Duration) { now = now + duration }

  // MARK: Asking

  func new(
    _ account: AccountID = alice, to address: String = helsinki, class deliveryClass: DeliveryClass = .normal,
    text: String = "hello", by carrier: Int = 1, fixed: Int? = nil, notBefore: Instant? = nil,
    expires: Duration = .seconds(86_400), events: EventPolicy = .all, key: String? = nil, parts: Int = 1,
    price: Int64? = nil, cap: Int64? = nil
  ) -> NewDelivery {
    NewDelivery(
      account: account, channel: .sms, address: address, deliveryClass: deliveryClass, body: Array(text.utf8),
      carrier: carrier, fixedCarrier: fixed, notBefore: notBefore, expires: now + expires, events: events,
      idempotencyKey: key, requestHash: key == nil ? nil : Array(text.utf8), parts: parts,
      price: price.map { Price(micros: $0, currency: "EUR") }, dailyCap: cap)
  }

  @discardableResult
  func ask(_ new: NewDelivery) throws -> Acceptance {
    try database.transaction { tx in
      var events = EventBatch()
      let acceptance = try outbox.accept(new, at: now, events: &events, tx: tx)
      _ = try events.write(in: tx, at: now)
      return acceptance
    }
  }

  /// Asks for what must be accepted.
  func accept(_ new: NewDelivery) throws -> DeliveryID {
    guard case .accepted(let id, _, _) = try ask(new) else {
      throw Unexpected(description: "it was not accepted")
    }
    return id
  }

  func cancel(_ id: DeliveryID, of account: AccountID = alice) throws -> Bool? {
    try database.transaction { tx in
      var events = EventBatch()
      let result = try outbox.cancel(id, of: account, at: now, events: &events, tx: tx)
      _ = try events.write(in: tx, at: now)
      return result?.isCancelled
    }
  }

  // MARK: Sending

  /// One turn of the dispatcher; what is leased is under way then.
  @discardableResult
  func turn() throws -> [Lease] {
    let plan = machine.plan(at: now)
    let result: DispatchResult
    do {
      result = try database.transaction { try outbox.perform(plan, tx: $0) }
    } catch {
      machine.failed(plan)
      throw error
    }
    last = result
    machine.performed(result.leases, at: now)
    return result.leases
  }

  /// Turns until nothing more is leased.
  @discardableResult
  func turns() throws -> [Lease] {
    var leases: [Lease] = []
    repeat { leases += try turn() } while last?.isMoreDue == true || last?.leases.isEmpty == false
    return leases
  }

  func answer(_ id: DeliveryID, _ outcome: AttemptOutcome) { machine.answered(id, outcome, at: now) }

  /// Accepts a delivery, sends it, and has a carrier take it.
  func submit(_ new: NewDelivery, ids: [String] = ["c1"]) throws -> DeliveryID {
    let id = try accept(new)
    try turns()
    answer(id, .accepted(ids: ids))
    try turn()
    return id
  }

  /// The process dies: what it remembered is gone.
  @discardableResult
  func restart() throws -> Int {
    let routes = machine.routes
    machine = DispatchMachine(policy: machine.policy, random: SeededRandom(seed: 3))
    machine.setRoutes(routes, limits: [:], at: now)
    return try database.transaction { try outbox.recover(at: now, policy: machine.policy, tx: $0) }
  }

  // MARK: Reports

  @discardableResult
  func report(
    _ status: ReceiptStatus, id: String? = nil, of delivery: DeliveryID? = nil, by carrier: Int = 1,
    code: String? = nil, raw: String? = nil
  ) throws -> ReceiptFate {
    let receipt = IncomingReceipt(
      carrierID: id, reference: delivery?.value.shortReference, status: status, code: code, detail: nil, at: now,
      raw: raw ?? "\(id ?? "-") \(status.name)")
    return try database.transaction { tx in
      var events = EventBatch()
      let fate = try outbox.receive(receipt, from: carrier, at: now, events: &events, tx: tx)
      _ = try events.write(in: tx, at: now)
      return fate
    }
  }

  // MARK: Looking

  func record(_ id: DeliveryID) throws -> DeliveryRecord { try #require(try outbox.delivery(id, tx: database)) }
  func state(_ id: DeliveryID) throws -> DeliveryState { try record(id).state }
  func attempts(_ id: DeliveryID) throws -> [AttemptRecord] { try outbox.attempts(of: id, tx: database) }
  func receipts(_ id: DeliveryID) throws -> [ReceiptRecord] { try outbox.receipts(of: id, tx: database) }
  func spent(_ account: AccountID = alice) throws -> Int64 { try outbox.spent(by: account, on: now, tx: database) }

  func events(_ account: AccountID = alice, after seq: Int64 = 0) throws -> [String] {
    try #require(try EventLog.events(after: seq, in: account.value, limit: 1000, tx: database)).map(\.type)
  }
}

struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

func carrier(_ number: Int, rank: Int = 100, prefixes: [String] = [], enabled: Bool = true) -> RouteTable.Carrier {
  RouteTable.Carrier(
    number: number, name: "carrier-\(number)", channel: .sms, isEnabled: enabled, rank: rank, prefixes: prefixes)
}

extension AttemptOutcome {
  static let taken = AttemptOutcome.accepted(ids: ["c1"])
  static let refusedMessage = AttemptOutcome.refused(scope: .message, code: "bad-number", detail: "No such number.")
  static let refusedRoute = AttemptOutcome.refused(scope: .route, code: "no-route", detail: "Not served here.")
  static let tooFast = AttemptOutcome.throttled(code: "429", detail: "Too fast.", retryAfter: nil)
  static let isDown = AttemptOutcome.unavailable(code: "503", detail: "Down.")
  static let isSilent = AttemptOutcome.uncertain(code: "timeout", detail: "No answer.")
}
