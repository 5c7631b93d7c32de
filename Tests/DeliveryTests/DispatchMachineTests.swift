import Contract
import Delivery
import Runtime
import Testing

struct DispatchMachineTests {
  @Test func anAnswerIsSettledOnce() {
    var machine = machine([carrier(1)])
    machine.performed([lease(1, by: 1)], at: .start)
    #expect(machine.unsettled == 1)
    machine.answered(id(1), .taken, at: .after(1))
    machine.answered(id(1), .isSilent, at: .after(2))
    machine.answered(id(9), .taken, at: .after(2))
    let plan = machine.plan(at: .after(3))
    #expect(plan.settlements.map(\.outcome) == [.taken])
    #expect(plan.settlements.map(\.ended) == [.after(1)])
    #expect(machine.unsettled == 0)
    #expect(machine.plan(at: .after(4)).settlements.isEmpty)
  }

  @Test func settlementsOutliveACommitThatFailed() {
    var machine = machine([carrier(1)])
    machine.performed([lease(1, by: 1), lease(2, by: 1)], at: .start)
    machine.answered(id(1), .taken, at: .after(1))
    let lost = machine.plan(at: .after(1))
    machine.answered(id(2), .isDown, at: .after(1.1))
    machine.failed(lost)
    let plan = machine.plan(at: .after(2))
    #expect(plan.settlements.map(\.lease.delivery) == [id(1), id(2)])
    #expect(plan.sweeps)
  }

  @Test func noMoreIsSettledAtOnceThanABatch() {
    var machine = machine([carrier(1)])
    let count = DispatchMachine.batch + 10
    machine.performed((0..<count).map { lease(UInt64($0), by: 1) }, at: .start)
    for number in 0..<count { machine.answered(id(UInt64(number)), .taken, at: .after(1)) }
    #expect(machine.plan(at: .after(1)).settlements.count == DispatchMachine.batch)
    #expect(machine.nextChange(after: .after(1)) == .after(1))
    #expect(machine.plan(at: .after(1)).settlements.count == 10)
  }

  @Test func timeLimitsAreLookedThroughNowAndThen() {
    var machine = machine([carrier(1)])
    #expect(machine.plan(at: .start).sweeps)
    #expect(machine.nextChange(after: .start) == nil)
    #expect(!machine.plan(at: .after(0.1)).sweeps)
    // So that what became due in between is seen.
    #expect(machine.nextChange(after: .after(0.1)) == .after(0.2))
    #expect(machine.plan(at: .after(0.2)).sweeps)
    #expect(machine.nextChange(after: .after(0.2)) == nil)
    // The clock was set back.
    #expect(machine.plan(at: .after(-3600)).sweeps)
  }

  @Test func whatFailsGoesToTheNextCarrierThatIsOpen() {
    var machine = machine([carrier(1, rank: 1), carrier(2, rank: 2)])
    machine.performed([lease(1, by: 1)], at: .start)
    machine.answered(id(1), .isDown, at: .after(1))
    #expect(machine.plan(at: .after(1)).settlements.map(\.ruling) == [.retry(at: .after(1), carrier: 2)])
  }

  @Test func aSendersChoiceIsKept() {
    var machine = machine([carrier(1, rank: 1), carrier(2, rank: 2)])
    machine.performed([lease(1, by: 1, fixed: 1)], at: .start)
    machine.answered(id(1), .refusedRoute, at: .after(1))
    #expect(machine.plan(at: .after(1)).settlements.map(\.ruling) == [.rejected])
  }

  @Test func historyGoesAlong() {
    var history = RetryPolicy.History()
    history.note(.isSilent, by: 1)
    history.note(.isSilent, by: 1)
    var machine = machine([carrier(1)])
    machine.performed([lease(1, by: 1, attempt: 3, history: history)], at: .start)
    machine.answered(id(1), .isSilent, at: .after(1))
    #expect(machine.plan(at: .after(1)).settlements.map(\.ruling) == [.unknown])
  }

  // MARK: Deciding

  func decide(_ plan: inout DispatchPlan, queue: Int, fixed: Int? = nil, refusedBy: Set<Int> = []) -> String {
    switch plan.decide(address: "+358401112223", channel: .sms, fixed: fixed, queue: queue, refusedBy: refusedBy) {
    case .lease(let carrier, let insteadOf):
      insteadOf.map { "\(carrier) instead of \($0.carrier): \($0.reason)" } ?? "\(carrier)"
    case .wait(let until, let queue): "wait \((until - plan.now).inMilliseconds) for \(queue)"
    case .refusedByAll: "refused by all"
    case .noCarrier: "no carrier"
    }
  }

