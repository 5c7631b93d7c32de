package import Contract
import Cryptography
package import Database
package import Delivery

/// What one transaction of the dispatcher brought.
package struct DispatchResult: Sendable {
  /// To be sent now: each is recorded as an attempt.
  package var leases: [Lease] = []
  package var changedStreams: Set<ID128> = []
  /// Whether more is waiting than was taken.
  package var isMoreDue = false
  /// When the next unfinished delivery is due, as far as nothing else happens before.
  package var nextDue: Instant?
}

extension Outbox {
  /// How long a lease is good for: no attempt takes longer. A lease that outlives it belonged to a process that died.
  package static let leaseTime: Duration = .seconds(120)

  /// One turn of the dispatcher: settles what was answered, starts and ends what is due, leases what may go.
  package func perform(_ plan: DispatchPlan, tx: any Transaction) throws -> DispatchResult {
    var result = DispatchResult()
    var events = EventBatch()
    var plan = plan
    for settlement in plan.settlements { try settle(settlement, &events, tx: tx) }
    try CarrierDays.count(plan.settlements, tx: tx)
    if plan.sweeps { try sweep(plan, &result, &events, tx: tx) }
    for carrier in plan.routes.carriers.keys.sorted() {
      try lease(from: carrier, &plan, &result, &events, tx: tx)
    }
    result.changedStreams = try events.write(in: tx, at: plan.now)
    return result
  }

  // MARK: Settle

  private func settle(_ settlement: Settlement, _ events: inout EventBatch, tx: any Transaction) throws {
    let lease = settlement.lease
    try record(settlement, tx: tx)
    guard let row = try progress(of: lease.delivery, tx: tx), row.life.attempt == lease.attempt else { return }
    var life = row.life
    guard life.state == .leased else { return }
    var error: (code: String, detail: String)?
    switch settlement.outcome {
    case .accepted: break
    case .refused(_, let code, let detail), .throttled(let code, let detail, _), .unavailable(let code, let detail),
      .uncertain(let code, let detail):
      error = (code, detail)
    }
    var queue = lease.carrier
    switch settlement.ruling {
    case .submitted(let limit): life.submit(awaitingReceiptUntil: limit)
    case .retry where row.isCancelAsked && settlement.outcome.kind == .uncertain:
      // Called back, and nobody knows whether that was in time.
      life.giveUpWaiting()
    case .retry where row.isCancelAsked:
      life.callBack()
      error = nil
    case .retry(let instant, let carrier):
      life.retry(at: instant)
      queue = carrier
    case .rejected: life.reject()
    case .unknown: life.giveUpWaiting()
    case .hold: life.hold()
    }
    try write(life, of: row, carrier: queue, error: error, at: settlement.ended, &events, tx: tx)
    if life.state == .submitted { try applyEarlyReceipts(to: lease, settlement, &events, tx: tx) }
  }

  private func record(_ settlement: Settlement, tx: any Transaction) throws {
    let lease = settlement.lease
    var ids: [String?] = [nil]
    var code: String?
    var detail: String?
    switch settlement.outcome {
    case .accepted(let carrierIDs):
      // A carrier that repeats one id for every part means the whole.
      var known: Set<String> = []
      let distinct = carrierIDs.filter { !$0.isEmpty && known.insert($0).inserted }
      ids = distinct.isEmpty ? [nil] : distinct
    case .refused(_, let why, let sentence), .throttled(let why, let sentence, _), .unavailable(let why, let sentence),
      .uncertain(let why, let sentence):
      code = why
      detail = sentence
    }
    for (index, carrierID) in ids.enumerated() {
      try tx.run(
        """
        INSERT INTO attempts (delivery, number, part, parts, carrier, carrier_id, started, ended, outcome,
          carrier_refused, code, detail, instead_of)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (delivery, number, part) DO UPDATE SET parts = $4, carrier_id = $6, ended = $8, outcome = $9,
          carrier_refused = $10, code = $11, detail = $12
        """,
        [
          .id(lease.delivery), .integer(lease.attempt), .integer(index + 1), .integer(ids.count),
          .integer(lease.carrier), .text(carrierID), .instant(lease.started), .instant(settlement.ended),
          .integer(settlement.outcome.kind.rawValue), .bool(settlement.outcome.isRouteRefusal), .text(code),
          .text(detail), .text(lease.insteadOf),
        ])
    }
  }

