import Contract
import Database
import Delivery
import Exchange
import Runtime

/// The memory of one life of the exchange: gone with a crash.
struct Server {
  var machine: DispatchMachine
  let outbox: Outbox
  /// Which planned turn counts; an earlier one was overtaken by a wake.
  var token = 0
  var isInTurn = false
  var isStopping = false
  /// Attempts that nobody has answered yet.
  var underWay = 0
  var wakes = 0
  var seen = 0
  var idleTurns = 0
  var idleSince: Int64 = 0
}

extension World {
  // MARK: Beginning and end

  func startServer() throws {
    guard server == nil else { return }
    let outbox = Outbox(ids: IdentifierSource(random: SeededRandom(seed: dice.seed())), key: key)
    var machine = DispatchMachine(policy: RetryPolicy(), random: SeededRandom(seed: dice.seed()))
    machine.setRoutes(RouteTable(carriers), limits: limits, at: clock)
    let policy = machine.policy
    let at = clock
    server = Server(machine: machine, outbox: outbox)
    switch try transact("recover", { try outbox.recover(at: at, policy: policy, tx: $0) }) {
    case .committed(let count):
      trace("the exchange starts; \(count) attempts were interrupted")
      wake()
    case .failed:
      // It can not start on a full disk.
      server = nil
      later(10 * .second, .restart)
    case .crashed: break
    }
  }

  var limits: [Int: CarrierPace.Limits] {
    Dictionary(uniqueKeysWithValues: scenario.carriers.map { ($0.number, $0.limits) })
  }

  func crash(_ place: @autoclosure () -> String) {
    guard server != nil else { return }
    trace("CRASH \(place())")
    server = nil
    epoch += 1
    crashesLeft -= 1
    counts.crashes += 1
    if stepsClock, dice.chance(0.3) { stepClock() }
    later(dice.pick([(3, dice.number(0...2000)), (1, dice.number(0...10 * .minute))]), .restart)
  }

  /// A graceful stop: what is under way is finished and written down, nothing new is begun.
  func stop() {
    guard server != nil else { return }
    trace("the exchange stops")
    server?.isStopping = true
    wake()
  }

  func configure() {
    if now >= scenario.activeTime + .hour {
      for index in carriers.indices { carriers[index].isEnabled = true }
      for index in scenario.carriers.indices { scenario.carriers[index].limits.partsPerSecond = 100 }
    } else {
      let index = dice.number(0...carriers.count - 1)
      if dice.chance(0.5) { carriers[index].isEnabled.toggle() }
      if dice.chance(0.3) { carriers[index].rank = dice.number(1...3) }
      if dice.chance(0.3) { scenario.carriers[index].limits.window = dice.number(1...20) }
    }
    trace("carriers: " + carriers.map { "\($0.number)\($0.isEnabled ? "" : " off")" }.joined(separator: ", "))
    server?.machine.setRoutes(RouteTable(carriers), limits: limits, at: clock)
    wake()
  }

  func stepClock() {
    clockOffset += dice.pick([(3, dice.number(-2000...2000)), (1, dice.number(-.hour ... .hour))])
    trace("the clock is set: \(clockOffset) ms")
  }

  // MARK: The dispatcher's loop, as `Dispatcher` runs it

  func wake() {
    guard server != nil else { return }
    server?.wakes += 1
    server?.idleTurns = 0
    if server?.isInTurn == false { planTurn(in: 0) }
  }

  /// A stopping dispatcher waits for every attempt before it writes down what came of them.
  private var mayTurn: Bool { server.map { !$0.isStopping || $0.underWay == 0 } ?? false }

  private func planTurn(in delay: Int64) {
    guard mayTurn else { return }
    server?.token += 1
    later(delay, .turn(epoch: epoch, token: server?.token ?? 0))
  }

  func turn(_ epoch: Int, _ token: Int) {
    guard epoch == self.epoch, server?.token == token, server?.isInTurn == false, mayTurn else { return }
    counts.turns += 1
    server?.isInTurn = true
    if let wakes = server?.wakes { server?.seen = wakes }
    let leasing = server?.isStopping == false
    guard let plan = server?.machine.plan(at: clock, leasing: leasing) else { return }
    later(dice.number(0...4), .perform(epoch: epoch, plan: plan))
  }

  func perform(_ epoch: Int, _ plan: DispatchPlan) throws {
    guard epoch == self.epoch, let server else { return }
    switch try transact("a turn", { try server.outbox.perform(plan, tx: $0) }) {
    case .failed:
      self.server?.machine.failed(plan)
      endTurn(next: now + .second)
    case .crashed(let result):
      if let result { try checkLeases(result.leases, at: plan.now) }
    case .committed(let result):
      try checkLeases(result.leases, at: plan.now)
      for settlement in plan.settlements {
        trace(
          "\(ledger.name(settlement.lease.delivery)) attempt \(settlement.lease.attempt) settled: "
            + "\(settlement.outcome.kind.name) → \(settlement.ruling)")
      }
      later(dice.number(0...3), .performed(epoch: epoch, plan: plan, result: result))
    }
  }

