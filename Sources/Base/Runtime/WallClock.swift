package import Contract
import Foundation

/// Where the time comes from; passed in, so that tests and the simulation own it.
package protocol WallClock: Sendable {
  var now: Instant { get }

  /// Returns at or after `instant`; throws `CancellationError` when the task is cancelled.
  func sleep(until instant: Instant) async throws
}

/// The machine's own clock.
package struct SystemClock: WallClock {
  package init() {}

  package var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  package func sleep(until instant: Instant) async throws {
    let wait = instant - now
    if wait > .zero { try await Task.sleep(for: wait) } else { try Task.checkCancellation() }
  }
}