  // MARK: Time limits

  private func sweep(
    _ plan: DispatchPlan, _ result: inout DispatchResult, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    try expire(at: plan.now, &result, &events, tx: tx)
    for carrier in plan.routes.carriers.keys.sorted() {
      try endSilent(in: carrier, at: plan.now, &result, &events, tx: tx)
      try startScheduled(in: carrier, at: plan.now, &result, &events, tx: tx)
    }
  }

  private static let outOfTime = (code: "expired", detail: "The message's time ran out before a carrier took it.")

  /// Those whose time ran out before a carrier took them.
  private func expire(
    at now: Instant, _ result: inout DispatchResult, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    let overdue: [DeliveryID] = try tx.all(
      "SELECT id FROM deliveries WHERE (state <= 1 OR state = 4) AND expires <= $1 ORDER BY expires, id LIMIT $2",
      [.instant(now), .integer(DispatchMachine.batch)]
    ) { $0.identifier(0) }
    if overdue.count == DispatchMachine.batch { result.isMoreDue = true }
    let next = try tx.first(
      "SELECT expires FROM deliveries WHERE (state <= 1 OR state = 4) AND expires > $1 ORDER BY expires, id LIMIT 1",
      [.instant(now)]
    ) { $0.instant(0) }
    note(next, in: &result)
    for id in overdue {
      guard let row = try progress(of: id, tx: tx) else { continue }
      var life = row.life
      life.expire()
      try write(life, of: row, carrier: row.carrier, error: Self.outOfTime, at: now, &events, tx: tx)
    }
  }

  /// Submitted ones whose carrier never said more.
  private func endSilent(
    in carrier: Int, at now: Instant, _ result: inout DispatchResult, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    for deliveryClass in DeliveryClass.allCases {
      for id in try due(.submitted, in: carrier, deliveryClass, at: now, &result, tx: tx) {
        guard let row = try progress(of: id, tx: tx) else { continue }
        var life = row.life
        life.giveUpWaiting()
        try write(
          life, of: row, carrier: carrier,
          error: ("receipt-missing", "The carrier took the message and never said what became of it."), at: now,
          &events, tx: tx)
      }
    }
  }

  private func startScheduled(
    in carrier: Int, at now: Instant, _ result: inout DispatchResult, _ events: inout EventBatch, tx: any Transaction
  ) throws {
    for deliveryClass in DeliveryClass.allCases {
      for id in try due(.scheduled, in: carrier, deliveryClass, at: now, &result, tx: tx) {
        guard let row = try progress(of: id, tx: tx) else { continue }
        var life = row.life
        let place = try place(
          at: now, account: row.account, address: row.address, deliveryClass: row.deliveryClass, tx: tx)
        life.start(at: now, behind: place.isBehind)
        try tx.run("UPDATE deliveries SET ready = $2 WHERE id = $1", [.id(id), .instant(place.ready)])
        try write(life, of: row, carrier: carrier, error: nil, at: now, &events, tx: tx)
      }
    }
  }

