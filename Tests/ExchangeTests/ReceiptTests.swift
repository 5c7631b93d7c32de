import Contract
import Delivery
import Exchange
import Testing

struct ReceiptTests {
  @Test func aReportBeforeTheAnswerIsKeptAndApplied() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    #expect(try bench.report(.delivered, id: "c1") == .waiting)
    #expect(try bench.state(id) == .leased)
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.state(id) == .delivered)
    #expect(try bench.receipts(id).map(\.status) == [.delivered])
    #expect(try bench.events() == ["message.queued", "message.submitted", "message.delivered"])
  }

  @Test func aFailureBeforeTheAnswerIsKeptAndAppliedByIdOrReference() throws {
    for byReference in [false, true] {
      let bench = try Bench()
      let id = try bench.accept(bench.new())
      try bench.turns()
      let fate = try byReference ? bench.report(.failed, of: id) : bench.report(.failed, id: "c1")
      #expect(fate == .waiting)
      bench.answer(id, byReference ? .accepted(ids: []) : .taken)
      try bench.turn()
      #expect(try bench.state(id) == .undeliverable)
      #expect(try bench.record(id).errorCode == "failed")
    }
  }

  @Test func theSameReportAgainChangesNothing() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new())
    #expect(try bench.report(.delivered, id: "c1") == .applied)
    #expect(try bench.report(.delivered, id: "c1") == .noted)
    #expect(try bench.report(.buffered, id: "c1") == .noted)
    #expect(try bench.report(.buffered, id: "c1") == .noted)
    #expect(try bench.receipts(id).map(\.status) == [.buffered])
    #expect(try bench.events().count == 3)
  }

  @Test func aFailureNeverTakesDeliveredBack() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new())
    try bench.report(.delivered, id: "c1")
    #expect(try bench.report(.failed, id: "c1") == .noted)
    #expect(try bench.state(id) == .delivered)
    // But it stands in the timeline.
    #expect(try bench.receipts(id).map(\.status) == [.failed])
  }

  @Test func aLateReportCorrectsUnknownAndAFailure() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new())
    bench.wait(.seconds(3 * 86_400))
    try bench.turn()
    #expect(try bench.state(id) == .unknown)
    #expect(try bench.report(.failed, id: "c1", code: "305") == .applied)
    #expect(try bench.state(id) == .undeliverable)
    #expect(try bench.record(id).errorCode == "305")
    #expect(try bench.report(.delivered, id: "c1") == .applied)
    #expect(try bench.state(id) == .delivered)
    #expect(try bench.record(id).errorCode == nil)
    #expect(try bench.receipts(id).map(\.status) == [.failed, .delivered])
  }

  @Test func aReportOfNothingIsKeptAndHarmless() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new())
    #expect(try bench.report(.delivered, id: "c7") == .waiting)
    #expect(try bench.report(.delivered) == .noted)
    #expect(try bench.report(.delivered, id: "c1", by: 2) == .waiting)
    #expect(try bench.state(id) == .submitted)
  }

  @Test func aReferenceIsBelievedOnlyFromACarrierThatHadTheMessage() throws {
    let bench = try Bench(carriers: [carrier(1), carrier(2)])
    let id = try bench.submit(bench.new(), ids: [])
    #expect(try bench.report(.delivered, of: id, by: 2) == .noted)
    #expect(try bench.state(id) == .submitted)
    #expect(try bench.report(.delivered, of: id, by: 1) == .applied)
    #expect(try bench.state(id) == .delivered)
  }

  @Test func ofManyMessagesInOneMillisecondTheRightOneIsReported() throws {
    let bench = try Bench()
    let ids = try (0..<50).map { try bench.accept(bench.new(to: "+35840\($0)")) }
    try bench.turns()
    for id in ids { bench.answer(id, .accepted(ids: [])) }
    try bench.turn()
    for id in ids.reversed() {
      try bench.report(.delivered, of: id, raw: id.description)
      #expect(try bench.state(id) == .delivered)
    }
  }

  @Test func anIdThatWasUsedAgainMeansTheLatest() throws {
    let bench = try Bench()
    let old = try bench.submit(bench.new())
    bench.wait(.seconds(1))
    let new = try bench.submit(bench.new(to: Bench.london))
    try bench.report(.delivered, id: "c1")
    #expect(try bench.state(old) == .submitted)
    #expect(try bench.state(new) == .delivered)
  }

  // MARK: Several attempts

  @Test func aFailureOfAnEarlierAttemptEndsNothing() throws {
    let bench = try Bench(carriers: [carrier(1, rank: 1), carrier(2, rank: 2)])
    let id = try bench.accept(bench.new())
    try bench.turns()
    bench.answer(id, .isSilent)
    try bench.turns()
    bench.answer(id, .accepted(ids: ["d1"]))
    try bench.turn()
    #expect(try bench.report(.failed, id: "lost", of: id, by: 1) == .noted)
    #expect(try bench.state(id) == .submitted)
    // A success of it is one.
    #expect(try bench.report(.delivered, id: "lost", of: id, by: 1) == .applied)
    #expect(try bench.record(id).carrier == 1)
  }

  @Test func aFailureOfAnEarlierAttemptAtTheSameCarrierEndsNothing() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    bench.answer(id, .isSilent)
    try bench.turn()
    bench.wait(.seconds(6))
    try bench.turns()
    #expect(try bench.report(.failed, id: "lost", of: id) == .waiting)
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.state(id) == .submitted)
    #expect(try bench.report(.failed, id: "lost", of: id, raw: "again") == .noted)
    #expect(try bench.state(id) == .submitted)
    #expect(try bench.report(.failed, id: "c1", of: id) == .applied)
    #expect(try bench.state(id) == .undeliverable)
  }

  @Test func aDeliveredReportStopsTheNextTry() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    bench.answer(id, .isSilent)
    try bench.turn()
    #expect(try bench.report(.delivered, id: "lost", of: id) == .applied)
    bench.wait(.seconds(60))
    #expect(try bench.turns().isEmpty)
    #expect(try bench.state(id) == .delivered)
  }

  @Test func anAnswerAfterTheReportCompletesTheTimeline() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    try bench.report(.delivered, of: id)
    #expect(try bench.attempts(id).map(\.outcome) == [.uncertain])
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.attempts(id).map(\.outcome) == [.accepted])
    #expect(try bench.attempts(id).map(\.code) == [nil])
    #expect(try bench.state(id) == .delivered)
  }

  // MARK: Parts

  @Test func allPartsMakeItDelivered() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new(parts: 3), ids: ["p1", "p2", "p3"])
    try bench.report(.delivered, id: "p3")
    try bench.report(.delivered, id: "p1")
    try bench.report(.delivered, id: "p1", raw: "again")
    #expect(try bench.state(id) == .submitted)
    #expect(try bench.attempts(id).map(\.receipt) == [.delivered, nil, .delivered])
    #expect(try bench.report(.delivered, id: "p2") == .applied)
    #expect(try bench.state(id) == .delivered)
  }

  @Test func oneFailedPartMakesItUndeliverable() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new(parts: 2), ids: ["p1", "p2"])
    try bench.report(.delivered, id: "p1")
    #expect(try bench.report(.failed, id: "p2") == .applied)
    #expect(try bench.state(id) == .undeliverable)
    // Late and out of order.
    try bench.report(.buffered, id: "p2")
    #expect(try bench.attempts(id).map(\.receipt) == [.delivered, .failed])
    #expect(try bench.report(.delivered, id: "p2") == .applied)
    #expect(try bench.state(id) == .delivered)
  }

  @Test func earlyPartsCountTogether() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(parts: 2))
    try bench.turns()
    try bench.report(.delivered, id: "p1", of: id)
    #expect(try bench.state(id) == .leased)
    bench.answer(id, .accepted(ids: ["p1", "p2"]))
    try bench.turn()
    #expect(try bench.state(id) == .submitted)
    try bench.report(.delivered, id: "p2", of: id)
    #expect(try bench.state(id) == .delivered)
  }

  @Test func allPartsOfALostAnswerMakeItDelivered() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(parts: 2))
    try bench.turns()
    bench.answer(id, .isSilent)
    try bench.turn()
    #expect(try bench.report(.delivered, id: "p1", of: id) == .noted)
    #expect(try bench.report(.delivered, id: "p1", of: id) == .noted)
    #expect(try bench.state(id) == .queued)
    #expect(try bench.report(.delivered, id: "p2", of: id) == .applied)
    #expect(try bench.state(id) == .delivered)
  }

  @Test func partsOfTwoLostAttemptsAreNotCountedTogether() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(parts: 2))
    try bench.turns()
    bench.answer(id, .isSilent)
    try bench.turn()
    bench.wait(.seconds(6))
    try bench.turns()
    try bench.report(.delivered, id: "p1", of: id)
    try bench.report(.delivered, id: "q1", of: id)
    #expect(try bench.state(id) == .leased)
  }

  @Test func oneIdForEveryPartMeansTheWhole() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new(parts: 3), ids: ["c1", "c1", "c1", ""])
    #expect(try bench.attempts(id).count == 1)
    try bench.report(.delivered, id: "c1")
    #expect(try bench.state(id) == .delivered)
  }
}
