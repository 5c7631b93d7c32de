import CLinux
import Foundation

/// Who is told what happens on a connection. *On the loop.*
package protocol TCPConnectionDelegate: AnyObject {
  /// The connection can be used: at once, or after the TLS handshake.
  func connectionOpened()
  /// Valid during the call only.
  func connectionReceived(_ bytes: UnsafeRawBufferPointer)
  /// The peer will send no more; it may still read.
  func connectionInputEnded()
  /// Some of the pending output was taken by the kernel.
  func connectionSentPending()
  /// The connection is over; nothing follows.
  func connectionClosed()
}

/// One accepted TCP connection, with or without TLS, on a loop. *On the loop*, all of it.
package final class TCPConnection: EventSource {
  package let loop: EventLoop
  package let remoteAddress: String
  package var isSecure: Bool { tls != nil }

  private var descriptor: Int32
  private var tls: TLSSession?
  private var isHandshaking: Bool
  private var delegate: (any TCPConnectionDelegate)?
  private var output = OutputQueue()
  private var interest: Readiness = []
  private var isReading = true
  private var inputHasEnded = false
  private var peerCloseIsSeen = false
  private var readWantsOutput = false
  private var endsOutput = false

  /// Takes the descriptor over.
  /// - Throws: when the descriptor can not be watched or TLS can not begin; the descriptor is closed then.
  package init(
    loop: EventLoop, descriptor: Int32, remoteAddress: String, tls context: TLSContext?
  ) throws(SystemError) {
    self.loop = loop
    self.descriptor = descriptor
    self.remoteAddress = remoteAddress
    isHandshaking = context != nil
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
    // A peer that vanished without a word is given up after two minutes of silence.
    var idle: Int32 = 60
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, &idle, socklen_t(MemoryLayout<Int32>.size))
    var milliseconds: UInt32 = 120_000
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
    guard let context else { return }
    guard let session = TLSSession(context, descriptor: descriptor) else {
      Foundation.close(descriptor)
      self.descriptor = -1
      throw SystemError("SSL_new", code: ENOMEM)
    }
    tls = session
  }

  deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

  /// Begins; the connection and its delegate hold one another until the connection is closed.
  package func start(_ delegate: any TCPConnectionDelegate) throws(SystemError) {
    self.delegate = delegate
    interest = [.input, .peerClosed]
    do { try loop.register(descriptor, self, interest) } catch {
      self.delegate = nil
      throw error
    }
    if !isHandshaking { delegate.connectionOpened() }
  }

  package var isOpen: Bool { descriptor >= 0 }

  /// Bytes written here that the kernel has not taken.
  package var pendingOutput: Int { output.count }

  /// Pending bytes that the kernel has taken since the beginning; what it took at once does not count.
  package private(set) var sentCount = 0

  // MARK: - Output

  /// Sends, or keeps what the kernel will not take now.
  package func write(_ bytes: [UInt8]) {
    guard isOpen, !endsOutput else { return }
    let sent = output.isEmpty ? bytes.withUnsafeBytes { send($0) } : 0
    guard isOpen, sent < bytes.count else { return }
    output.append(bytes, skipping: sent)
    updateInterest()
  }

  /// Ends the output after everything pending: FIN, and close_notify before it under TLS.
  package func endOutput() {
    guard isOpen, !endsOutput else { return }
    endsOutput = true
    if output.isEmpty { shutDownOutput() }
  }

  private func shutDownOutput() {
    tls?.shutdown()
    shutdown(descriptor, Int32(SHUT_WR))
  }

  private func flush() {
    guard !output.isEmpty else { return }
    var progressed = false
    while isOpen, !output.isEmpty {
      let sent = output.withFirst { send($0) }
      if sent == 0 { break }
      guard isOpen else { return }
      output.drop(sent)
      sentCount &+= sent
      progressed = true
    }
    guard isOpen else { return }
    if output.isEmpty, endsOutput { shutDownOutput() }
    updateInterest()
    if progressed { delegate?.connectionSentPending() }
  }

  /// How many bytes were taken; closes on an error.
  private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
    var total = 0
    while total < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[total...])
      if let tls {
        switch tls.write(rest) {
        case .bytes(let count):
          total += count
          continue
        case .wantsInput, .wantsOutput: return total
        case .ended, .failed:
          close()
          return total
        }
      }
      let count = Foundation.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      if count >= 0 {
        total += count
        if count < rest.count { return total }
      } else if errno == EINTR {
        continue
      } else {
        if errno != EAGAIN { close() }
        return total
      }
    }
    return total
  }

  // MARK: - Input

  /// Leaves further bytes in the kernel, so that a peer that sends too much has to wait.
  package func pauseReading() {
    guard isReading else { return }
    isReading = false
    updateInterest()
  }

  package func resumeReading() {
    guard isOpen, !isReading else { return }
    isReading = true
    updateInterest()
    if tls?.hasPendingInput == true { readSoon() }
  }

  /// Reads now what has arrived but was not announced yet.
  package func readNow() {
    guard isOpen, isReading, !isHandshaking, !inputHasEnded else { return }
    read()
  }

  private func readSoon() {
    let connection = Confined(self)
    loop.execute { connection.value.readNow() }
  }

  private func read() {
    // A few buffers, then the others have their turn; epoll tells again.
    for _ in 0..<4 {
      guard isOpen, isReading, !inputHasEnded else { return }
      let count: Int
      if let tls {
        readWantsOutput = false
        switch tls.read(into: loop.scratch) {
        case .bytes(let bytes): count = bytes
        case .wantsInput: return
        case .wantsOutput:
          readWantsOutput = true
          return updateInterest()
        case .ended: return endInput()
        case .failed: return close()
        }
      } else {
        count = recv(descriptor, loop.scratch.baseAddress, loop.scratch.count, 0)
        if count == 0 { return endInput() }
        if count < 0 {
          if errno == EINTR { continue }
          if errno != EAGAIN { close() }
          return
        }
      }
      delegate?.connectionReceived(UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
      if tls == nil, count < loop.scratch.count, !peerCloseIsSeen { return }
    }
    if isOpen, isReading, tls?.hasPendingInput == true { readSoon() }
  }

  private func endInput() {
    guard !inputHasEnded else { return }
    inputHasEnded = true
    updateInterest()
    delegate?.connectionInputEnded()
  }

  // MARK: - Events

  package func ready(_ events: Readiness) {
    if events.contains(.error) { return close() }
    if isHandshaking { return handshake() }
    if events.contains(.output) || readWantsOutput { flush() }
    if isOpen, events.contains(.input) || readWantsOutput { read() }
    guard isOpen else { return }
    if events.contains(.peerClosed), !peerCloseIsSeen {
      peerCloseIsSeen = true
      updateInterest()
      // While reading is paused nobody comes to the end of the input; it is told all the same.
      if isReading { read() } else { endInput() }
    }
    guard isOpen else { return }
    if events.contains(.hangUp) { close() }
  }

  private func handshake() {
    guard let tls else { return }
    switch tls.handshake() {
    case .bytes:
      isHandshaking = false
      readWantsOutput = false
      updateInterest()
      delegate?.connectionOpened()
      if isOpen, tls.hasPendingInput { read() }
    case .wantsInput:
      readWantsOutput = false
      updateInterest()
    case .wantsOutput:
      readWantsOutput = true
      updateInterest()
    case .ended, .failed: close()
    }
  }

  private func updateInterest() {
    guard isOpen else { return }
    var wanted: Readiness = []
    if isReading, !inputHasEnded { wanted.insert(.input) }
    if !output.isEmpty || readWantsOutput { wanted.insert(.output) }
    if !peerCloseIsSeen { wanted.insert(.peerClosed) }
    guard wanted != interest else { return }
    interest = wanted
    loop.change(descriptor, to: wanted)
  }

  package func loopIsStopping() { close() }

  /// Drops what is pending and resets the connection, so that the kernel keeps nothing for a peer that does not read.
  package func abort() {
    guard isOpen else { return }
    clinux_reset_on_close(descriptor)
    close()
  }

  package func close() {
    guard isOpen else { return }
    loop.deregister(descriptor)
    tls = nil
    Foundation.close(descriptor)
    descriptor = -1
    output.removeAll()
    let delegate = self.delegate
    self.delegate = nil
    delegate?.connectionClosed()
  }
}

/// Carries something that belongs to a loop through a block that runs on that loop.
struct Confined<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
