package import Contract

/// The life of one delivery: every arrow of the diagram in Docs/DeliveryLife.md is one function here.
///
/// A value: the stored row is read into it, changed, and written back by whoever owns the row.
package struct Life: Sendable, Equatable {
  package private(set) var state: DeliveryState
  /// When the state must be looked at again: the start of a scheduled one, the next try of a queued one, the time limit
  /// of a submitted one. Nil once final, and while an earlier one to the same address goes first.
  package private(set) var due: Instant?
  /// How often a carrier was, or may have been, spoken to.
  package private(set) var attempt: Int
  package let expires: Instant

  package init(state: DeliveryState, due: Instant?, attempt: Int, expires: Instant) {
    self.state = state
    self.due = due
    self.attempt = attempt
    self.expires = expires
  }

  /// Accepted. `behind` says that an earlier one to the same address waits still; this one is due when that one leaves.
  package static func accepted(at now: Instant, notBefore: Instant?, expires: Instant, behind: Bool) -> Life {
    if let notBefore, notBefore > now {
      return Life(state: .scheduled, due: notBefore, attempt: 0, expires: expires)
    }
    return Life(state: .queued, due: behind ? nil : now, attempt: 0, expires: expires)
  }

  /// scheduled → queued
  package mutating func start(at now: Instant, behind: Bool) {
    guard state == .scheduled else { return }
    state = .queued
    due = behind ? nil : now
  }

  /// queued → leased: the attempt is recorded before the carrier is spoken to.
  /// - Returns: false where the delivery is not (or no longer) to be sent.
  package mutating func lease(at now: Instant, until limit: Instant) -> Bool {
    guard state == .queued, expires > now else { return false }
    state = .leased
    due = limit
    attempt += 1
    return true
  }

  /// leased → submitted
  package mutating func submit(awaitingReceiptUntil limit: Instant) {
    guard state == .leased else { return }
    state = .submitted
    due = limit
  }

  /// leased → queued: to be tried again, not before `instant`.
  package mutating func retry(at instant: Instant) {
    guard state == .leased || state == .held else { return }
    state = .queued
    due = instant
  }

  /// leased → held
  package mutating func hold() {
    guard state == .leased else { return }
    state = .held
    due = nil
  }

  /// leased → rejected
  package mutating func reject() {
    guard state == .leased else { return }
    finish(.rejected)
  }

  /// queued, scheduled, held → expired. A leased one is never expired: its attempt may succeed.
  package mutating func expire() {
    guard state == .queued || state == .scheduled || state == .held else { return }
    finish(.expired)
  }

  /// scheduled, queued, held → cancelled.
  /// - Returns: false where it is too late.
  package mutating func cancel() -> Bool {
    guard state == .scheduled || state == .queued || state == .held else { return false }
    finish(.cancelled)
    return true
  }

  /// leased → cancelled: it was called back while the attempt was under way, and no carrier took it.
  package mutating func callBack() {
    guard state == .leased else { return }
    finish(.cancelled)
  }

  /// submitted → unknown when its time limit passes; leased → unknown when it may have been taken and must not be
  /// tried again: too often already, or called back meanwhile.
  package mutating func giveUpWaiting() {
    guard state == .submitted || state == .leased else { return }
    finish(.unknown)
  }

  /// A carrier's report. It may come before the answer to the attempt, late, twice, or after a final state:
  /// - `delivered` is final from anywhere, since the phone has it;
  /// - a failure ends only what waits for a report, or what was given up as unknown;
  /// - a failure never takes `delivered` back, and nothing is changed by the same report again.
  /// - Returns: whether anything changed.
  package mutating func receive(_ status: ReceiptStatus) -> Bool {
    let reported: DeliveryState
    switch status {
    case .delivered: reported = .delivered
    case .failed, .rejected: reported = .undeliverable
    case .expired: reported = .expired
    case .buffered, .unknown: return false
    }
    switch (state, reported) {
    case (.delivered, _): return false
    case (_, .delivered): break
    case (.submitted, _), (.unknown, _): break
    default: return false
    }
    finish(reported)
    return true
  }

  private mutating func finish(_ final: DeliveryState) {
    state = final
    due = nil
  }
}
