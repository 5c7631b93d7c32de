import Contract
import Delivery
import Runtime
import Testing

struct RetryPolicyTests {
  let policy = RetryPolicy()

  func rule(
    _ outcome: AttemptOutcome, by carrier: Int = 1, before: [(AttemptOutcome, Int)] = [], open: [Int] = [1, 2],
    closed: [Int] = [], seed: UInt64 = 1, policy: RetryPolicy = RetryPolicy()
  ) -> Ruling {
    var random = SeededRandom(seed: seed)
    var history = RetryPolicy.History()
    for (outcome, carrier) in before { history.note(outcome, by: carrier) }
    history.note(outcome, by: carrier)
    let candidates = (open + closed).sorted().map { Candidate(carrier: $0, isOpen: open.contains($0)) }
    return policy.rule(
      on: outcome, by: carrier, history: history, candidates: candidates, channel: .sms, now: .start, random: &random)
  }

  /// The wait of a retry by `carrier`, in milliseconds; nil where it is another ruling.
  func delay(_ ruling: Ruling, by carrier: Int) -> Int64? {
    guard case .retry(let instant, carrier) = ruling else { return nil }
    return (instant - .start).inMilliseconds
  }

  @Test func whatWasTakenWaitsThreeDaysForItsReport() {
    #expect(rule(.taken) == .submitted(until: .start + .seconds(3 * 86_400)))
  }

  @Test("What was cut off by our own stop goes again at once, and only then waits: a server may die while it starts")
  func waitsAfterInterruptions() {
    var history = RetryPolicy.History()
    var waits: [Duration] = []
    for _ in 0..<3 {
      history.note(.isSilent, by: 1)
      waits.append(policy.waitAfterInterruption(history))
    }
    #expect(waits == [.zero, .seconds(5), .seconds(15)])
  }

  @Test func aRefusedMessageIsRejectedAtOnce() {
    #expect(rule(.refusedMessage) == .rejected)
  }

  @Test(
    "What one carrier will or can not take goes to the next that is open, at once",
    arguments: [AttemptOutcome.refusedRoute, .refusedCarrier, .tooFast, .isDown, .isSilent])
  func failsOver(_ outcome: AttemptOutcome) {
    #expect(rule(outcome) == .retry(at: .start, carrier: 2))
    #expect(rule(outcome, open: [1, 3], closed: [2]) == .retry(at: .start, carrier: 3))
  }

  @Test func aRouteThatWasRefusedIsNotTriedAgain() throws {
    #expect(rule(.refusedRoute, open: [1]) == .rejected)
    #expect(rule(.refusedRoute, by: 2, before: [(.refusedRoute, 1)]) == .rejected)
    // The one that has not refused it is down: it is waited for.
    let wait = try #require(delay(rule(.refusedRoute, open: [1], closed: [2]), by: 2))
    #expect((2500...5000).contains(wait))
  }

  @Test func aCarrierWithoutCreditIsTriedAgainWhenItIsTheOnlyOne() throws {
    let wait = try #require(delay(rule(.refusedCarrier, open: [], closed: [1]), by: 1))
    #expect((2500...5000).contains(wait))
  }

  @Test func tooFastWaitsAsLongAsTheCarrierSays() throws {
    let said = AttemptOutcome.throttled(code: "429", detail: "", retryAfter: .seconds(20))
    #expect((10_000...20_000).contains(try #require(delay(rule(said, open: [], closed: [1]), by: 1))))
    let never = AttemptOutcome.throttled(code: "429", detail: "", retryAfter: .seconds(1_000_000))
    #expect(try #require(delay(rule(never, open: [], closed: [1]), by: 1)) <= 1_800_000)
    let nothing = AttemptOutcome.throttled(code: "429", detail: "", retryAfter: .seconds(-5))
    #expect((50...100).contains(try #require(delay(rule(nothing, open: [], closed: [1]), by: 1))))
    #expect((500...1000).contains(try #require(delay(rule(.tooFast, open: [], closed: [1]), by: 1))))
  }

  @Test("Waits treble up to half an hour, and lie in the upper half of theirs", arguments: 1...12)
  func backOff(failures: Int) throws {
    let before = Array(repeating: (AttemptOutcome.isDown, 1), count: failures - 1)
    var whole = 5000.0
    for _ in 1..<failures { whole = min(whole * 3, 1_800_000) }
    for seed in 0..<200 as Range<UInt64> {
      let wait = try #require(delay(rule(.isDown, before: before, open: [1], seed: seed), by: 1))
      #expect((Int64(whole / 2)...Int64(whole)).contains(wait))
    }
  }

  @Test func waitsAreSpreadAndASeedRepeatsThem() {
    let waits = (0..<100 as Range<UInt64>).compactMap { delay(rule(.isDown, open: [1], seed: $0), by: 1) }
    #expect(Set(waits).count > 80)
    #expect(rule(.isDown, open: [1], seed: 5) == rule(.isDown, open: [1], seed: 5))
  }

  @Test func everyCarrierIsTriedOnceBeforeAWait() throws {
    #expect(rule(.isDown, open: [1, 2, 3]) == .retry(at: .start, carrier: 2))
    #expect(rule(.isDown, by: 2, before: [(.isDown, 1)], open: [1, 2, 3]) == .retry(at: .start, carrier: 1))
    let third = rule(.isDown, by: 1, before: [(.isDown, 1), (.isDown, 2)], open: [1, 2, 3])
    #expect(try #require(delay(third, by: 1)) > 0)
  }

  @Test func threeAttemptsWithoutAnAnswerAreEnough() {
    #expect(rule(.isSilent, before: [(.isSilent, 1), (.isSilent, 2)]) == .unknown)
    // Failures that are certain do not count for it.
    let certain = rule(.isSilent, before: [(.isDown, 1), (.isDown, 1), (.isDown, 2)])
    #expect(certain != .unknown)
    var patient = RetryPolicy()
    patient.uncertainLimit = 4
    #expect(rule(.isSilent, before: [(.isSilent, 1), (.isSilent, 2)], policy: patient) != .unknown)
  }

  @Test func whatHasNoCarrierNowIsNotRejected() throws {
    for outcome in [AttemptOutcome.tooFast, .isDown, .isSilent, .refusedCarrier] {
      let wait = try #require(delay(rule(outcome, open: []), by: 1))
      #expect(wait > 0)
    }
  }
}
