import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Runtime

/// One run: an exchange with its real engine and tables, carriers, phones and clients, under a virtual clock.
///
/// Everything that happens comes out of one queue, and all chance from one seed, so that a seed repeats its run to the
/// byte. `now` is the world's time in milliseconds since the start; the exchange's own clock may differ.
final class World {
  /// 2026-01-01T22:00:00Z: a run passes midnight, where spending starts afresh.
  static let start: Int64 = 1_767_304_800_000
  /// How long the channel waits for a carrier's answer.
  static let answerLimit: Int64 = 30 * .second
  private static let longestRun: Int64 = 60 * .day
  private static let mostHappenings = 400_000

  let seed: UInt64
  let database: SQLiteConnection
  let key: MasterKey
  let prints: Bool
  var scenario: Scenario
  var dice: Dice
  var queue = EventQueue()
  var ledger = Ledger()
  var now: Int64 = 0

  // The exchange
  var server: Server?
  var epoch = 0
  var clockOffset: Int64 = 0
  /// Carriers as the operator has configured them: what a restart reads.
  var carriers: [RouteTable.Carrier]
  var crashesLeft: Int
  var commitIsToFail = false
  var stepsClock: Bool { scenario.clockSteps > 0 }
  var counts = Counts()

  struct Counts {
    var happenings = 0
    var turns = 0
    var crashes = 0
    var failedTransactions = 0
    var calls = 0
    var messages = 0
    var uncertain = 0

    mutating func add(_ other: Counts) {
      happenings += other.happenings
      turns += other.turns
      crashes += other.crashes
      failedTransactions += other.failedTransactions
      calls += other.calls
      messages += other.messages
      uncertain += other.uncertain
    }
  }

  init(seed: UInt64, key: MasterKey, prints: Bool) throws {
    self.seed = seed
    self.key = key
    self.prints = prints
    dice = Dice(seed: seed)
    scenario = Scenario(&dice)
    crashesLeft = scenario.crashes
    carriers = scenario.carriers.map {
      RouteTable.Carrier(
        number: $0.number, name: "carrier-\($0.number)", channel: .sms, isEnabled: true, rank: $0.rank,
        prefixes: $0.prefixes)
    }
    database = try SQLiteConnection(.memory)
    try Migrator.apply(ExchangeSchema.migrations, on: database)
    database.failCommit = { [unowned self] in commitIsToFail ? DatabaseError.full : nil }
  }

  /// The exchange's clock.
  var clock: Instant { Instant(milliseconds: Self.start + now + clockOffset) }

  func later(_ delay: Int64, _ happening: Happening) { queue.push(at: now + max(0, delay), happening) }

  func trace(_ line: @autoclosure () -> String) {
    guard prints else { return }
    let whole = now / 1000
    var fraction = String(now % 1000)
    fraction = String(repeating: "0", count: 3 - fraction.count) + fraction
    print("\(whole).\(fraction)  \(line())")
  }

  // MARK: The run

  func run() throws {
    try plan()
    try startServer()
    while let (at, happening) = queue.pop() {
      now = max(now, at)
      counts.happenings += 1
      guard now < Self.longestRun, counts.happenings < Self.mostHappenings else {
        throw Failure("The world does not come to rest.")
      }
      try happen(happening)
    }
    trace("at rest")
    try check()
  }

  private func plan() throws {
    planRequests()
    let active = scenario.activeTime
    for _ in 0..<scenario.crashes / 2 { later(dice.number(0...active), .crash) }
    for _ in 0..<scenario.stops { later(dice.number(0...active), .stop) }
    for _ in 0..<scenario.clockSteps { later(dice.number(0...active), .stepClock) }
    for _ in 0..<scenario.reconfigurations { later(dice.number(0...active), .configure) }
    later(active + .hour, .configure)
  }

  private func happen(_ happening: Happening) throws {
    switch happening {
    case .request(let index): try request(index)
    case .cancel: try cancel()
    case .callBack(let call): try callBack(call)
    case .turn(let epoch, let token): turn(epoch, token)
    case .perform(let epoch, let plan): try perform(epoch, plan)
    case .performed(let epoch, let plan, let result): try performed(epoch, plan, result)
    case .call(let epoch, let lease): try call(epoch, lease)
    case .crash: if crashesLeft > 0 { crash("out of the blue") }
    case .restart: try startServer()
    case .stop: stop()
    case .configure: configure()
    case .stepClock: stepClock()
    case .arrive(let call): arrive(call)
    case .answer(let call, let outcome): answer(call, outcome)
    case .timeLimit(let call): timeLimit(call)
    case .phone(let acceptance, let part): ring(acceptance, part)
    case .report(let report): try deliver(report)
    }
  }

  // MARK: Transactions

  enum Fate<Result> {
    case committed(Result)
    /// Rolled back, and the exchange knows.
    case failed
    /// The process died: before the commit where there is no result, and otherwise after it.
    case crashed(Result?)
  }

  func transact<Result>(
    _ what: StaticString, certain: Bool = false, _ body: (any Transaction) throws -> Result
  ) throws -> Fate<Result> {
    commitIsToFail = !certain && dice.chance(scenario.commitFails)
    let fuse = !certain && dice.chance(scenario.statementFails) ? dice.number(0...20) : -1
    let dies = !certain && mayCrash()
    let diesBefore = dies && dice.chance(0.5)
    let result: Result
    do {
      try database.begin()
      result = try body(FaultyTransaction(database, fuse: fuse))
      if diesBefore {
        database.rollback()
        crash("before the commit of \(what)")
        return .crashed(nil)
      }
      try database.commit()
    } catch DatabaseError.full where commitIsToFail || fuse >= 0 {
      database.rollback()
      counts.failedTransactions += 1
      trace("\(what): the disk is full")
      return .failed
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure("\(what) threw: \(error)")
    }
    if dies {
      crash("after the commit of \(what)")
      return .crashed(result)
    }
    return .committed(result)
  }

  /// Whether the process dies at this step.
  func mayCrash() -> Bool { crashesLeft > 0 && server != nil && dice.chance(scenario.crashPerStep) }
}
