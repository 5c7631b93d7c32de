package import Contract

/// How fast one carrier may be spoken to now: its rate, its window, and whether it is down.
///
/// The queue sleeps, not the message: what may not go now is simply not claimed.
package struct CarrierPace: Sendable, Equatable {
  package struct Limits: Sendable, Equatable {
    /// Message parts a second that the carrier grants.
    package var partsPerSecond: Double
    /// Attempts under way at the same time.
    package var window: Int

    package init(partsPerSecond: Double = 10_000, window: Int = 100) {
      self.partsPerSecond = partsPerSecond.isNaN ? 0.01 : min(max(0.01, partsPerSecond), 1_000_000)
      self.window = max(1, window)
    }
  }

  /// Failures in a row after which the carrier counts as down.
  package static let failuresUntilDown = 5
  private static let firstPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(60)

  package var limits: Limits
  package private(set) var inFlight = 0
  /// Lowered by half when the carrier says "too fast", raised step by step while it does not.
  package private(set) var rate: Double
  private var tokens: Double
  private var filledAt: Instant
  private var failures = 0
  private var pause = Self.firstPause
  private var closedUntil: Instant?
  private var whyClosed: ClosedReason?
  /// Since when it is closed for this reason, or open.
  private var changed: Instant
  /// After a pause one attempt finds out whether the carrier is back.
  private var isProbing = false

  package enum ClosedReason: Int, Sendable, Equatable {
    case down = 1
    case silent = 2
    case throttled = 3
    case misconfigured = 4

    package var name: String { "\(self)" }
  }

  package init(_ limits: Limits, at now: Instant) {
    self.limits = limits
    rate = limits.partsPerSecond
    tokens = max(1, limits.partsPerSecond / 10)
    filledAt = now
    changed = now
  }

  /// What is the matter with the carrier, nil where it is well, and since when. Unlike `closedReason` it stays until an
  /// attempt has shown that the carrier is back, not only until one may try.
  package func health(at now: Instant) -> (trouble: ClosedReason?, since: Instant) {
    if isClosed(at: now) || isProbing { return (whyClosed, changed) }
    // Too fast no longer, by the passing of time alone.
    if let closedUntil, whyClosed != nil { return (nil, min(closedUntil, now)) }
    return (nil, changed)
  }

  /// Why the carrier takes nothing now; nil where it takes messages.
  package func closedReason(at now: Instant) -> ClosedReason? {
    if isClosed(at: now) { return whyClosed }
    if isProbing && inFlight > 0 { return whyClosed }
    return nil
  }

  package func isOpen(at now: Instant) -> Bool { closedReason(at: now) == nil }

  /// A pause that ends later than any can was begun before the clock was set back, and is over.
  private func isClosed(at now: Instant) -> Bool {
    guard let closedUntil else { return false }
    return closedUntil > now && closedUntil - now <= Self.longestPause
  }

  /// How many attempts may start now.
  package mutating func allowance(at now: Instant) -> Int {
    guard isOpen(at: now) else { return 0 }
    refill(at: now)
    if isProbing { return inFlight == 0 ? 1 : 0 }
    return max(0, min(limits.window - inFlight, Int(tokens.rounded(.up))))
  }

  /// When `allowance` may have grown by the passing of time alone.
  package func nextChange(after now: Instant) -> Instant? {
    if let closedUntil, isClosed(at: now) { return closedUntil }
    if tokens > 0 || inFlight >= limits.window || isProbing && inFlight > 0 { return nil }
    return now + .milliseconds(Int64(min(60_000, (-tokens / rate * 1000).rounded(.up) + 1)))
  }

  package mutating func started(parts: Int) {
    inFlight += 1
    tokens -= Double(max(1, parts))
  }

  package mutating func ended(_ outcome: AttemptOutcome, at now: Instant) {
    inFlight = max(0, inFlight - 1)
    switch outcome {
    case .accepted, .refused(scope: .message, _, _), .refused(scope: .route, _, _):
      changed = health(at: now).trouble == nil ? health(at: now).since : now
      failures = 0
      isProbing = false
      closedUntil = nil
      whyClosed = nil
      pause = Self.firstPause
      rate = min(limits.partsPerSecond, rate + limits.partsPerSecond / 200)
    case .throttled(_, _, let retryAfter):
      // Several answers to one burst count once.
      if !isClosed(at: now) { rate = max(limits.partsPerSecond / 100, rate / 2) }
      tokens = min(tokens, 0)
      let wait = min(max(retryAfter ?? .milliseconds(500), .milliseconds(100)), Self.longestPause)
      close(until: now + wait, at: now, because: .throttled)
    case .refused(scope: .carrier, _, _):
      isProbing = true
      pauseLonger(at: now, because: .misconfigured)
    case .unavailable, .uncertain:
      failures += 1
      guard isProbing || failures >= Self.failuresUntilDown else { return }
      isProbing = true
      if case .uncertain = outcome {
        pauseLonger(at: now, because: .silent)
      } else {
        pauseLonger(at: now, because: .down)
      }
    }
  }

  private mutating func pauseLonger(at now: Instant, because reason: ClosedReason) {
    if isClosed(at: now) { return }
    close(until: now + pause, at: now, because: reason)
    pause = min(pause * 2, Self.longestPause)
  }

  private mutating func close(until instant: Instant, at now: Instant, because reason: ClosedReason) {
    if let closedUntil, isClosed(at: now), closedUntil >= instant { return }
    if health(at: now).trouble != reason { changed = now }
    closedUntil = instant
    whyClosed = reason
  }

  private mutating func refill(at now: Instant) {
    let elapsed = now - filledAt
    guard elapsed > .zero else {
      // A clock set back must not stop the queue.
      filledAt = now
      return
    }
    filledAt = now
    tokens = min(max(1, rate / 10), tokens + rate * Double(elapsed.inMilliseconds) / 1000)
  }
}
