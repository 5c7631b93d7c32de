package import Contract

/// The heart of the delivery engine, without a clock, a socket or a database: told what happened, it says what to do.
///
/// Whoever drives it (the dispatcher in the server, the simulation under a virtual clock) does this for ever:
/// `plan` → one transaction that settles and claims → `performed` → send what was leased → `answered` for each.
package struct DispatchMachine: Sendable {
  package var policy: RetryPolicy
  package private(set) var routes: RouteTable
  private var paces: [Int: CarrierPace] = [:]
  private var flights: [DeliveryID: Lease] = [:]
  private var answers: [Settlement] = []
  private var random: any RandomNumberGenerator & Sendable
  private var sweptAt: Instant?
  private var sweepsAgainAt: Instant?
  /// Time limits are looked through no more often than this; a queue is looked at in every turn.
  package static let sweepInterval: Duration = .milliseconds(200)
  /// How many are settled and claimed in one transaction at most.
  package static let batch = 256

  package init(policy: RetryPolicy, random: any RandomNumberGenerator & Sendable) {
    self.policy = policy
    routes = RouteTable()
    self.random = random
  }

  /// How many attempts are under way or not yet settled.
  package var unsettled: Int { flights.count + answers.count }

  package func pace(of carrier: Int) -> CarrierPace? { paces[carrier] }

  /// The operator's carriers, at start and after each change. What was learnt of a carrier that stays is kept.
  package mutating func setRoutes(_ routes: RouteTable, limits: [Int: CarrierPace.Limits], at now: Instant) {
    self.routes = routes
    for number in routes.carriers.keys {
      let limit = limits[number] ?? CarrierPace.Limits()
      if paces[number] == nil {
        paces[number] = CarrierPace(limit, at: now)
      } else if paces[number]?.limits != limit {
        var pace = CarrierPace(limit, at: now)
        for _ in 0..<(paces[number]?.inFlight ?? 0) { pace.started(parts: 1) }
        paces[number] = pace
      }
    }
  }

  // MARK: One turn

  /// What the next transaction has to do.
  /// - Parameter leasing: false at a stop, when answers are written down and nothing new is begun.
  package mutating func plan(at now: Instant, leasing: Bool = true) -> DispatchPlan {
    let settlements = Array(answers.prefix(Self.batch))
    answers.removeFirst(settlements.count)
    let sweeps = sweep(at: now)
    var openings: [Int: Opening] = [:]
    for number in routes.carriers.keys {
      guard var pace = paces[number] else { continue }
      let isEnabled = routes.carriers[number]?.isEnabled ?? false
      let allowance = isEnabled && leasing ? pace.allowance(at: now) : 0
      paces[number] = pace
      openings[number] = Opening(
        allowance: min(allowance, Self.batch), isOpen: isEnabled && pace.isOpen(at: now),
        reason: pace.closedReason(at: now), opensAt: pace.nextChange(after: now))
    }
    return DispatchPlan(
      now: now, sweeps: sweeps, settlements: settlements, routes: routes, openings: openings)
  }

  private mutating func sweep(at now: Instant) -> Bool {
    if let sweptAt, now >= sweptAt, now - sweptAt < Self.sweepInterval {
      sweepsAgainAt = sweptAt + Self.sweepInterval
      return false
    }
    sweptAt = now
    sweepsAgainAt = nil
    return true
  }

  /// The transaction of `plan` was committed, and these were leased in it.
  package mutating func performed(_ leases: [Lease], at now: Instant) {
    for lease in leases {
      flights[lease.delivery] = lease
      paces[lease.carrier]?.started(parts: lease.parts)
    }
  }

  /// The transaction of `plan` was not committed: nothing of it happened, so all of it is to be done again.
  package mutating func failed(_ plan: DispatchPlan) {
    if plan.sweeps { sweptAt = nil }
    answers.insert(contentsOf: plan.settlements, at: 0)
  }

  /// The carrier answered, or did not in time.
  package mutating func answered(_ delivery: DeliveryID, _ outcome: AttemptOutcome, at now: Instant) {
    guard let lease = flights.removeValue(forKey: delivery) else { return }
    paces[lease.carrier]?.ended(outcome, at: now)
    var history = lease.history
    history.note(outcome, by: lease.carrier)
    let candidates = routes.candidates(for: lease.address, on: lease.channel, fixed: lease.fixedCarrier).map {
      Candidate(carrier: $0, isOpen: paces[$0]?.isOpen(at: now) ?? false)
    }
    let ruling = policy.rule(
      on: outcome, by: lease.carrier, history: history, candidates: candidates, channel: lease.channel, now: now,
      random: &random)
    answers.append(Settlement(lease: lease, ended: now, outcome: outcome, ruling: ruling))
  }

  /// When a carrier's allowance may grow by the passing of time; nil where only an answer or new work can change it.
  package func nextChange(after now: Instant) -> Instant? {
    if !answers.isEmpty { return now }
    // A disabled carrier is not asked: its allowance is not filled up, and would seem about to change for ever.
    let openings = routes.carriers.values.compactMap { carrier in
      carrier.isEnabled ? paces[carrier.number]?.nextChange(after: now) : nil
    }
    return (openings + [sweepsAgainAt].compactMap(\.self)).min()
  }
}

