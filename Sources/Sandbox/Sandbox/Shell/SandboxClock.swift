import Contract
import Runtime

/// The sandbox's own time: the machine's, and how far it was moved ahead.
final class SandboxClock: Sendable {
  private let base: any WallClock
  private let ahead = Lock<Duration>(.zero)

  /// 9000-01-01, beyond which the clock does not go.
  private static let end = Instant(milliseconds: 221_845_392_000_000)

  init(_ base: any WallClock) { self.base = base }

  var now: Instant { base.now + ahead.withLock { $0 } }

  /// - Returns: false when it is not moved: it goes forward only.
  func move(to instant: Instant) -> Bool {
    let base = base.now
    return ahead.withLock { ahead in
      guard instant >= base + ahead, instant <= Self.end else { return false }
      ahead = instant - base
      return true
    }
  }

  func move(by duration: Duration) -> Bool {
    let base = base.now
    return ahead.withLock { ahead in
      guard duration >= .zero, base + ahead <= Self.end - duration else { return false }
      ahead += duration
      return true
    }
  }

  /// Sleeps until the sandbox's time would be `instant` if nobody moved it.
  func sleep(until instant: Instant) async throws {
    try await base.sleep(until: instant - ahead.withLock { $0 })
  }
}
