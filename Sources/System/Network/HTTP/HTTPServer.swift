import Contract
import Foundation
import Runtime

/// A strict HTTP/1.1 server (RFC 9110, RFC 9112) on event loops.
///
/// Handlers run on the loop of their connection and must not block it. One loop listens; connections go round all of them.
package final class HTTPServer: Service {
  private struct State {
    var listener: TCPListener?
    var connections = 0
    var next = 0
    /// Waits until no connection is left.
    var waiter: CheckedContinuation<Void, Never>?
    /// Waits until `run` is cancelled.
    var stopWaiter: CheckedContinuation<Void, Never>?
    var isCancelled = false
  }

  private let configuration: Configuration
  private let loops: EventLoopGroup
  private let handler: HTTPHandler
  private let workers = Lock<[HTTPWorker]>([])
  private let state = Lock(State())

  package init(configuration: Configuration, loops: EventLoopGroup, handler: @escaping HTTPHandler) {
    self.configuration = configuration
    self.loops = loops
    self.handler = handler
  }

  /// Serves a router, with the body limits of its routes.
  package convenience init(configuration: Configuration, loops: EventLoopGroup, router: Router) {
    var configuration = configuration
    configuration.bodyLimit = { router.maximumBody(method: $0, path: $1) }
    self.init(configuration: configuration, loops: loops) { await router.handle($0) }
  }

  private var listenerLoop: EventLoop { loops.loops[0] }

  /// Binds and begins to serve.
  /// - Throws: `SystemError` when the address can not be had, `TLSError` when certificate or key can not be used.
  package func start() async throws -> (host: String, port: Int) {
    let tls = try configuration.tls.map { try TLSContext($0) }
    let listener = try TCPListener(
      loop: listenerLoop, host: configuration.host, port: configuration.port, report: configuration.report)
    let isFirst = state.withLock { state in
      guard state.listener == nil else { return false }
      state.listener = listener
      return true
    }
    guard isFirst else { throw SystemError("start of a server that was started", code: EALREADY) }
    let made = loops.loops.map { loop in
      HTTPWorker(
        loop: loop, configuration: configuration, tls: tls, share: loops.loops.count, handler: handler,
        ended: { [weak self] in self?.connectionEnded() })
    }
    workers.withLock { $0 = made }
    try await onLoop(listenerLoop) { [self] in
      try listener.start { descriptor, address in self.accepted(descriptor, address, made) }
    }
    return (configuration.host, listener.port)
  }

  /// Serves until the task is cancelled; then stops accepting, ends event streams, gives requests in hand their time, and
  /// closes. Starts the server if `start` was not called.
  package func run() async throws {
    if state.withLock({ $0.listener == nil }) { _ = try await start() }
    await untilCancelled()
    await stop()
  }

  // MARK: - Connections

  private func accepted(_ descriptor: Int32, _ remoteAddress: String, _ workers: [HTTPWorker]) {
    let (worker, isFull) = state.withLock { state in
      state.connections += 1
      state.next = (state.next + 1) % workers.count
      return (workers[state.next], state.connections >= configuration.maximumConnections)
    }
    if isFull {
      configuration.report("the limit of connections is reached; further ones wait", [:])
      state.withLock { $0.listener }?.suspend()
    }
    if worker.loop.isCurrent {
      worker.adopt(descriptor, remoteAddress)
    } else if !worker.loop.execute({ worker.adopt(descriptor, remoteAddress) }) {
      close(descriptor)
      connectionEnded()
    }
  }

  private func connectionEnded() {
    let (hasRoom, listener, waiter) = state.withLock { state in
      state.connections -= 1
      let waiter = state.connections == 0 ? state.waiter : nil
      if waiter != nil { state.waiter = nil }
      return (state.connections == configuration.maximumConnections - 1, state.listener, waiter)
    }
    if hasRoom { listenerLoop.execute { listener?.resume() } }
    waiter?.resume()
  }

  // MARK: - Stop

  private func untilCancelled() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isCancelled = state.withLock { state in
          if !state.isCancelled { state.stopWaiter = waiter }
          return state.isCancelled
        }
        if isCancelled { waiter.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.isCancelled = true
        defer { state.stopWaiter = nil }
        return state.stopWaiter
      }
      waiter?.resume()
    }
  }

  private func stop() async {
    let listener = state.withLock { $0.listener }
    try? await onLoop(listenerLoop) { listener?.close() }
    let workers = workers.withLock { $0 }
    for worker in workers { worker.loop.execute { worker.drain() } }
    await untilEmpty(atMost: configuration.stopTimeout)
    let left = state.withLock { $0.connections }
    guard left > 0 else { return }
    configuration.report("requests were cut off, as the time to stop was over", ["connections": String(left)])
    for worker in workers { worker.loop.execute { worker.cancelAll() } }
    await untilEmpty(atMost: .seconds(1))
  }

  private func untilEmpty(atMost limit: Duration) async {
    await withCheckedContinuation { waiter in
      let isEmpty = state.withLock { state in
        if state.connections > 0 { state.waiter = waiter }
        return state.connections == 0
      }
      if isEmpty { return waiter.resume() }
      let isArmed = listenerLoop.execute { [self] in
        let timer = LoopTimer(loop: listenerLoop) { [weak self] in self?.giveUpWaiting() }
        timer.set(limit)
      }
      if !isArmed { giveUpWaiting() }
    }
  }

  private func giveUpWaiting() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  private func onLoop(_ loop: EventLoop, _ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
      let isTaken = loop.execute { waiter.resume(with: Result { try body() }) }
      if !isTaken { waiter.resume(throwing: SystemError("use of a loop that has ended", code: ESHUTDOWN)) }
    }
  }
}
