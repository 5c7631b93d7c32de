import HTTPClient
import Runtime

/// Receipts that wait for their moment, and the workers that wait for them.
final class ReceiptQueue: Sendable {
  static let workers = 32

  private struct State {
    var waiting: [(due: ContinuousClock.Instant, receipt: OutgoingRequest)] = []
    var head = 0
    var ready: [OutgoingRequest] = []
    var idle: [CheckedContinuation<OutgoingRequest?, Never>] = []
    var isOver = false
  }

  private let state = Lock(State())

  func add(_ receipt: OutgoingRequest) {
    let due = ContinuousClock.now + StandIn.delay
    state.withLock { $0.waiting.append((due, receipt)) }
  }

  func forget() {
    state.withLock {
      $0.waiting = []
      $0.head = 0
      $0.ready = []
    }
  }

  /// The next receipt to be sent; nil when the stand-in stops.
  func next() async -> OutgoingRequest? {
    await withCheckedContinuation { continuation in
      let now: OutgoingRequest?? = state.withLock { state in
        if state.isOver { return .some(nil) }
        if let receipt = state.ready.popLast() { return receipt }
        state.idle.append(continuation)
        return nil
      }
      if let now { continuation.resume(returning: now) }
    }
  }

  /// Lets go what is due, until its task is cancelled.
  func release() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(2))
      let handed = state.withLock { state in Self.release(&state) }
      for (continuation, receipt) in handed { continuation.resume(returning: receipt) }
    }
    let idle = state.withLock { state in
      state.isOver = true
      defer { state.idle = [] }
      return state.idle
    }
    for continuation in idle { continuation.resume(returning: nil) }
  }

  private static func release(
    _ state: inout State
  ) -> [(CheckedContinuation<OutgoingRequest?, Never>, OutgoingRequest)] {
    let now = ContinuousClock.now
    var due: [OutgoingRequest] = []
    while state.head < state.waiting.count, state.waiting[state.head].due <= now {
      due.append(state.waiting[state.head].receipt)
      state.head += 1
    }
    if state.head > 4096, state.head * 2 > state.waiting.count {
      state.waiting.removeFirst(state.head)
      state.head = 0
    }
    // `next` takes from the end: the oldest stands there.
    if !due.isEmpty { state.ready = due.reversed() + state.ready }
    var handed: [(CheckedContinuation<OutgoingRequest?, Never>, OutgoingRequest)] = []
    while let continuation = state.idle.last, let receipt = state.ready.popLast() {
      state.idle.removeLast()
      handed.append((continuation, receipt))
    }
    return handed
  }
}
