import Contract
import Foundation

/// One connection of an HTTP server: one request in hand at a time, in order. *On the loop*, all of it.
///
/// `opening → idle → head → body → handling → (streaming) → flushing → idle …`, and from everywhere `lingering → closed`.
final class HTTPConnection: TCPConnectionDelegate, @unchecked Sendable {
  enum Phase {
    /// TLS is being agreed.
    case opening
    case idle
    /// Part of a head has come.
    case head
    /// The head is complete and the body is not.
    case body
    case handling
    case streaming
    /// The response is complete, but not all of it was taken by the kernel.
    case flushing
    /// Everything is said; what the peer still sends is dropped until it closes too.
    case lingering
    case closed
  }

  let worker: HTTPWorker
  var loop: EventLoop { worker.loop }
  let tcp: TCPConnection
  var phase = Phase.opening
  var task: Task<Void, Never>?

  var parser: HTTPRequestParser
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var heldBytes = 0
  var inputHasEnded = false

  /// Of the request in hand.
  var isHead = false
  var version = 1
  var keepsAlive = true

  /// Tells the writers of one response from those of the next.
  var stream = 0
  var waiters: [CheckedContinuation<Void, any Error>] = []
  var failure = HTTPStreamError.clientIsGone
  var sentAtMark = 0
  private lazy var timer = LoopTimer(loop: loop) { [weak self] in self?.deadlineCame() }

  init(_ tcp: TCPConnection, worker: HTTPWorker) {
    self.tcp = tcp
    self.worker = worker
    parser = HTTPRequestParser(limits: worker.configuration.limits, maximumBody: worker.configuration.maximumBody)
  }

  func start() throws(SystemError) {
    timer.set(worker.configuration.headTimeout)
    try tcp.start(self)
  }

  func connectionOpened() { beIdle() }

  // MARK: - Reading a request

  func connectionReceived(_ bytes: UnsafeRawBufferPointer) {
    switch phase {
    case .idle, .head, .body:
      parser.append(bytes)
      advance()
    case .opening, .handling, .streaming, .flushing:
      // Pipelined; it has to wait, at last in the client.
      parser.append(bytes)
      if parser.buffered > 65_536 { tcp.pauseReading() }
    case .lingering, .closed: break
    }
  }

  private func advance() {
    while true {
      switch phase {
      case .idle, .head, .body: break
      default: return
      }
      do throws(HTTPViolation) {
        switch try parser.next() {
        case .head(let head): begin(head)
        case .body(let bytes): try add(bytes)
        case .end: handle()
        case nil: return waitForMore()
        }
      } catch { return refuse(error) }
    }
  }

