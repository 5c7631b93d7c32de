import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Runtime

/// Takes messages through their whole life in batches, with the statements that the server runs: accept, lease, settle,
/// receipt. The carrier between them is left out.
final class LifeRunner {
  enum Kind: String {
    /// A text message: every change makes an event, and a receipt ends it.
    case text
    /// As a fan-out of pushes will be: no events of its own, and the service's answer is the last word.
    case push
  }

  let database: SQLiteDatabase
  private let outbox: Outbox
  private var machine: DispatchMachine
  private var random: SeededRandom
  private let account: AccountID
  private let clock = SystemClock()
  private let numbers: Int
  private let body: [UInt8]
  private var nextCarrierID = 1_000_000
  private(set) var written = 0
  private(set) var stored = 0

  /// - Parameter numbers: how many different numbers the messages go to.
  init(database: SQLiteDatabase, numbers: Int, seed: UInt64 = 1) throws {
    self.database = database
    random = SeededRandom(seed: seed)
    let ids = IdentifierSource(random: SecureRandomPool())
    guard let key = MasterKey(hex: String(repeating: "5a", count: 32)) else { throw BenchmarkError("no key") }
    outbox = Outbox(ids: ids, key: key)
    machine = DispatchMachine(policy: RetryPolicy(), random: SeededRandom(seed: 2))
    machine.setRoutes(
      RouteTable([
        RouteTable.Carrier(number: 1, name: "peer", channel: .sms, isEnabled: true, rank: 1, prefixes: [])
      ]), limits: [1: CarrierPace.Limits(partsPerSecond: 1_000_000, window: 1000)], at: clock.now)
    account = AccountID(ids.next(at: clock.now))
    self.numbers = numbers
    // As `TextBody` stores it.
    body = Array(
      #"{"text":"FO60 KOTONA, ulkona -12 astetta, lämmitys päällä, kaikki hyvin.","from":"Info","encoding":"gsm7"}"#
        .utf8)
  }

  /// - Returns: what `count` lives took, and the rows written for each of them.
  func run(_ count: Int, _ kind: Kind, batch: Int) async throws -> (reading: Meter.Reading, rowsPerLife: Double) {
    let before = (written, stored)
    let meter = Meter()
    while stored < before.1 + count { try await self.batch(min(batch, before.1 + count - stored), kind) }
    return (meter.read(), Double(written - before.0) / Double(max(1, stored - before.1)))
  }

  /// Only accepts.
  func accept(_ count: Int, batch: Int) async throws {
    var left = count
    while left > 0 {
      try await accept(min(batch, left), .text)
      left -= batch
    }
  }

  private func batch(_ count: Int, _ kind: Kind) async throws {
    try await accept(count, kind)
    // One turn of the dispatcher leases; the next settles what was answered (and would lease again).
    let leases = try await turn().leases
    guard leases.count == count else { throw BenchmarkError("\(leases.count) of \(count) were leased") }
    var ids: [String] = []
    for lease in leases {
      nextCarrierID += 1
      ids.append(String(nextCarrierID))
      machine.answered(lease.delivery, .accepted(ids: [String(nextCarrierID)]), at: clock.now)
    }
    _ = try await turn()
    if kind == .text { try await receive(ids) }
    stored += count
  }

  private func accept(_ count: Int, _ kind: Kind) async throws {
    let now = clock.now
    let new = numbered(count).map { address in
      NewDelivery(
        account: account, channel: .sms, address: address, body: body, carrier: 1,
        expires: now + .seconds(24 * 3600), events: kind == .text ? .all : .none)
    }
    try await transaction { [outbox] tx in
      var events = EventBatch()
      for delivery in new { _ = try outbox.accept(delivery, at: now, events: &events, tx: tx) }
      _ = try events.write(in: tx, at: now)
    }
  }

  /// Different ones within a batch: a second message to a number waits for the first.
  private func numbered(_ count: Int) -> [String] {
    var chosen: Set<Int> = []
    while chosen.count < count { chosen.insert(Int.random(in: 0..<numbers, using: &random)) }
    return chosen.map { "+3584" + String(10_000_000 + $0) }
  }

  private func turn() async throws -> DispatchResult {
    let now = clock.now
    let plan = machine.plan(at: now)
    let result = try await transaction { [outbox] tx in try outbox.perform(plan, tx: tx) }
    machine.performed(result.leases, at: now)
    return result
  }

  private func receive(_ ids: [String]) async throws {
    let now = clock.now
    try await transaction { [outbox] tx in
      var events = EventBatch()
      for id in ids {
        let receipt = IncomingReceipt(
          carrierID: id, reference: nil, status: .delivered, code: nil, detail: nil, at: now,
          raw: "\(id):Info:358401234567:1::1465856570::")
        guard try outbox.receive(receipt, from: 1, at: now, events: &events, tx: tx) == .applied else {
          throw BenchmarkError("a receipt was not applied")
        }
      }
      _ = try events.write(in: tx, at: now)
    }
  }

  private func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Result
  ) async throws -> Result {
    let (result, rows) = try await database.transaction { tx in
      let counting = CountingTransaction(tx)
      return (try body(counting), counting.written)
    }
    written += rows
    return result
  }
}
