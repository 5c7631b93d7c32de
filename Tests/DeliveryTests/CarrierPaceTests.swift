import Contract
import Delivery
import Testing

struct CarrierPaceTests {
  func pace(_ rate: Double = 10, window: Int = 100) -> CarrierPace {
    CarrierPace(.init(partsPerSecond: rate, window: window), at: .start)
  }

  /// Starts and ends as many attempts as may go, all of them taken, for `seconds`; in steps of 10 ms.
  func sent(_ pace: inout CarrierPace, from start: Double, seconds: Double) -> Int {
    var count = 0
    for step in 0..<Int(seconds * 100) {
      let now = Instant.after(start + Double(step) / 100)
      for _ in 0..<pace.allowance(at: now) {
        pace.started(parts: 1)
        pace.ended(.taken, at: now)
        count += 1
      }
    }
    return count
  }

  @Test func theRateIsKept() {
    var pace = pace(50)
    let count = sent(&pace, from: 0, seconds: 20)
    #expect((1000...1010).contains(count))
  }

  @Test func aSlowRateIsKept() {
    var pace = pace(0.5)
    #expect((10...12).contains(sent(&pace, from: 0, seconds: 20)))
  }

  @Test("A carrier is down until an attempt has shown that it is back, and well from then on")
  func health() {
    var pace = pace()
    #expect(pace.health(at: .after(5)) == (nil, .start))
    for _ in 0..<CarrierPace.failuresUntilDown {
      pace.started(parts: 1)
      pace.ended(.unavailable(code: "503", detail: "Down."), at: .after(10))
    }
    #expect(pace.health(at: .after(10)) == (.down, .after(10)))
    // One may try again; that is not the same as being well.
    #expect(pace.isOpen(at: .after(60)))
    #expect(pace.health(at: .after(60)) == (.down, .after(10)))
    pace.started(parts: 1)
    pace.ended(.unavailable(code: "503", detail: "Down."), at: .after(61))
    #expect(pace.health(at: .after(62)) == (.down, .after(10)))
    pace.started(parts: 1)
    pace.ended(.taken, at: .after(70))
    #expect(pace.health(at: .after(80)) == (nil, .after(70)))
    pace.started(parts: 1)
    pace.ended(.taken, at: .after(90))
    #expect(pace.health(at: .after(95)) == (nil, .after(70)))
  }

  @Test func aThrottledCarrierIsWellWhenItsPauseIsOver() {
    var pace = pace()
    pace.started(parts: 1)
    pace.ended(.throttled(code: "429", detail: "Too fast.", retryAfter: .seconds(3)), at: .after(10))
    #expect(pace.health(at: .after(12)) == (.throttled, .after(10)))
    #expect(pace.health(at: .after(20)) == (nil, .after(13)))
  }

  @Test func restSavesUpATenthOfASecondOnly() {
    var pace = pace(100)
    _ = pace.allowance(at: .start)
    #expect(pace.allowance(at: .after(3600)) == 10)
  }

  @Test func partsCount() {
    var pace = pace(10)
    #expect(pace.allowance(at: .start) == 1)
    pace.started(parts: 5)
    pace.ended(.taken, at: .start)
    #expect(pace.allowance(at: .after(0.3)) == 0)
    #expect(pace.nextChange(after: .after(0.3)) == .after(0.401))
    #expect(pace.allowance(at: .after(0.401)) == 1)
  }

  @Test func theWindowIsKept() {
    var pace = pace(1000, window: 3)
    #expect(pace.allowance(at: .start) == 3)
    for _ in 0..<3 { pace.started(parts: 1) }
    #expect(pace.allowance(at: .after(1)) == 0)
    // Only an answer can change that.
    #expect(pace.nextChange(after: .after(1)) == nil)
    pace.ended(.taken, at: .after(2))
    #expect(pace.allowance(at: .after(2)) == 1)
  }

  @Test func tooFastHalvesTheRateAndSuccessRaisesItSlowly() {
    var pace = pace(1000)
    pace.started(parts: 1)
    pace.started(parts: 1)
    pace.ended(.tooFast, at: .start)
    #expect(pace.rate == 500)
    #expect(pace.closedReason(at: .after(0.4)) == .throttled)
    // A second answer to the same burst.
    pace.ended(.tooFast, at: .after(0.1))
    #expect(pace.rate == 500)
    #expect(pace.isOpen(at: .after(0.7)))
    for _ in 0..<10 {
      pace.started(parts: 1)
      pace.ended(.taken, at: .after(1))
    }
    #expect(pace.rate == 550)
    for _ in 0..<1000 {
      pace.started(parts: 1)
      pace.ended(.taken, at: .after(1))
    }
    #expect(pace.rate == 1000)
  }

