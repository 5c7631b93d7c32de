package import Contract

/// What becomes of a delivery after an attempt.
package enum Ruling: Sendable, Equatable {
  /// A carrier has it; wait for its report until then.
  case submitted(until: Instant)
  /// Try again, not before `at`, in the queue of `carrier`.
  case retry(at: Instant, carrier: Int)
  case rejected
  case unknown
  case hold
}

/// When and by whom a failed attempt is tried again. Pure: the clock and the dice are passed in.
package struct RetryPolicy: Sendable {
  /// The first wait after a failure that is nobody's fault in particular; each further one is three times as long.
  package var firstWait: Duration = .seconds(5)
  package var longestWait: Duration = .seconds(1800)
  /// How often an attempt may stay without an answer before the delivery is left as unknown: each may have cost money
  /// and rung somebody's phone.
  package var uncertainLimit = 3
  /// How long a carrier's last word is awaited.
  package var receiptLimit: Duration = .seconds(3 * 24 * 3600)

  package init() {}

  /// What was tried before, as far as the next step depends on it.
  package struct History: Sendable, Equatable {
    /// Carriers that refused this message for themselves.
    package var refusedBy: Set<Int> = []
    package var uncertain = 0
    package var failures = 0

    package init() {}

    package mutating func note(_ outcome: AttemptOutcome, by carrier: Int) {
      note(outcome.kind, carrierRefused: outcome.isRouteRefusal, by: carrier)
    }

    package mutating func note(_ kind: AttemptOutcome.Kind, carrierRefused: Bool, by carrier: Int) {
      switch kind {
      case .accepted: break
      case .refused: if carrierRefused { refusedBy.insert(carrier) }
      case .throttled: break
      case .unavailable: failures += 1
      case .uncertain:
        uncertain += 1
        failures += 1
      }
    }
  }

  /// - Parameters:
  ///   - history: what was tried, this attempt included.
  ///   - candidates: the carriers that the message may go by, best first, `open` telling whether each takes messages now.
  package func rule(
    on outcome: AttemptOutcome, by carrier: Int, history: History, candidates: [Candidate], channel: Channel,
    now: Instant, random: inout some RandomNumberGenerator
  ) -> Ruling {
    switch outcome {
    case .accepted:
      return .submitted(until: now + receiptLimit)
    case .refused(scope: .message, _, _):
      return .rejected
    case .refused(scope: .route, _, _), .refused(scope: .carrier, _, _):
      return elsewhere(after: carrier, history, candidates, now: now, wait: wait(history.failures + 1, &random))
    case .throttled(_, _, let retryAfter):
      // Clamped: a carrier's word may not park a message for ever.
      let pause = min(max(retryAfter ?? .seconds(1), .milliseconds(100)), longestWait)
      return elsewhere(after: carrier, history, candidates, now: now, wait: jitter(pause, &random))
    case .unavailable:
      return elsewhere(after: carrier, history, candidates, now: now, wait: wait(history.failures, &random))
    case .uncertain:
      if channel.whenUncertain == .hold { return .hold }
      if history.uncertain >= uncertainLimit { return .unknown }
      return elsewhere(after: carrier, history, candidates, now: now, wait: wait(history.failures, &random))
    }
  }

  /// The next carrier that takes messages now, at once; else the best that has not refused it, after a wait.
  private func elsewhere(
    after carrier: Int, _ history: History, _ candidates: [Candidate], now: Instant, wait: Duration
  ) -> Ruling {
    let willing = candidates.filter { !history.refusedBy.contains($0.carrier) }
    if let next = willing.first(where: { $0.isOpen && $0.carrier != carrier }), history.failures < candidates.count {
      return .retry(at: now, carrier: next.carrier)
    }
    guard let best = willing.first(where: { $0.isOpen }) ?? willing.first else {
      // Where none is configured now, there may be one again before the message's time runs out.
      return candidates.isEmpty ? .retry(at: now + wait, carrier: carrier) : .rejected
    }
    return .retry(at: now + wait, carrier: best.carrier)
  }

  /// How long one waits whose attempt was cut off by our own stop. The first goes at once; after that it waits, so that
  /// a server that dies again and again while it starts does not use up the attempts of everything it had in hand.
  /// - Parameter history: what was tried, the attempt that was cut off included.
  package func waitAfterInterruption(_ history: History) -> Duration {
    guard history.uncertain > 1 else { return .zero }
    return (2..<min(history.uncertain, 20)).reduce(firstWait) { wait, _ in min(wait * 3, longestWait) }
  }

  /// Exponential back-off with full jitter over its upper half.
  private func wait(_ failures: Int, _ random: inout some RandomNumberGenerator) -> Duration {
    var wait = firstWait
    for _ in 1..<max(2, min(failures, 20)) where failures > 1 { wait = min(wait * 3, longestWait) }
    return jitter(wait, &random)
  }

  private func jitter(_ wait: Duration, _ random: inout some RandomNumberGenerator) -> Duration {
    let milliseconds = max(2, wait.inMilliseconds)
    return .milliseconds(milliseconds / 2 + Int64.random(in: 0...milliseconds / 2, using: &random))
  }
}

/// A carrier that a message may go by.
package struct Candidate: Sendable, Equatable {
  package var carrier: Int
  /// Whether it takes messages now: not known to be down, and not paused.
  package var isOpen: Bool

  package init(carrier: Int, isOpen: Bool) {
    self.carrier = carrier
    self.isOpen = isOpen
  }
}

extension AttemptOutcome {
  /// This carrier will never take this message, though another may.
  package var isRouteRefusal: Bool {
    if case .refused(scope: .route, _, _) = self { true } else { false }
  }
}
