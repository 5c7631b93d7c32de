import CCurl
import Foundation
import Runtime

/// Where callers leave transfers for the loop, which takes them all in one swap.
final class Inbox: Sendable {
  struct Batch {
    var submitted: [Transfer] = []
    var cancelled: [Transfer] = []

    var isEmpty: Bool { submitted.isEmpty && cancelled.isEmpty }
  }

  private enum Phase { case new, running, stopping, ended }

  private struct State {
    var phase = Phase.new
    var batch = Batch()
    /// Submitted, and no outcome yet.
    var open = 0
    var isAsleep = false

    /// - Returns: whether the bell must be rung.
    mutating func wake() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  private let state = Lock(State())
  private let capacity: Int
  /// An eventfd that ends the loop's sleep.
  let bell: Int32

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    bell = ccurl_bell_open()
  }

  deinit { if bell >= 0 { close(bell) } }

  // MARK: - Callers

  /// The continuation is resumed at once where the transfer is not taken.
  func submit(_ transfer: Transfer, _ continuation: CheckedContinuation<Transfer.Outcome, Never>) {
    var mustRing = false
    let refusal: HTTPClientError? = state.withLock { state in
      if transfer.isCancelled { return .cancelled }
      if state.phase == .stopping || state.phase == .ended { return .stopped }
      if state.open >= capacity { return .notSent(.queueFull) }
      transfer.continuation = continuation
      state.open += 1
      state.batch.submitted.append(transfer)
      mustRing = state.wake()
      return nil
    }
    if let refusal { continuation.resume(returning: .failure(refusal)) }
    if mustRing { ccurl_bell_ring(bell) }
  }

  func cancel(_ transfer: Transfer) {
    var mustRing = false
    let continuation = state.withLock { state -> CheckedContinuation<Transfer.Outcome, Never>? in
      transfer.isCancelled = true
      if let index = state.batch.submitted.firstIndex(where: { $0 === transfer }) {
        state.batch.submitted.remove(at: index)
        state.open -= 1
        return transfer.continuation
      }
      if state.phase == .running || state.phase == .stopping {
        state.batch.cancelled.append(transfer)
        mustRing = state.wake()
      }
      return nil
    }
    continuation?.resume(returning: .failure(.cancelled))
    if mustRing { ccurl_bell_ring(bell) }
  }

  // MARK: - The service

  /// - Returns: false when it was started or stopped before.
  func start() -> Bool {
    state.withLock { state in
      guard state.phase == .new, bell >= 0 else { return false }
      state.phase = .running
      return true
    }
  }

  func stop() {
    let mustRing = state.withLock { state in
      if state.phase == .running { state.phase = .stopping }
      return state.wake()
    }
    if mustRing { ccurl_bell_ring(bell) }
  }

  // MARK: - The loop

  /// Takes everything, and takes `finished` off the count of open ones. After an empty batch the loop counts as asleep:
  /// the bell rings for whoever comes next.
  func take(finished: Int) -> (batch: Batch, isStopping: Bool) {
    state.withLock { state in
      state.open -= finished
      let batch = state.batch
      state.batch = Batch()
      state.isAsleep = batch.isEmpty
      return (batch, state.phase == .stopping)
    }
  }

  /// Whoever comes later is refused; returns who came and was not taken.
  func end() -> [Transfer] {
    state.withLock { state in
      state.phase = .ended
      let left = state.batch.submitted
      state.batch = Batch()
      state.open = 0
      return left
    }
  }
}
