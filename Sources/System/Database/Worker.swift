import Foundation
import Runtime

/// A thread for blocking calls, whose end can be awaited.
final class Worker: Sendable {
  private struct State {
    var hasEnded = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Starts `body` on a thread of its own.
  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let state = state
    let thread = Thread {
      body()
      let waiting = state.withLock { state in
        state.hasEnded = true
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
    thread.name = name
    thread.start()
  }

  /// Returns when the body has returned.
  func ended() async {
    await withUnsafeContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waiting.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// Runs `body` once on a thread of its own.
  static func once<Result: Sendable>(
    _ name: String, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withUnsafeThrowingContinuation { continuation in
      let thread = Thread {
        continuation.resume(with: Swift.Result { try body() })
      }
      thread.name = name
      thread.start()
    }
  }
}