  func performed(_ epoch: Int, _ plan: DispatchPlan, _ result: DispatchResult) throws {
    guard epoch == self.epoch, server != nil else { return }
    if mayCrash() { return crash("between leases and calls") }
    server?.machine.performed(result.leases, at: plan.now)
    server?.underWay += result.leases.count
    for lease in result.leases { later(dice.number(0...2), .call(epoch: epoch, lease: lease)) }
    try checkSpin(plan, result)
    if server?.isStopping == true, server?.machine.unsettled == 0 { return endStop() }
    if result.isMoreDue { return endTurn(next: now) }
    let change = server?.machine.nextChange(after: plan.now)
    let next = [change, result.nextDue].compactMap(\.self).min()
    let isWoken = server?.wakes != server?.seen
    // A few milliseconds are lost to rounding.
    if !isWoken, next.map({ $0 > clock + .milliseconds(5) }) ?? true, server?.isStopping == false {
      try checkNothingSleeps()
    }
    endTurn(next: next.map { $0.milliseconds - Self.start - clockOffset })
  }

  private func endTurn(next: Int64?) {
    server?.isInTurn = false
    if server?.wakes != server?.seen {
      planTurn(in: 0)
    } else if let next {
      planTurn(in: next - now)
    }
  }

  private func endStop() {
    trace("the exchange has stopped")
    server = nil
    epoch += 1
    later(dice.number(0...20) * .second, .restart)
  }

  // MARK: What must hold in every turn

  /// Nobody may be overtaken: no earlier one to the same account, address and class waits or is under way.
  private func checkLeases(_ leases: [Lease], at now: Instant) throws {
    for lease in leases {
      trace("\(ledger.name(lease.delivery)) leased for carrier \(lease.carrier), attempt \(lease.attempt)")
      let others = try database.all(
        """
        SELECT id, state, (ready, id) < (SELECT ready, id FROM deliveries WHERE id = $4), due FROM deliveries
        WHERE account = $1 AND address = $2 AND class = $3 AND state IN (1, 2) AND id <> $4
        """,
        [.id(lease.account), .text(lease.address), .integer(lease.deliveryClass.rawValue), .id(lease.delivery)]
      ) { (id: DeliveryID($0.id(0)), isLeased: $0.int(1) == 2, isEarlier: $0.bool(2), isDue: !$0.isNull(3)) }
      for other in others where other.isLeased || other.isEarlier || other.isDue {
        throw Failure(
          "\(ledger.name(lease.delivery)) was leased while \(ledger.name(other.id)) to the same address "
            + (other.isLeased ? "was under way." : other.isEarlier ? "waited before it." : "was due too."))
      }
      guard lease.expires > now else { throw Failure("\(ledger.name(lease.delivery)) was leased after its time.") }
      guard let index = ledger.byID[lease.delivery] else {
        throw Failure("A delivery was leased that nobody asked for.")
      }
      guard lease.body == ledger.messages[index].new.body else {
        throw Failure("\(ledger.name(lease.delivery)) has another body than was asked for.")
      }
    }
  }

  /// A turn that finds nothing to do must not be followed by another at once.
  private func checkSpin(_ plan: DispatchPlan, _ result: DispatchResult) throws {
    let isIdle = plan.settlements.isEmpty && result.leases.isEmpty && result.changedStreams.isEmpty
    guard isIdle else {
      server?.idleTurns = 0
      return
    }
    if server?.idleTurns == 0 { server?.idleSince = now }
    server?.idleTurns += 1
    if let server, server.idleTurns >= 30 {
      guard now - server.idleSince > .second else {
        throw Failure("The dispatcher spins: \(server.idleTurns) turns in \(now - server.idleSince) ms found nothing.")
      }
      self.server?.idleTurns = 0
    }
  }

  /// When the dispatcher goes to sleep, whatever is due must be waiting for a carrier that can take nothing now.
  private func checkNothingSleeps() throws {
    guard let machine = server?.machine else { return }
    let forgotten = try database.first(
      """
      SELECT id FROM deliveries AS waiting WHERE state = 1 AND due IS NULL AND NOT EXISTS (
        SELECT 1 FROM deliveries AS first WHERE first.account = waiting.account AND first.address = waiting.address
          AND first.class = waiting.class AND first.state IN (1, 2) AND first.due IS NOT NULL)
      LIMIT 1
      """
    ) { DeliveryID($0.id(0)) }
    if let forgotten { throw Failure("\(ledger.name(forgotten)) waits behind nobody and is not due.") }
    let due = try database.all(
      "SELECT DISTINCT carrier FROM deliveries WHERE state = 1 AND due <= $1", [.instant(clock)]
    ) { $0.int(0) }
    for number in due {
      guard carriers.contains(where: { $0.number == number && $0.isEnabled }), var pace = machine.pace(of: number)
      else {
        continue
      }
      guard pace.allowance(at: clock) == 0 || machine.unsettled > 0 else {
        throw Failure("Messages for carrier \(number) are due and it is open, but the dispatcher sleeps.")
      }
    }
  }
}
