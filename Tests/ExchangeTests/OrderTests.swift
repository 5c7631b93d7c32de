import Contract
import Delivery
import Exchange
import Testing

/// Order per account, address and class; what is in nobody's way, and what is.
struct OrderTests {
  @Test func oneAfterTheOther() throws {
    let bench = try Bench()
    let ids = try (0..<3).map { try bench.accept(bench.new(text: "\($0)")) }
    for (index, id) in ids.enumerated() {
      #expect(try bench.turns().map(\.delivery) == [id])
      bench.answer(id, .accepted(ids: ["c\(index)"]))
    }
    #expect(try bench.turns().isEmpty)
    #expect(try ids.map { try bench.state($0) } == [.submitted, .submitted, .submitted])
  }

  @Test func anotherAccountAddressOrClassDoesNotWait() throws {
    let bench = try Bench()
    _ = try bench.accept(bench.new(class: .bulk))
    _ = try bench.accept(bench.new(class: .normal))
    _ = try bench.accept(bench.new(class: .code))
    _ = try bench.accept(bench.new(class: .alarm))
    _ = try bench.accept(bench.new(Bench.bob))
    _ = try bench.accept(bench.new(to: Bench.london))
    let leases = try bench.turns()
    #expect(leases.count == 6)
    // And the urgent ones go first.
    #expect(leases.map(\.deliveryClass) == [.code, .alarm, .normal, .normal, .normal, .bulk])
  }

  @Test func whatIsTriedAgainIsNotOvertakenAndHoldsUpNobodyElse() throws {
    let bench = try Bench()
    let first = try bench.accept(bench.new(text: "1"))
    let second = try bench.accept(bench.new(text: "2"))
    let other = try bench.accept(bench.new(to: Bench.london))
    #expect(try bench.turns().map(\.delivery) == [first, other])
    bench.answer(first, .isDown)
    bench.answer(other, .accepted(ids: ["x"]))
    #expect(try bench.turns().isEmpty)
    bench.wait(.seconds(2))
    let another = try bench.accept(bench.new(to: Bench.london, text: "b"))
    #expect(try bench.turns().map(\.delivery) == [another])
    bench.wait(.seconds(5))
    #expect(try bench.turns().map(\.delivery) == [first])
    #expect(try bench.record(first).attempt == 2)
    bench.answer(first, .taken)
    #expect(try bench.turns().map(\.delivery) == [second])
  }

  enum Ending: CaseIterable, Sendable { case taken, refused, cancelled, expired, reported, unknown }

  @Test("However the first one ends, the second goes", arguments: Ending.allCases)
  func theNextIsWoken(_ ending: Ending) throws {
    let bench = try Bench()
    let first = try bench.accept(bench.new(text: "1", expires: .seconds(60)))
    let second = try bench.accept(bench.new(text: "2"))
    try bench.turns()
    switch ending {
    case .taken: bench.answer(first, .taken)
    case .refused: bench.answer(first, .refusedMessage)
    case .cancelled:
      bench.answer(first, .isDown)
      try bench.turn()
      #expect(try bench.cancel(first) == true)
    case .expired:
      bench.answer(first, .isDown)
      try bench.turn()
      bench.wait(.seconds(60))
    case .reported: try bench.report(.delivered, of: first)
    case .unknown:
      bench.machine.policy.uncertainLimit = 1
      bench.answer(first, .isSilent)
    }
    #expect(try bench.turns().map(\.delivery) == [second])
  }

  @Test func whatEndsWhileItsQueueIsLookedAtWakesTheNext() throws {
    let bench = try Bench(carriers: [carrier(1, rank: 1), carrier(2, rank: 2)])
    let first = try bench.accept(bench.new(text: "1", by: 2))
    let second = try bench.accept(bench.new(text: "2", by: 1))
    try bench.turns()
    bench.answer(first, .refusedRoute)
    // The other one is taken out of service before it could be asked.
    bench.machine.setRoutes(RouteTable([carrier(1, enabled: false), carrier(2)]), limits: [:], at: bench.now)
    let leases = try bench.turns()
    #expect(try bench.state(first) == .rejected)
    #expect(leases.map(\.delivery) == [second])
  }

  @Test func theSecondCalledBackChangesNothingForTheThird() throws {
    let bench = try Bench()
    let ids = try (0..<3).map { try bench.accept(bench.new(text: "\($0)")) }
    try bench.turns()
    #expect(try bench.cancel(ids[1]) == true)
    #expect(try bench.turns().isEmpty)
    bench.answer(ids[0], .isDown)
    #expect(try bench.turns().isEmpty)
    bench.wait(.seconds(6))
    #expect(try bench.turns().map(\.delivery) == [ids[0]])
    bench.answer(ids[0], .taken)
    #expect(try bench.turns().map(\.delivery) == [ids[2]])
  }

  @Test func aScheduledOneQueuesWhenItsTimeComes() throws {
    let bench = try Bench()
    let scheduled = try bench.accept(bench.new(text: "later", notBefore: bench.now + .seconds(60)))
    let first = try bench.accept(bench.new(text: "1"))
    #expect(try bench.turns().map(\.delivery) == [first])
    #expect(try bench.state(scheduled) == .scheduled)
    bench.wait(.milliseconds(200))
    try bench.turn()
    #expect(bench.last?.nextDue == Bench.start + .seconds(60))
    bench.wait(.seconds(60))
    let second = try bench.accept(bench.new(text: "2"))
    #expect(try bench.turns().isEmpty)
    #expect(try bench.state(scheduled) == .queued)
    bench.answer(first, .taken)
    #expect(try bench.turns().map(\.delivery) == [second])
    bench.answer(second, .accepted(ids: ["c2"]))
    #expect(try bench.turns().map(\.delivery) == [scheduled])
    #expect(
      try bench.events() == [
        "message.scheduled", "message.queued", "message.queued", "message.queued", "message.submitted",
        "message.submitted",
      ])
  }

  /// A started one used to share the place of one accepted in the same millisecond.
  @Test func placesOfOneMillisecondAreKeptApart() throws {
    let bench = try Bench()
    let scheduled = try bench.accept(bench.new(text: "later", notBefore: bench.now + .milliseconds(1)))
    bench.wait(.milliseconds(1))
    let first = try bench.accept(bench.new(text: "1"))
    let second = try bench.accept(bench.new(text: "2"))
    let third = try bench.accept(bench.new(text: "3"))
    #expect(try bench.turns().map(\.delivery) == [first])
    #expect(try bench.cancel(third) == true)
    #expect(try bench.turns().isEmpty)
    bench.answer(first, .taken)
    #expect(try bench.turns().map(\.delivery) == [second])
    bench.answer(second, .taken)
    #expect(try bench.turns().map(\.delivery) == [scheduled])
  }

  @Test func aClockSetBackKeepsTheOrder() throws {
    let bench = try Bench()
    let first = try bench.accept(bench.new(text: "1"))
    try bench.turns()
    let second = try bench.accept(bench.new(text: "2"))
    bench.wait(.seconds(-3600))
    let third = try bench.accept(bench.new(text: "3"))
    bench.answer(first, .taken)
    #expect(try bench.turns().map(\.delivery) == [second])
    bench.answer(second, .taken)
    #expect(try bench.turns().map(\.delivery) == [third])
    #expect(second < third)
  }
}
