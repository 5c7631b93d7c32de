package import Contract

/// A clock that stands still until a test or the simulation moves it.
package final class ManualClock: WallClock {
  private struct Sleeper {
    var number: Int
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Instant
    var sleepers: [Sleeper] = []
    var lastNumber = 0
    /// Sleeps that were cancelled before they had begun to wait.
    var cancelled: Set<Int> = []
  }

  private let state: Lock<State>

  /// - Parameter now: where the clock stands at first; by default 2026-01-01T00:00:00Z.
  package init(now: Instant = Instant(milliseconds: 1_767_225_600_000)) {
    state = Lock(State(now: now))
  }

  package var now: Instant { state.withLock { $0.now } }

  package func sleep(until instant: Instant) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if instant <= state.now { return .success(()) }
          state.sleepers.append(Sleeper(number: number, deadline: instant, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(at: index).continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
    // A cancellation that came after the sleep had ended left its number behind.
    state.withLock { _ = $0.cancelled.remove(number) }
  }

  // MARK: Moving it

  /// Moves the clock forward and wakes whoever is due, the earliest first, those of one moment in the order in which
  /// they lay down.
  package func advance(by duration: Duration) { advance(to: now + duration) }

  /// The clock never goes back: an earlier instant does nothing.
  package func advance(to instant: Instant) {
    let due = state.withLock { state -> [Sleeper] in
      state.now = max(state.now, instant)
      let due = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// When the next sleeper is due; nil while nobody sleeps.
  package var nextDeadline: Instant? { state.withLock { $0.sleepers.map(\.deadline).min() } }

  // MARK: Waiting for sleepers

  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Nobody lay down within the limit.
  package struct NotEnoughSleepers: Error, CustomStringConvertible {
    package let wanted: Int
    package let found: Int
    package var description: String { "\(wanted) sleepers were awaited and \(found) came." }
  }

  /// Returns when at least `count` tasks sleep on this clock. The limit is real time.
  package func waitForSleepers(_ count: Int, limit: Duration = .seconds(10)) async throws {
    let end = ContinuousClock.now + limit
    while sleeperCount < count {
      guard ContinuousClock.now < end else { throw NotEnoughSleepers(wanted: count, found: sleeperCount) }
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