  @Test func theRateNeverFallsBelowAHundredth() {
    var pace = pace(1000)
    for step in 0..<50 {
      pace.started(parts: 1)
      pace.ended(.tooFast, at: .after(Double(step) * 10))
    }
    #expect(pace.rate == 10)
  }

  @Test func aCarriersWordIsBounded() {
    var pace = pace()
    pace.started(parts: 1)
    pace.ended(.throttled(code: "", detail: "", retryAfter: .seconds(1_000_000)), at: .start)
    #expect(pace.nextChange(after: .start) == .after(60))
    #expect(pace.isOpen(at: .after(60)))
  }

  @Test("Five failures in a row close it", arguments: [AttemptOutcome.isDown, .isSilent])
  func breaker(_ outcome: AttemptOutcome) {
    var pace = pace(1000)
    for _ in 0..<4 {
      pace.started(parts: 1)
      pace.ended(outcome, at: .start)
    }
    #expect(pace.isOpen(at: .start))
    pace.started(parts: 1)
    pace.ended(outcome, at: .start)
    #expect(pace.closedReason(at: .start) == (outcome == .isDown ? .down : .silent))
    #expect(pace.allowance(at: .after(0.9)) == 0)
    // One finds out whether it is back.
    #expect(pace.nextChange(after: .after(0.9)) == .after(1))
    #expect(pace.allowance(at: .after(1)) == 1)
    pace.started(parts: 1)
    #expect(pace.allowance(at: .after(1)) == 0)
    #expect(pace.closedReason(at: .after(30)) != nil)
    #expect(pace.nextChange(after: .after(1)) == nil)
    // It is not: twice as long.
    pace.ended(outcome, at: .after(2))
    #expect(pace.allowance(at: .after(3.9)) == 0)
    #expect(pace.allowance(at: .after(4)) == 1)
    pace.started(parts: 1)
    pace.ended(.taken, at: .after(5))
    #expect(pace.isOpen(at: .after(5)))
    #expect(pace.allowance(at: .after(5)) > 1)
  }

  @Test func pausesGrowToAMinuteAndNoFurther() {
    var pace = pace(1000)
    var now = Instant.start
    for _ in 0..<20 {
      pace.started(parts: 1)
      pace.ended(.isDown, at: now)
      now = pace.nextChange(after: now) ?? now
    }
    pace.started(parts: 1)
    pace.ended(.isDown, at: now)
    #expect(pace.nextChange(after: now) == now + .seconds(60))
  }

  @Test func aSuccessInBetweenStartsTheCountAgain() {
    var pace = pace(1000)
    for _ in 0..<3 {
      for _ in 0..<4 {
        pace.started(parts: 1)
        pace.ended(.isDown, at: .start)
      }
      pace.started(parts: 1)
      pace.ended(.taken, at: .start)
    }
    #expect(pace.isOpen(at: .start))
  }

  @Test func noCreditClosesItAtOnce() {
    var pace = pace(1000)
    pace.started(parts: 1)
    pace.ended(.refusedCarrier, at: .start)
    #expect(pace.closedReason(at: .start) == .misconfigured)
    #expect(pace.allowance(at: .after(1)) == 1)
  }

  @Test func aMessageThatIsRefusedIsNoFaultOfTheCarrier() {
    var pace = pace(1000)
    for _ in 0..<20 {
      pace.started(parts: 1)
      pace.ended(.refusedMessage, at: .start)
      pace.started(parts: 1)
      pace.ended(.refusedRoute, at: .start)
    }
    #expect(pace.isOpen(at: .start))
  }

  @Test func aClockSetBackStopsNothing() {
    var pace = pace(10)
    #expect(pace.allowance(at: .after(7200)) > 0)
    pace.started(parts: 1)
    pace.ended(.throttled(code: "", detail: "", retryAfter: .seconds(60)), at: .after(7200))
    #expect(!pace.isOpen(at: .after(7200)))
    // Two hours back.
    #expect(pace.isOpen(at: .start))
    #expect(sent(&pace, from: 0, seconds: 10) >= 20)
    // And it can be closed again from there.
    pace.started(parts: 1)
    pace.ended(.tooFast, at: .after(11))
    #expect(!pace.isOpen(at: .after(11)))
    #expect(pace.isOpen(at: .after(12)))
  }

  @Test("Limits that make no sense become ones that do", arguments: [-1, 0, .nan, .infinity, 1e300])
  func limits(rate: Double) {
    let limits = CarrierPace.Limits(partsPerSecond: rate, window: -3)
    #expect((0.01...1_000_000).contains(limits.partsPerSecond))
    #expect(limits.window == 1)
    var pace = CarrierPace(limits, at: .start)
    #expect(pace.allowance(at: .after(1)) == 1)
    pace.started(parts: .max)
    #expect(pace.allowance(at: .after(1)) == 0)
    #expect(pace.nextChange(after: .after(1)) == nil)
  }
}