  private func waitForMore() {
    if inputHasEnded { return tcp.close() }
    guard phase == .idle else { return }
    if !parser.isIdle {
      phase = .head
      timer.set(worker.configuration.headTimeout)
    } else if worker.isDraining {
      tcp.close()
    } else {
      parser.shrink()
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    phase = .body
    self.head = head
    isHead = head.method == "HEAD"
    version = head.version
    keepsAlive = head.keepsAlive
    if head.framing == .none { return }

    let configuration = worker.configuration
    let limit = max(0, configuration.bodyLimit?(head.method, head.path) ?? configuration.maximumBody)
    parser.maximumBody = limit
    let shares = max(1, limit / max(1, configuration.maximumBody))
    timer.set(milliseconds: configuration.bodyTimeout.inMilliseconds.multipliedSaturating(by: Int64(shares)))
    if case .length(let length) = head.framing, length == 0 || length > limit { return }
    if head.expectsContinue, parser.unread == 0 { tcp.write(Self.goOn) }
  }

  private static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private func add(_ bytes: [UInt8]) throws(HTTPViolation) {
    guard worker.hold(bytes.count) else { throw .overloaded }
    heldBytes += bytes.count
    if body.isEmpty { body = bytes } else { body.append(contentsOf: bytes) }
  }

  private func handle() {
    guard let head else { return }
    phase = .handling
    timer.clear()
    let request = HTTPRequest(
      head, body: body, remoteAddress: tcp.remoteAddress, isSecure: tcp.isSecure, id: worker.requestID())
    self.head = nil
    body = []
    task = loop.spawn { [self] in await answer(request) }
  }

  // MARK: - After a response

  /// The handler has come to its end; its request is no longer held.
  func handlerEnded() {
    task = nil
    releaseBody()
    if phase == .closed { worker.remove(self) }
  }

  private func releaseBody() {
    worker.release(heldBytes)
    heldBytes = 0
    body = []
  }

  /// The response is written: wait for the kernel to take it, for the next request, or for the end.
  func responseEnded() {
    guard phase != .closed else { return }
    if !keepsAlive || worker.isDraining { return linger() }
    if tcp.pendingOutput > 0 {
      phase = .flushing
      expectProgress()
    } else {
      nextRequest()
    }
  }

  private func nextRequest() {
    beIdle()
    tcp.resumeReading()
    advance()
  }

  private func beIdle() {
    phase = .idle
    timer.set(worker.configuration.idleTimeout)
  }

  func refuse(_ violation: HTTPViolation) {
    worker.configuration.report(
      "a request was refused",
      ["status": String(violation.status), "reason": "\(violation)", "from": tcp.remoteAddress])
    keepsAlive = false
    head = nil
    releaseBody()
    if let response = worker.configuration.refusal?(violation), case .bytes(let bytes) = response.body {
      send(response, bytes)
    } else {
      send(HTTPResponse(status: violation.status), Array("\(violation.sentence)\n".utf8))
    }
    linger()
  }

  /// Ends the output, and drops input for a moment: a close with unread input would reset the connection, and the peer
  /// could lose the response (RFC 9112 section 9.6).
  func linger() {
    guard tcp.isOpen else { return }
    phase = .lingering
    tcp.endOutput()
    tcp.resumeReading()
    if tcp.pendingOutput > 0 {
      expectProgress()
    } else if inputHasEnded {
      tcp.close()
    } else {
      timer.set(worker.configuration.lingerTimeout)
    }
  }

  // MARK: - Deadlines

  /// The client must take 64 kB, or what there is, before the write deadline.
  func expectProgress() {
    sentAtMark = tcp.sentCount
    timer.set(worker.configuration.writeTimeout)
  }

  var awaitsProgress: Bool { timer.isSet }

  func connectionSentPending() {
    if tcp.pendingOutput > 0 {
      if tcp.sentCount - sentAtMark >= 65_536 { expectProgress() }
    } else {
      switch phase {
      case .flushing: return nextRequest()
      case .lingering: return inputHasEnded ? tcp.close() : timer.set(worker.configuration.lingerTimeout)
      case .streaming: timer.clear()
      default: break
      }
    }
    wakeWaiters()
  }

  private func deadlineCame() {
    switch phase {
    case .head: refuse(.headTooSlow)
    case .body: refuse(.bodyTooSlow)
    case .streaming, .flushing: giveUp()
    case .lingering where tcp.pendingOutput > 0: giveUp()
    case .opening, .idle, .lingering: tcp.close()
    case .handling, .closed: break
    }
  }

  private func giveUp() {
    worker.configuration.report("a client did not read its response in time", ["from": tcp.remoteAddress])
    failure = .clientIsTooSlow
    tcp.abort()
  }

  // MARK: - Ends

  func connectionInputEnded() {
    inputHasEnded = true
    switch phase {
    case .opening, .idle, .head, .body, .streaming: tcp.close()
    case .lingering: if tcp.pendingOutput == 0 { tcp.close() }
    // A client may end its side and still read the response.
    case .handling, .flushing, .closed: break
    }
  }

  func connectionClosed() {
    let isStreaming = phase == .streaming
    phase = .closed
    timer.invalidate()
    wakeWaiters()
    // A handler that is not streaming is left to finish what it does; nobody will read its answer.
    if isStreaming { task?.cancel() }
    guard task == nil else { return }
    releaseBody()
    worker.remove(self)
  }

  /// The server stops. A request that has arrived is still answered.
  func drain() {
    if phase == .idle { tcp.readNow() }
    switch phase {
    case .opening, .idle: tcp.close()
    case .streaming where isEventStream: task?.cancel()
    default: break
    }
  }

  var isEventStream = false

  /// The time for a stop is over.
  func cancel() {
    task?.cancel()
    tcp.abort()
  }
}

extension Int64 {
  fileprivate func multipliedSaturating(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
