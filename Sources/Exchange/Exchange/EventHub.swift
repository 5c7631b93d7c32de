package import Contract
import Runtime

/// Tells those who follow a stream that something was committed to it. What it was is read from the log, so nothing is
/// lost where a signal comes twice or late.
package final class EventHub: Sendable {
  private struct Follower {
    var count = 0
    /// Raised by each signal, so that one between a look at the log and a wait is not missed.
    var generation: UInt64 = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private struct State {
    var followers: [ID128: Follower] = [:]
    var nextWait = 0
    var observers: [@Sendable ([ID128]?) -> Void] = []
  }

  private let state = Lock(State())

  package init() {}

  /// Follows a stream for as long as `body` runs.
  package func following<Result>(
    _ stream: ID128, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    state.withLock { $0.followers[stream, default: Follower()].count += 1 }
    defer {
      state.withLock { state in
        state.followers[stream]?.count -= 1
        if state.followers[stream]?.count == 0 { state.followers[stream] = nil }
      }
    }
    return try await body()
  }

  /// A mark to take, while following, before looking at the log.
  package func mark(of stream: ID128) -> UInt64 {
    state.withLock { $0.followers[stream]?.generation ?? 0 }
  }

  /// Tells `observer` of every signal from now on, beside those who follow one stream. It is told the streams, or nil
  /// where another process wrote, and must return at once.
  package func observe(_ observer: @escaping @Sendable (_ streams: [ID128]?) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  /// Something was committed to these streams.
  package func signal(_ streams: some Sequence<ID128>) {
    let streams = Array(streams)
    guard !streams.isEmpty else { return }
    let (woken, observers) = state.withLock { state in
      (streams.flatMap { Self.wake($0, in: &state) }, state.observers)
    }
    for continuation in woken { continuation.resume() }
    for observer in observers { observer(streams) }
  }

  /// Something may have changed anywhere: another process wrote.
  package func signalAll() {
    let (woken, observers) = state.withLock { state in
      (Array(state.followers.keys).flatMap { Self.wake($0, in: &state) }, state.observers)
    }
    for continuation in woken { continuation.resume() }
    for observer in observers { observer(nil) }
  }

  private static func wake(_ stream: ID128, in state: inout State) -> [CheckedContinuation<Void, Never>] {
    guard let follower = state.followers[stream] else { return [] }
    state.followers[stream]?.generation &+= 1
    state.followers[stream]?.waiting = [:]
    return Array(follower.waiting.values)
  }

  /// Returns when the stream has been signalled since `mark`, or when the task is cancelled.
  package func wait(on stream: ID128, since mark: UInt64) async {
    let number = state.withLock { state in
      state.nextWait += 1
      return state.nextWait
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard let follower = state.followers[stream], follower.generation == mark, !Task.isCancelled else {
            return true
          }
          state.followers[stream]?.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.followers[stream]?.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}
