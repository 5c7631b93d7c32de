import Foundation

extension HTTPConnection {
  private static let lastChunk = Array("0\r\n\r\n".utf8)
  private static let roomLimit = 65_536

  /// The task of one request.
  func answer(_ request: HTTPRequest) async {
    let response = await worker.handler(request)
    guard phase == .handling else { return handlerEnded() }
    switch response.body {
    case .bytes(let bytes):
      send(response, bytes)
      handlerEnded()
      responseEnded()
    case .stream(let write):
      guard beginStream(response) else {
        handlerEnded()
        responseEnded()
        return
      }
      do {
        try await write(HTTPBodyWriter(self, stream: stream))
        endStream()
      } catch {
        cutStream()
      }
    }
  }

  // MARK: - All at once

  /// Head and body, or the head alone where the request or the status forbids a body.
  func send(_ response: HTTPResponse, _ bytes: [UInt8]) {
    let hasNoBody = response.status == 204 || response.status == 304
    worker.output.removeAll(keepingCapacity: true)
    guard appendHead(of: response, hasNoBody ? .none : .length(bytes.count)) else { return sendUnfit() }
    if isHead || hasNoBody {
      tcp.write(worker.output)
    } else if bytes.count <= 16_384 {
      worker.output.append(contentsOf: bytes)
      tcp.write(worker.output)
    } else {
      tcp.write(worker.output)
      tcp.write(bytes)
    }
  }

  private func appendHead(of response: HTTPResponse, _ framing: HTTPResponseHead.Framing) -> Bool {
    if case .untilClose = framing { keepsAlive = false }
    if keepsAlive, response.headers.hasToken("connection", "close") { keepsAlive = false }
    let head = HTTPResponseHead(
      status: response.status, headers: response.headers, framing: framing, closes: !keepsAlive || worker.isDraining,
      saysKeepAlive: version == 0)
    return head.append(to: &worker.output, date: worker.date())
  }

  /// A handler made an answer that can not be written.
  private func sendUnfit() {
    worker.configuration.report("a handler's answer was not fit to be sent; 500 was sent", [:])
    keepsAlive = false
    send(HTTPResponse(status: 500, text: "The server made an answer that it could not send.\n"), [])
  }

  // MARK: - Piece by piece

  /// - Returns: false when there is nothing to write; the response is complete then.
  private func beginStream(_ response: HTTPResponse) -> Bool {
    let hasNoBody = response.status == 204 || response.status == 304
    worker.output.removeAll(keepingCapacity: true)
    let framing: HTTPResponseHead.Framing = hasNoBody ? .none : version == 1 ? .chunked : .untilClose
    guard appendHead(of: response, framing) else {
      sendUnfit()
      return false
    }
    tcp.write(worker.output)
    if isHead || hasNoBody { return false }
    stream += 1
    phase = .streaming
    isEventStream = response.isEventStream
    if tcp.pendingOutput > 0 { expectProgress() }
    if worker.isDraining, isEventStream { task?.cancel() }
    if inputHasEnded { tcp.close() }
    return true
  }

  private func endStream() {
    let isWhole = phase == .streaming
    if isWhole, version == 1 { tcp.write(Self.lastChunk) }
    stream += 1
    failWaiters(.hasEnded)
    handlerEnded()
    // It may have been closed by the write.
    if isWhole, phase == .streaming { responseEnded() }
  }

  /// Without the last chunk the client sees that the body is not whole. Before HTTP/1.1 only a reset tells.
  private func cutStream() {
    let isOpen = phase == .streaming
    stream += 1
    failWaiters(.hasEnded)
    if isOpen {
      if version == 1, worker.isDraining || isEventStream { linger() } else { tcp.abort() }
    }
    handlerEnded()
  }

  /// - Returns: whether the writer may go on at once; otherwise it must wait for room.
  func writePiece(_ bytes: [UInt8], of stream: Int) throws(HTTPStreamError) -> Bool {
    guard stream == self.stream, phase == .streaming else { throw phase == .closed ? failure : .hasEnded }
    if bytes.isEmpty { return true }
    if version == 1 {
      var chunk = Array(String(bytes.count, radix: 16).utf8)
      chunk.reserveCapacity(chunk.count + bytes.count + 4)
      chunk.append(contentsOf: [0x0D, 0x0A])
      chunk.append(contentsOf: bytes)
      chunk.append(contentsOf: [0x0D, 0x0A])
      tcp.write(chunk)
    } else {
      tcp.write(bytes)
    }
    guard tcp.isOpen else { throw failure }
    if tcp.pendingOutput > 0, !awaitsProgress { expectProgress() }
    return tcp.pendingOutput <= Self.roomLimit
  }

  func waitForRoom(_ waiter: CheckedContinuation<Void, any Error>) {
    waiters.append(waiter)
    wakeWaiters()
  }

  private func failWaiters(_ error: HTTPStreamError) {
    let failed = waiters
    waiters = []
    for waiter in failed { waiter.resume(throwing: error) }
  }

  func wakeWaiters() {
    guard !waiters.isEmpty else { return }
    if phase == .closed {
      failWaiters(failure)
    } else if tcp.pendingOutput <= Self.roomLimit {
      let ready = waiters
      waiters = []
      for waiter in ready { waiter.resume() }
    }
  }
}
