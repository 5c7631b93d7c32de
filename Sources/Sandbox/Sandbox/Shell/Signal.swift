import Runtime

/// Wakes the one task that waits for it; a call that came before counts.
final class Signal: Sendable {
  private struct State {
    var isSet = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  func set() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      if state.waiter == nil { state.isSet = true }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Also returns when the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let goesOn = state.withLock { state in
          if state.isSet || Task.isCancelled {
            state.isSet = false
            return true
          }
          state.waiter = waiter
          return false
        }
        if goesOn { waiter.resume() }
      }
    } onCancel: {
      set()
    }
  }
}