  @Test func anAllowanceIsUsedUp() {
    var machine = machine([carrier(1)], limits: [1: .init(partsPerSecond: 1000, window: 2)])
    var plan = machine.plan(at: .start)
    #expect(plan.claimLimit(of: 1) == 2)
    #expect(decide(&plan, queue: 1) == "1")
    #expect(decide(&plan, queue: 1) == "1")
    #expect(plan.claimLimit(of: 1) == 0)
    #expect(decide(&plan, queue: 1) == "wait 1000 for 1")
    machine.performed([lease(1, by: 1), lease(2, by: 1)], at: .start)
    #expect(machine.plan(at: .after(1)).claimLimit(of: 1) == 0)
  }

  @Test func aClosedCarriersMessagesGoByTheNext() {
    var machine = machine([carrier(1, rank: 1), carrier(2, rank: 2), carrier(3, rank: 3, prefixes: ["+44"])])
    machine.performed([lease(1, by: 1)], at: .start)
    machine.answered(id(1), .refusedCarrier, at: .start)
    var plan = machine.plan(at: .start)
    #expect(plan.claimLimit(of: 1) == 64)
    #expect(decide(&plan, queue: 1) == "2 instead of 1: misconfigured")
    #expect(decide(&plan, queue: 1, fixed: 1) == "wait 1000 for 1")
    #expect(decide(&plan, queue: 1, refusedBy: [1]) == "2")
    #expect(decide(&plan, queue: 1, refusedBy: [1, 2]) == "refused by all")
    #expect(decide(&plan, queue: 1, fixed: 9) == "no carrier")
    #expect(decide(&plan, queue: 3) == "2 instead of 1: misconfigured")
  }

  @Test func aClosedCarriersQueueIsLeftAloneWhereNobodyElseServesItsNumbers() {
    func limit(_ first: [String], _ second: [String]) -> Int {
      var machine = machine([carrier(1, prefixes: first), carrier(2, prefixes: second)])
      machine.performed([lease(1, by: 1)], at: .start)
      machine.answered(id(1), .refusedCarrier, at: .start)
      return machine.plan(at: .start).claimLimit(of: 1)
    }
    #expect(limit(["+358"], ["+44", "+1"]) == 0)
    #expect(limit(["+358"], ["+44", "+35840"]) == 64)
    #expect(limit(["+35840"], ["+3"]) == 64)
    #expect(limit([], ["+44"]) == 64)
    #expect(limit(["+358"], []) == 64)
  }

  @Test func aDisabledCarrierLeasesNothingAndIsNotWaitedFor() {
    var machine = machine([carrier(1)], limits: [1: .init(partsPerSecond: 10, window: 9)])
    machine.performed([lease(1, by: 1, parts: 50)], at: .start)
    machine.answered(id(1), .tooFast, at: .start)
    machine.setRoutes(
      RouteTable([carrier(1, enabled: false)]), limits: [1: .init(partsPerSecond: 10, window: 9)], at: .start)
    _ = machine.plan(at: .start)
    #expect(machine.plan(at: .after(10)).claimLimit(of: 1) == 0)
    #expect(machine.nextChange(after: .after(10)) == nil)
  }

  @Test func atAStopNothingIsBegun() {
    var machine = machine([carrier(1)])
    let plan = machine.plan(at: .start, leasing: false)
    #expect(plan.claimLimit(of: 1) == 0)
  }

  @Test func changedLimitsKeepWhatIsUnderWay() {
    var machine = machine([carrier(1)])
    machine.performed([lease(1, by: 1), lease(2, by: 1)], at: .start)
    machine.setRoutes(RouteTable([carrier(1)]), limits: [1: .init(partsPerSecond: 1000, window: 3)], at: .start)
    #expect(machine.pace(of: 1)?.inFlight == 2)
    #expect(machine.plan(at: .after(1)).claimLimit(of: 1) == 1)
    machine.answered(id(1), .taken, at: .after(1))
    #expect(machine.plan(at: .after(1)).claimLimit(of: 1) == 2)
  }

  @Test func theSameRoutesAgainForgetNothing() {
    var machine = machine([carrier(1)])
    machine.performed([lease(1, by: 1)], at: .start)
    machine.answered(id(1), .refusedCarrier, at: .start)
    machine.setRoutes(RouteTable([carrier(1), carrier(2)]), limits: [:], at: .start)
    #expect(machine.pace(of: 1)?.closedReason(at: .start) == .misconfigured)
    #expect(machine.pace(of: 2)?.isOpen(at: .start) == true)
  }
}
