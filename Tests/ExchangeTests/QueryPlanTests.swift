import Contract
import Database
import Delivery
import Exchange
import Testing

/// Every statement that the exchange runs while messages flow finds its rows by an index, and sorts nothing.
struct QueryPlanTests {
  /// Runs all of the engine's paths and gathers their statements as they are.
  private func statements() throws -> [String] {
    let bench = try Bench(carriers: [carrier(1, rank: 1), carrier(2, rank: 2)])
    let spy = Spy(bench.database)
    func work(_ body: (any Transaction, inout EventBatch) throws -> Void) throws {
      try bench.database.begin()
      var events = EventBatch()
      try body(spy, &events)
      _ = try events.write(in: spy, at: bench.now)
      try bench.database.commit()
    }
    var ids: [DeliveryID] = []
    func ask(_ new: NewDelivery) throws {
      try work { tx, events in
        if case .accepted(let id, _, _) = try bench.outbox.accept(new, at: bench.now, events: &events, tx: tx) {
          ids.append(id)
        }
      }
    }
    func turn() throws {
      let plan = bench.machine.plan(at: bench.now)
      try work { tx, _ in
        let result = try bench.outbox.perform(plan, tx: tx)
        bench.machine.performed(result.leases, at: bench.now)
      }
    }
    func report(_ status: ReceiptStatus, _ id: String?, _ delivery: DeliveryID?) throws {
      let receipt = IncomingReceipt(
        carrierID: id, reference: delivery?.value.shortReference, status: status, code: nil, detail: nil, at: nil,
        raw: "\(status) \(id ?? "")")
      try work { tx, events in
        _ = try bench.outbox.receive(receipt, from: 1, at: bench.now, events: &events, tx: tx)
      }
    }
    try ask(bench.new(key: "k", parts: 2, price: 6))
    try ask(bench.new(class: .code, key: "l", price: 6, cap: 100))
    try ask(bench.new(key: "l"))
    try ask(bench.new(to: Bench.london, notBefore: bench.now + .seconds(1)))
    try ask(bench.new(to: "+1", expires: .seconds(1)))
    try ask(bench.new(price: 99, cap: 5))
    try turn()
    try report(.delivered, "p1", ids[0])
    try report(.delivered, "zz", nil)
    bench.answer(ids[0], .accepted(ids: ["p1", "p2"]))
    bench.answer(ids[1], .isSilent)
    bench.wait(.seconds(2))
    try turn()
    try report(.delivered, "p2", nil)
    try report(.failed, "p2", nil)
    try report(.failed, nil, ids[1])
    try work { tx, events in
      _ = try bench.outbox.cancel(ids[1], of: Bench.alice, at: bench.now, events: &events, tx: tx)
      _ = try bench.outbox.recover(at: bench.now, policy: RetryPolicy(), tx: tx)
      _ = try bench.outbox.delivery(ids[0], of: Bench.alice, tx: tx)
      _ = try bench.outbox.deliveries(of: Bench.alice, before: nil, limit: 10, tx: tx)
      _ = try bench.outbox.attempts(of: ids[0], tx: tx)
      _ = try bench.outbox.receipts(of: ids[0], tx: tx)
      for number in 1...2 {
        let text = IncomingText(
          sender: Bench.helsinki, recipient: "+3", text: "x", reference: ids[0].value.shortReference, at: nil,
          part: .init(
            reference: 1, total: 2, number: number, content: .init(coding: "utf8", octets: [0x78])),
          digest: [UInt8(number)], raw: [])
        _ = try bench.inbox.receive(text, from: 1, at: bench.now, events: &events, tx: tx)
        try bench.inbox.releaseIncomplete(at: bench.now + .seconds(7200), events: &events, tx: tx)
      }
      for unread in [true, false] {
        _ = try bench.inbox.entries(of: Bench.alice, unreadOnly: unread, before: nil, limit: 9, tx: tx)
      }
      _ = try bench.inbox.take(of: Bench.alice, from: nil, limit: 9, events: &events, tx: tx)
      _ = try EventLog.events(after: 0, in: Bench.alice.value, limit: 9, tx: tx)
      _ = try TimerStore.due(at: bench.now, limit: 9, tx: tx)
      _ = try TimerStore.nextDue(after: bench.now, tx: tx)
      try TimerStore.set("a", key: "b", due: bench.now, tx: tx)
      try TimerStore.remove("a", key: "b", tx: tx)
    }
    return spy.texts.sorted()
  }