  private func due(
    _ state: DeliveryState, in carrier: Int, _ deliveryClass: DeliveryClass, at now: Instant,
    _ result: inout DispatchResult, tx: any Transaction
  ) throws -> [DeliveryID] {
    let place: [Value] = [.integer(state.rawValue), .integer(carrier), .integer(deliveryClass.rawValue), .instant(now)]
    let ready: [DeliveryID] = try tx.all(
      """
      SELECT id FROM deliveries WHERE state = $1 AND carrier = $2 AND class = $3 AND due <= $4
      ORDER BY state, carrier, class, due, id LIMIT $5
      """, place + [.integer(DispatchMachine.batch)]
    ) { $0.identifier(0) }
    if ready.count == DispatchMachine.batch { result.isMoreDue = true }
    let next = try tx.first(
      """
      SELECT due FROM deliveries WHERE state = $1 AND carrier = $2 AND class = $3 AND due > $4
      ORDER BY state, carrier, class, due, id LIMIT 1
      """, place
    ) { $0.instant(0) }
    note(next, in: &result)
    return ready
  }

  private func note(_ due: Instant?, in result: inout DispatchResult) {
    guard let due else { return }
    result.nextDue = min(due, result.nextDue ?? due)
  }

  // MARK: Lease

  private struct Waiting {
    let id: DeliveryID
    let due: Instant
    let account: AccountID
    let channel: Channel
    let address: String
    let body: [UInt8]
    let isSealed: Bool
    let reference: String?
    let parts: Int
    let attempt: Int
    let fixedCarrier: Int?
    let expires: Instant
  }

  private func lease(
    from carrier: Int, _ plan: inout DispatchPlan, _ result: inout DispatchResult, _ events: inout EventBatch,
    tx: any Transaction
  ) throws {
    var room = plan.claimLimit(of: carrier)
    for deliveryClass in DeliveryClass.allCases {
      // One more than there is room for tells when the next is due.
      let waiting = try waiting(in: carrier, deliveryClass, limit: room + 1, tx: tx)
      let ready = waiting.prefix { $0.due <= plan.now }
      note(waiting.first { $0.due > plan.now }?.due, in: &result)
      if ready.count > room, room > 0 { result.isMoreDue = true }
      for candidate in ready.prefix(room) {
        if try leaseOne(candidate, deliveryClass, from: carrier, &plan, &result, &events, tx: tx) { room -= 1 }
      }
    }
  }

  private func waiting(
    in carrier: Int, _ deliveryClass: DeliveryClass, limit: Int, tx: any Transaction
  ) throws -> [Waiting] {
    try tx.all(
      """
      SELECT id, due, account, channel, address, body, sealed, reference, parts, attempt, fixed_carrier, expires
      FROM deliveries WHERE state = 1 AND carrier = $1 AND class = $2 AND due IS NOT NULL
      ORDER BY state, carrier, class, due, id LIMIT $3
      """, [.integer(carrier), .integer(deliveryClass.rawValue), .integer(limit)]
    ) { row in
      Waiting(
        id: row.identifier(0), due: row.instant(1), account: row.identifier(2),
        channel: Channel(rawValue: row.int(3)) ?? .sms, address: row.text(4), body: row.bytes(5),
        isSealed: row.bool(6), reference: row.textIfPresent(7), parts: row.int(8), attempt: row.int(9),
        fixedCarrier: row.integerIfPresent(10).map(Int.init), expires: row.instant(11))
    }
  }

