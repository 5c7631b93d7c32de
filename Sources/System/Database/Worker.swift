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
  /// - Parameter niceness: as of nice(1); above 0 the thread gives way to others when the processor is short.
  init(_ name: String, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) {
    let state = state
    let thread = Thread {
      // Of this thread alone (setpriority(2), "C library/kernel differences").
      if niceness > 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
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
