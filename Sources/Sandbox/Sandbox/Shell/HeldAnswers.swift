import Runtime

/// Answers that wait: until something has happened, or for ever.
final class HeldAnswers: Sendable {
  private struct State {
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    /// Released before their waiter came.
    var released: Set<UInt64> = []
    var silent = Ring<CheckedContinuation<Void, Never>>()
    var hasEnded = false
  }

  /// Requests that are never answered keep their connections; beyond so many the oldest are closed.
  private static let silentLimit = 4000

  private let state = Lock(State())

  /// Each hold is released once and awaited once.
  func wait(for hold: UInt64) async {
    await withCheckedContinuation { waiter in
      let isReleased = state.withLock { state in
        if state.released.remove(hold) != nil || state.hasEnded { return true }
        state.waiters[hold] = waiter
        return false
      }
      if isReleased { waiter.resume() }
    }
  }

  func release(_ hold: UInt64) {
    let waiter = state.withLock { state in
      let waiter = state.waiters.removeValue(forKey: hold)
      if waiter == nil, !state.hasEnded { state.released.insert(hold) }
      return waiter
    }
    waiter?.resume()
  }

  /// Returns when the sandbox stops, or when too many wait like this.
  func waitForEver() async {
    await withCheckedContinuation { waiter in
      let oldest = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if state.hasEnded { return waiter }
        state.silent.append(waiter)
        return state.silent.count > Self.silentLimit ? state.silent.popFirst() : nil
      }
      oldest?.resume()
    }
  }

  /// Lets all go, and those that come later.
  func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      let waiters = Array(state.waiters.values) + state.silent.prefix(.max)
      state.waiters = [:]
      state.silent = Ring()
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