  /// - Returns: whether it was leased.
  private func leaseOne(
    _ waiting: Waiting, _ deliveryClass: DeliveryClass, from carrier: Int, _ plan: inout DispatchPlan,
    _ result: inout DispatchResult, _ events: inout EventBatch, tx: any Transaction
  ) throws -> Bool {
    let now = plan.now
    var life = Life(state: .queued, due: waiting.due, attempt: waiting.attempt, expires: waiting.expires)
    guard waiting.expires > now else {
      life.expire()
      try end(waiting.id, life, Self.outOfTime, now, &result, &events, tx)
      return false
    }
    guard let body = opened(waiting) else {
      // One that can not be read must not stop all others; with the right master key it goes.
      try postpone(
        waiting.id, ("sealed", "The message can not be decrypted with this master key; it waits."), now, &result, tx)
      return false
    }
    let history = waiting.attempt == 0 ? RetryPolicy.History() : try history(of: waiting.id, tx: tx)
    let decision = plan.decide(
      address: waiting.address, channel: waiting.channel, fixed: waiting.fixedCarrier, queue: carrier,
      refusedBy: history.refusedBy)
    switch decision {
    case .wait(let until, let queue):
      try tx.run(
        "UPDATE deliveries SET due = $2, carrier = $3 WHERE id = $1 AND state = 1",
        [.id(waiting.id), .instant(until), .integer(queue)])
      note(until, in: &result)
      return false
    case .refusedByAll:
      _ = life.lease(at: now, until: now)
      life.reject()
      try end(
        waiting.id, life, ("refused", "Every carrier that serves this number has refused it."), now, &result, &events,
        tx)
      return false
    case .noCarrier:
      // The operator may configure one again before the message's time runs out.
      try postpone(
        waiting.id, ("no-carrier", "No carrier serves this number now; the message waits."), now, &result, tx)
      return false
    case .lease(let chosen, let insteadOf):
      let limit = now + Self.leaseTime
      guard life.lease(at: now, until: limit) else { return false }
      let why = insteadOf.map { "\(plan.routes.carriers[$0.carrier]?.name ?? "?") is \($0.reason.name)" }
      try tx.run(
        """
        UPDATE deliveries SET state = 2, due = $2, attempt = $3, carrier = $4, leased = $5, instead_of = $6, updated = $5
        WHERE id = $1 AND state = 1
        """,
        [
          .id(waiting.id), .instant(limit), .integer(life.attempt), .integer(chosen), .instant(now), .text(why),
        ])
      result.leases.append(
        Lease(
          delivery: waiting.id, account: waiting.account, channel: waiting.channel, address: waiting.address,
          deliveryClass: deliveryClass, body: body, reference: waiting.reference, parts: waiting.parts,
          attempt: life.attempt, carrier: chosen, fixedCarrier: waiting.fixedCarrier, started: now,
          expires: waiting.expires, history: history, insteadOf: why))
      return true
    }
  }

  private func opened(_ waiting: Waiting) -> [UInt8]? {
    waiting.isSealed ? try? key.open(waiting.body, purpose: Self.bodyPurpose) : waiting.body
  }

  private func postpone(
    _ id: DeliveryID, _ error: (code: String, detail: String), _ now: Instant, _ result: inout DispatchResult,
    _ tx: any Transaction
  ) throws {
    let later = now + .seconds(60)
    try tx.run(
      "UPDATE deliveries SET due = $2, error_code = $3, error = $4 WHERE id = $1 AND state = 1",
      [.id(id), .instant(later), .text(error.code), .text(error.detail)])
    note(later, in: &result)
  }

  private func end(
    _ id: DeliveryID, _ life: Life, _ error: (code: String, detail: String), _ now: Instant,
    _ result: inout DispatchResult, _ events: inout EventBatch, _ tx: any Transaction
  ) throws {
    guard let row = try progress(of: id, tx: tx) else { return }
    try write(life, of: row, carrier: row.carrier, error: error, at: now, &events, tx: tx)
    // The one behind it may wait in a queue that was looked at before.
    result.isMoreDue = true
  }

  /// What was tried before, read only for the few that need a second attempt.
  func history(of id: DeliveryID, tx: any Transaction) throws -> RetryPolicy.History {
    var history = RetryPolicy.History()
    try tx.rows(
      "SELECT carrier, outcome, carrier_refused FROM attempts WHERE delivery = $1 AND part = 1 ORDER BY number",
      [.id(id)]
    ) { row in
      guard let outcome = AttemptOutcome.Kind(rawValue: row.int(1)) else { return }
      history.note(outcome, carrierRefused: row.bool(2), by: row.int(0))
    }
    return history
  }
}
