import Contract
import Runtime
import Testing

@Suite("Manual clock") struct ManualClockTests {
  private let start = Instant(milliseconds: 1000)

  @Test func timePassesOnlyWhenItIsMoved() {
    let clock = ManualClock(now: start)
    #expect(clock.now == start)
    clock.advance(by: .seconds(2))
    #expect(clock.now == Instant(milliseconds: 3000))
    clock.advance(to: start)
    #expect(clock.now == Instant(milliseconds: 3000), "it never goes back")
  }

  @Test func sleepersWakeWhenTheirTimeHasCome() async throws {
    let clock = ManualClock(now: start)
    let woken = Lock<[Int]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try await clock.sleep(until: Instant(milliseconds: 1000) + .seconds(seconds))
          woken.withLock { $0.append(seconds) }
        }
      }
      try await clock.waitForSleepers(3)
      #expect(clock.nextDeadline == Instant(milliseconds: 2000))
      for expected in [[1], [1, 2], [1, 2, 3]] {
        clock.advance(to: try #require(clock.nextDeadline))
        try await group.next()
        #expect(woken.withLock { $0 } == expected)
      }
    }
    #expect(clock.sleeperCount == 0)
    #expect(clock.nextDeadline == nil)
  }

  @Test func aMomentThatIsPastIsNotWaitedFor() async throws {
    let clock = ManualClock(now: start)
    try await clock.sleep(until: start)
    try await clock.sleep(until: Instant(milliseconds: 0))
  }

  @Test func aCancelledSleepEndsWithAnError() async throws {
    let clock = ManualClock(now: start)
    let task = Task { try await clock.sleep(until: Instant(milliseconds: 5000)) }
    try await clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: Instant(milliseconds: 5000))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func waitingForSleepersHasALimit() async {
    let clock = ManualClock(now: start)
    await #expect(throws: ManualClock.NotEnoughSleepers.self) {
      try await clock.waitForSleepers(1, limit: .milliseconds(5))
    }
  }

  /// Values of the reference implementation for the seed 1234567.
  @Test func aSeedRepeatsItsNumbers() {
    var random = SeededRandom(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