  @Test func noStatementScansOrSorts() throws {
    let statements = try statements()
    #expect(statements.count > 45)
    let bench = try Bench()
    for statement in statements {
      for step in try bench.database.queryPlan(of: statement) {
        // Of accounts, the first operator is looked for in order of id: operators are few and come first. And one row
        // from the end of an index is none.
        let isAllowed =
          step == "SCAN accounts" || step == "SCAN CONSTANT ROW"
          || !statement.contains("WHERE") && statement.hasSuffix("LIMIT 1")
        #expect(isAllowed || !step.contains("SCAN"), "\(step)\n\(statement)")
        #expect(!step.contains("TEMP B-TREE") || step.contains("count(DISTINCT)"), "\(step)\n\(statement)")
      }
    }
  }

  @Test(
    "The hot paths use the index that was made for them",
    arguments: [
      (
        "WHERE state = 1 AND carrier = $1 AND class = $2 AND due IS NOT NULL",
        "deliveries_due (state=? AND carrier=? AND class=?"
      ),
      (
        "WHERE state = $1 AND carrier = $2 AND class = $3 AND due <= $4",
        "deliveries_due (state=? AND carrier=? AND class=? AND due<?)"
      ),
      (
        "WHERE state = $1 AND carrier = $2 AND class = $3 AND due > $4",
        "deliveries_due (state=? AND carrier=? AND class=? AND due>?)"
      ),
      ("WHERE state = 2 AND due IS NOT NULL", "deliveries_due (state=?"),
      ("(state <= 1 OR state = 4) AND expires <= $1", "deliveries_expires (expires<?)"),
      ("(state <= 1 OR state = 4) AND expires > $1", "deliveries_expires (expires>?)"),
      ("ORDER BY account, address, class, ready, id LIMIT 1", "deliveries_order (account=? AND address=? AND class=?)"),
      ("ORDER BY account DESC, address DESC", "deliveries_order (account=? AND address=? AND class=?)"),
      ("idempotency_key = $2", "deliveries_idempotency (account=? AND idempotency_key=?)"),
      (
        "WHERE carrier = $1 AND carrier_id = $2 AND carrier_id IS NOT NULL",
        "attempts_carrier_id (carrier=? AND carrier_id=?)"
      ),
      ("WHERE carrier = $1 AND carrier_id = $2 AND waiting = 1", "receipts_waiting (carrier=? AND carrier_id=?)"),
      ("carrier = $2 AND waiting = 1", "receipts_delivery (delivery=?)"),
      ("WHERE account = $1 AND id < $2 ORDER BY account, id DESC LIMIT $3", "deliveries_account (account=? AND id<?)"),
      ("leased >= $2", "deliveries_address (address=? AND leased>?)"),
    ])
  func index(part: String, uses index: String) throws {
    let statement = try #require(try statements().first { $0.contains(part) })
    let plan = try Bench().database.queryPlan(of: statement)
    #expect(plan.contains { $0.contains(index) }, "\(plan)")
  }
}

/// Notes the text of every statement.
private final class Spy: Transaction {
  private let base: any Transaction
  private(set) var texts: Set<String> = []

  init(_ base: any Transaction) { self.base = base }

  func run(_ sql: SQL, _ values: [Value]) throws -> Int {
    texts.insert("\(sql.text)")
    return try base.run(sql, values)
  }

  func rows(_ sql: SQL, _ values: [Value], _ body: (any Row) throws -> Void) throws {
    texts.insert("\(sql.text)")
    try base.rows(sql, values, body)
  }
}
