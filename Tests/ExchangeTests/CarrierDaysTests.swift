import Contract
import Database
import Delivery
import Exchange
import Testing

/// What each carrier did on each day.
struct CarrierDaysTests {
  @Test("What a carrier took and what it did not are counted on their day, and the last fault stays to be seen")
  func counts() throws {
    let bench = try Bench()
    func attempt(_ outcome: AttemptOutcome) throws {
      let id = try bench.accept(bench.new(to: "+35840\(bench.now.milliseconds)"))
      try bench.turns()
      bench.answer(id, outcome)
      try bench.turn()
      bench.wait(.seconds(1))
    }
    try attempt(.taken)
    try attempt(.refusedMessage)
    try attempt(.taken)
    func today() throws -> CarrierDays.Today { try CarrierDays.today(of: 1, at: bench.now, tx: bench.database) }
    #expect(try (today().sent, today().failed) == (2, 1))
    let error = try #require(try CarrierDays.lastError(of: 1, tx: bench.database))
    #expect(error.code == "bad-number")
    #expect(error.message == "No such number.")
    #expect(error.at == Bench.start + .seconds(1))
    // Too fast is no failure, and worth knowing.
    try attempt(.tooFast)
    #expect(try today().failed == 1)
    #expect(try CarrierDays.lastError(of: 1, tx: bench.database)?.code == "429")
    bench.wait(.seconds(86_400))
    #expect(try (today().sent, today().failed) == (0, 0))
    #expect(try CarrierDays.lastError(of: 1, tx: bench.database)?.code == "429")
    #expect(try CarrierDays.lastError(of: 2, tx: bench.database) == nil)
  }

  @Test func aTurnThatIsNotKeptIsCountedOnce() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new())
    try bench.turns()
    bench.answer(id, .taken)
    let plan = bench.machine.plan(at: bench.now)
    try bench.database.begin()
    _ = try bench.outbox.perform(plan, tx: bench.database)
    bench.database.rollback()
    bench.machine.failed(plan)
    try bench.turn()
    #expect(try CarrierDays.today(of: 1, at: bench.now, tx: bench.database).sent == 1)
  }
}