/// How far one carrier's door stands open in one turn.
package struct Opening: Sendable {
  package var allowance: Int
  package var isOpen: Bool
  package var reason: CarrierPace.ClosedReason?
  package var opensAt: Instant?
}

/// The work of one transaction: settle what was answered, then claim what may go.
package struct DispatchPlan: Sendable {
  package let now: Instant
  /// Whether time limits are looked through too.
  package let sweeps: Bool
  package let settlements: [Settlement]
  package let routes: RouteTable
  package private(set) var openings: [Int: Opening]

  package init(
    now: Instant, sweeps: Bool, settlements: [Settlement], routes: RouteTable, openings: [Int: Opening]
  ) {
    self.now = now
    self.sweeps = sweeps
    self.settlements = settlements
    self.routes = routes
    self.openings = openings
  }

  /// How many to look at in the queue of `carrier`: what it may take itself, or, while it is closed, what the others
  /// may take for it.
  package func claimLimit(of carrier: Int) -> Int {
    guard let opening = openings[carrier] else { return 0 }
    if opening.isOpen { return opening.allowance }
    // Where nobody else can serve its addresses, its queue is left alone.
    let others = openings.filter { number, other in
      number != carrier && other.isOpen && routes.mayStandIn(number, for: carrier)
    }
    return min(64, others.map(\.value.allowance).reduce(0, +))
  }

  /// Decides one queued delivery of the queue of `carrier`, and counts what it takes.
  package mutating func decide(
    address: String, channel: Channel, fixed: Int?, queue carrier: Int, refusedBy: Set<Int>
  ) -> LeaseDecision {
    let candidates = routes.candidates(for: address, on: channel, fixed: fixed)
    let willing = candidates.filter { !refusedBy.contains($0) }
    guard !willing.isEmpty else { return candidates.isEmpty ? .noCarrier : .refusedByAll }
    let order = willing.contains(carrier) ? [carrier] + willing.filter { $0 != carrier } : willing
    for candidate in order {
      guard let opening = openings[candidate], opening.isOpen, opening.allowance > 0 else { continue }
      openings[candidate]?.allowance -= 1
      let reason = candidate == order.first ? nil : openings[order[0]]?.reason
      return .lease(carrier: candidate, insteadOf: reason.map { (order[0], $0) })
    }
    // Looked at again when its own carrier may be back.
    let opening = openings[order[0]]
    return .wait(until: opening?.opensAt ?? now + .seconds(1), queue: order[0])
  }
}

package enum LeaseDecision: Sendable {
  /// Goes by `carrier` now; `insteadOf` names the better one and why it takes nothing.
  case lease(carrier: Int, insteadOf: (carrier: Int, reason: CarrierPace.ClosedReason)?)
  case wait(until: Instant, queue: Int)
  /// Every carrier that serves the address has refused it.
  case refusedByAll
  /// No carrier serves the address (any more).
  case noCarrier
}

/// One attempt, recorded before the carrier is spoken to.
package struct Lease: Sendable {
  package let delivery: DeliveryID
  package let account: AccountID
  package let channel: Channel
  package let address: String
  package let deliveryClass: DeliveryClass
  package let body: [UInt8]
  package let reference: String?
  package let parts: Int
  package let attempt: Int
  package let carrier: Int
  package let fixedCarrier: Int?
  package let started: Instant
  package let expires: Instant
  package let history: RetryPolicy.History
  /// Why it goes by this carrier and not by a better one.
  package let insteadOf: String?

  package init(
    delivery: DeliveryID, account: AccountID, channel: Channel, address: String, deliveryClass: DeliveryClass,
    body: [UInt8], reference: String?, parts: Int, attempt: Int, carrier: Int, fixedCarrier: Int?, started: Instant,
    expires: Instant, history: RetryPolicy.History, insteadOf: String?
  ) {
    self.delivery = delivery
    self.account = account
    self.channel = channel
    self.address = address
    self.deliveryClass = deliveryClass
    self.body = body
    self.reference = reference
    self.parts = parts
    self.attempt = attempt
    self.carrier = carrier
    self.fixedCarrier = fixedCarrier
    self.started = started
    self.expires = expires
    self.history = history
    self.insteadOf = insteadOf
  }
}

/// An answered attempt and what follows from it, to be written down.
package struct Settlement: Sendable {
  package let lease: Lease
  package let ended: Instant
  package let outcome: AttemptOutcome
  package let ruling: Ruling

  package init(lease: Lease, ended: Instant, outcome: AttemptOutcome, ruling: Ruling) {
    self.lease = lease
    self.ended = ended
    self.outcome = outcome
    self.ruling = ruling
  }
}
