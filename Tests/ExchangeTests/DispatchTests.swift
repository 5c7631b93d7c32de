import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Runtime
import Testing

struct DispatchTests {
  @Test func aMessageGoesItsWay() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(text: "hello"))
    let lease = try #require(try bench.turns().first)
    #expect(lease.body == Array("hello".utf8))
    #expect(lease.carrier == 1)
    #expect(lease.attempt == 1)
    #expect(try bench.state(id) == .leased)
    bench.wait(.milliseconds(300))
    bench.answer(id, .accepted(ids: ["c1"]))
    try bench.turn()
    #expect(try bench.record(id).state == .submitted)
    #expect(try bench.record(id).due == bench.now + .seconds(3 * 86_400))
    let attempt = try #require(try bench.attempts(id).first)
    #expect(attempt.outcome == .accepted)
    #expect(attempt.carrierID == "c1")
    #expect(attempt.ended - attempt.started == .milliseconds(300))
    #expect(try bench.report(.delivered, id: "c1") == .applied)
    #expect(try bench.state(id) == .delivered)
    #expect(try bench.events() == ["message.queued", "message.submitted", "message.delivered"])
  }

  @Test func whatOneCarrierCanNotTakeGoesByAnother() throws {
    let bench = try Bench(carriers: [carrier(1, rank: 1), carrier(2, rank: 2)])
    let id = try bench.accept(bench.new())
    try bench.turns()
    bench.answer(id, .isDown)
    let lease = try #require(try bench.turns().first)
    #expect(lease.carrier == 2)
    #expect(lease.history.failures == 1)
    bench.answer(id, .accepted(ids: ["c9"]))
    try bench.turn()
    #expect(try bench.attempts(id).map(\.outcome) == [.unavailable, .accepted])
    #expect(try bench.attempts(id).map(\.carrier) == [1, 2])
    #expect(try bench.record(id).carrier == 2)
    #expect(try bench.record(id).errorCode == nil)
  }

  @Test func aDownCarriersQueueGoesByTheNextAndTheTimelineSaysWhy() throws {
    let bench = try Bench(carriers: [carrier(1, rank: 1), carrier(2, rank: 2)])
    for number in 0..<5 {
      let id = try bench.accept(bench.new(to: "+35840\(number)", fixed: 1))
      try bench.turns()
      bench.answer(id, .isDown)
    }
    try bench.turn()
    let id = try bench.accept(bench.new())
    let lease = try #require(try bench.turns().first { $0.delivery == id })
    #expect(lease.carrier == 2)
    #expect(lease.insteadOf == "carrier-1 is down")
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.attempts(id).map(\.insteadOf) == ["carrier-1 is down"])
  }

  @Test func routesThatWereRefusedAreNotAskedAgain() throws {
    let bench = try Bench(carriers: [carrier(1, rank: 1), carrier(2, rank: 2)])
    let id = try bench.accept(bench.new())
    try bench.turns()
    bench.answer(id, .refusedRoute)
    #expect(try bench.turns().map(\.carrier) == [2])
    bench.answer(id, .refusedRoute)
    #expect(try bench.turns().isEmpty)
    #expect(try bench.state(id) == .rejected)
    #expect(try bench.record(id).errorCode == "no-route")
  }

  @Test func withoutACarrierAMessageWaitsAndSaysSo() throws {
    let bench = try Bench(carriers: [carrier(1, prefixes: ["+44"]), carrier(2, prefixes: ["+1"])])
    let id = try bench.accept(bench.new())
    #expect(try bench.turns().isEmpty)
    #expect(try bench.record(id).errorCode == "no-carrier")
    #expect(bench.last?.nextDue == bench.now + .seconds(60))
    bench.machine.setRoutes(RouteTable([carrier(1)]), limits: [:], at: bench.now)
    bench.wait(.seconds(60))
    #expect(try bench.turns().map(\.delivery) == [id])
  }

  @Test func aCarriersRateIsKept() throws {
    let bench = try Bench(limits: [1: .init(partsPerSecond: 10, window: 100)])
    for number in 0..<30 { _ = try bench.accept(bench.new(to: "+35840\(number)")) }
    var sent = 0
    for _ in 0..<20 {
      sent += try bench.turns().count
      bench.wait(.milliseconds(100))
    }
    #expect((19...22).contains(sent))
  }

  @Test func aBatchIsBoundedAndTheRestFollowsAtOnce() throws {
    let bench = try Bench(limits: [1: .init(partsPerSecond: 10_000, window: 1000)])
    let count = DispatchMachine.batch + 44
    for number in 0..<count { _ = try bench.accept(bench.new(to: "+35840\(number)")) }
    #expect(try bench.turn().count == DispatchMachine.batch)
    #expect(bench.last?.isMoreDue == true)
    #expect(try bench.turn().count == 44)
    #expect(bench.last?.isMoreDue == false)
  }

  // MARK: Time

  @Test func whatIsNotTakenInTimeExpires() throws {
    let bench = try Bench(carriers: [carrier(1, enabled: false)])
    let id = try bench.accept(bench.new(expires: .seconds(60)))
    try bench.turn()
    #expect(bench.last?.nextDue == bench.now + .seconds(60))
    bench.wait(.milliseconds(59_999))
    try bench.turn()
    #expect(try bench.state(id) == .queued)
    bench.wait(.milliseconds(201))
    try bench.turn()
    #expect(try bench.state(id) == .expired)
    #expect(try bench.record(id).errorCode == "expired")
    #expect(try bench.events() == ["message.queued", "message.expired"])
  }

  @Test func whatIsUnderWayDoesNotExpire() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(expires: .seconds(10)))
    try bench.turns()
    bench.wait(.seconds(20))
    try bench.turn()
    #expect(try bench.state(id) == .leased)
    bench.answer(id, .isDown)
    bench.wait(.seconds(1))
    #expect(try bench.turns().isEmpty)
    #expect(try bench.state(id) == .expired)
  }

  /// Between two sweeps, too.
  @Test func whatHasRunOutIsNotSent() throws {
    let bench = try Bench(limits: [1: .init(partsPerSecond: 1000, window: 1)])
    let first = try bench.accept(bench.new(to: Bench.london))
    let second = try bench.accept(bench.new(expires: .milliseconds(100)))
    #expect(try bench.turn().map(\.delivery) == [first])
    bench.wait(.milliseconds(150))
    bench.answer(first, .taken)
    #expect(try bench.turn().isEmpty)
    #expect(try bench.state(second) == .expired)
  }

  @Test func aScheduledOneStartsInTimeAndNotBefore() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(notBefore: bench.now + .seconds(60)))
    #expect(try bench.turns().isEmpty)
    bench.wait(.seconds(60))
    #expect(try bench.turns().map(\.delivery) == [id])
    #expect(try bench.events() == ["message.scheduled", "message.queued"])
  }

  @Test func aSilentCarrierLeavesTheMessageUnknown() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new())
    bench.wait(.seconds(3 * 86_400 - 1))
    try bench.turn()
    #expect(try bench.state(id) == .submitted)
    bench.wait(.seconds(1))
    try bench.turn()
    #expect(try bench.state(id) == .unknown)
    #expect(try bench.record(id).errorCode == "receipt-missing")
  }

  // MARK: Calling back

  @Test func aWaitingOneCanBeCalledBack() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    let scheduled = try bench.accept(bench.new(to: Bench.london, notBefore: bench.now + .seconds(5)))
    #expect(try bench.cancel(id, of: Bench.bob) == nil)
    #expect(try bench.cancel(DeliveryID(ID128(high: 3, low: 3))) == nil)
    #expect(try bench.cancel(id) == true)
    #expect(try bench.cancel(scheduled) == true)
    // Again: it is.
    #expect(try bench.cancel(id) == true)
    bench.wait(.seconds(60))
    #expect(try bench.turns().isEmpty)
    #expect(
      try bench.events() == [
        "message.queued", "message.scheduled", "message.cancelled", "message.cancelled",
      ])
  }

  @Test func whatIsUnderWayOrOverIsTooLateToCallBack() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    #expect(try bench.cancel(id) == false)
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.cancel(id) == false)
    try bench.report(.delivered, id: "c1")
    #expect(try bench.cancel(id) == false)
    #expect(try bench.state(id) == .delivered)
  }

  @Test(
    "One that is called back during an attempt is not tried again: cancelled where it was not taken, else as it is",
    arguments: [
      (AttemptOutcome.isDown, DeliveryState.cancelled), (.tooFast, .cancelled), (.refusedRoute, .rejected),
      (.refusedMessage, .rejected), (.isSilent, .unknown), (.taken, .submitted),
    ])
  func calledBackMeanwhile(outcome: AttemptOutcome, end: DeliveryState) throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(price: 5))
    let next = try bench.accept(bench.new())
    try bench.turns()
    #expect(try bench.cancel(id) == false)
    #expect(try bench.record(id).isCancelPending)
    #expect(try bench.state(id) == .leased)
    bench.answer(id, outcome)
    let leased = try bench.turn().map(\.delivery)
    #expect(try bench.state(id) == end)
    #expect(try !bench.record(id).isCancelPending)
    #expect(try bench.events().last == "message.\(end.name)")
    #expect(try bench.spent() == ([.cancelled, .rejected].contains(end) ? 0 : 5))
    bench.wait(.seconds(3600))
    // Nobody behind it is held up.
    #expect(try leased + bench.turns().map(\.delivery) == [next])
  }

  @Test func oneThatWasCalledBackBeforeTheProcessDiedIsNotSentAgain() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    _ = try bench.cancel(id)
    try bench.restart()
    #expect(try bench.state(id) == .unknown)
    bench.wait(.seconds(3600))
    #expect(try bench.turns().isEmpty)
    try bench.report(.delivered, of: id)
    #expect(try bench.state(id) == .delivered)
  }

  // MARK: Faults

  @Test func aFullDiskLosesNoAnswer() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    bench.database.failCommit = { .full }
    #expect(throws: DatabaseError.full) { try bench.turn() }
    #expect(try bench.state(id) == .queued)
    bench.database.failCommit = nil
    #expect(try bench.turns().count == 1)
    bench.answer(id, .taken)
    bench.database.failCommit = { .full }
    #expect(throws: DatabaseError.full) { try bench.turn() }
    #expect(try bench.state(id) == .leased)
    bench.database.failCommit = nil
    try bench.turn()
    #expect(try bench.state(id) == .submitted)
    #expect(try bench.attempts(id).count == 1)
  }

  @Test func afterACrashWhatWasUnderWayIsUncertainAndSentAgain() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(price: 60))
    let waiting = try bench.accept(bench.new(text: "2"))
    try bench.turns()
    bench.wait(.seconds(5))
    #expect(try bench.restart() == 1)
    #expect(try bench.attempts(id).map(\.outcome) == [.uncertain])
    #expect(try bench.attempts(id).map(\.code) == ["interrupted"])
    #expect(try bench.turns().map(\.delivery) == [id])
    // The answer to what the dead process sent means nothing to this one.
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.attempts(id).map(\.outcome) == [.uncertain, .accepted])
    #expect(try bench.restart() == 1)
    #expect(try bench.state(waiting) == .queued)
    #expect(try bench.spent() == 60)
  }

  @Test func threeCrashesInARowLeaveItUnknown() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    for _ in 0..<3 {
      // Twice cut off, it is not touched at once: a server that dies while it starts would use up all attempts.
      bench.wait(.seconds(5))
      #expect(try bench.turns().count == 1)
      try bench.restart()
    }
    #expect(try bench.state(id) == .unknown)
    #expect(try bench.turns().isEmpty)
    #expect(try bench.attempts(id).count == 3)
  }

  @Test func anEarlierProcessesIdsAreNotOvertaken() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    let later = IdentifierSource(random: SeededRandom(seed: 9))
    let outbox = Outbox(ids: later, key: bench.key)
    _ = try outbox.recover(at: bench.now, policy: RetryPolicy(), tx: bench.database)
    #expect(later.next(at: bench.now - .seconds(3600)) > id.value)
  }

  /// Found by the simulation: nobody recorded an attempt that a report had overtaken when the process died.
  @Test func anAttemptThatAReportOvertookIsRecordedThoughTheProcessDies() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    try bench.report(.delivered, of: id)
    #expect(try bench.state(id) == .delivered)
    #expect(try bench.restart() == 0)
    #expect(try bench.attempts(id).map(\.outcome) == [.uncertain])
  }

  // MARK: Secrets

  @Test func aCodeIsEncryptedAndErased() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(class: .code, text: "Your code is 123456"))
    let stored = try bench.record(id)
    #expect(stored.isSealed)
    #expect(!String(decoding: stored.body ?? [], as: UTF8.self).contains("123456"))
    #expect(bench.outbox.openedBody(of: stored) == Array("Your code is 123456".utf8))
    #expect(try bench.turns().map(\.body) == [Array("Your code is 123456".utf8)])
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.record(id).body != nil)
    try bench.report(.delivered, id: "c1")
    #expect(try bench.record(id).body == nil)
    #expect(bench.outbox.openedBody(of: try bench.record(id)) == nil)
  }

  @Test func aCodeThatIsCalledBackExpiresOrIsRefusedIsErasedToo() throws {
    let bench = try Bench()
    let ids = try (0..<3).map { try bench.accept(bench.new(to: "+35840\($0)", class: .code, expires: .seconds(60))) }
    #expect(try bench.cancel(ids[0]) == true)
    try bench.turns()
    bench.answer(ids[1], .refusedMessage)
    bench.answer(ids[2], .isDown)
    try bench.turn()
    bench.wait(.seconds(60))
    try bench.turn()
    #expect(try ids.map { try bench.state($0) } == [.cancelled, .rejected, .expired])
    #expect(try ids.map { try bench.record($0).body } == [nil, nil, nil])
  }

  @Test func aCodeOfAnotherMasterKeyWaitsAndStopsNobody() throws {
    let bench = try Bench()
    let code = try bench.accept(bench.new(class: .code))
    let other = try bench.accept(bench.new(to: Bench.london))
    let key = try #require(MasterKey(hex: String(repeating: "77", count: 32)))
    let stranger = Outbox(ids: bench.ids, key: key)
    let plan = bench.machine.plan(at: bench.now)
    let result = try bench.database.transaction { try stranger.perform(plan, tx: $0) }
    #expect(result.leases.map(\.delivery) == [other])
    #expect(try bench.record(code).errorCode == "sealed")
    // With the right key it goes.
    bench.wait(.seconds(60))
    #expect(try bench.turns().map(\.delivery) == [code])
  }

  @Test func eventsFollowTheirPolicy() throws {
    let bench = try Bench()
    _ = try bench.submit(bench.new(events: .none))
    _ = try bench.submit(bench.new(to: Bench.london, events: .final), ids: ["c2"])
    try bench.report(.delivered, id: "c1")
    try bench.report(.delivered, id: "c2")
    #expect(try bench.events() == ["message.delivered"])
  }
}
