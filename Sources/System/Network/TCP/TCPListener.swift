import CLinux
import Foundation

/// A listening TCP socket on a loop. After `init`, used on that loop only.
package final class TCPListener: EventSource, @unchecked Sendable {
  package let port: Int
  private let loop: EventLoop
  private let report: @Sendable (String, [String: String]) -> Void
  private var descriptor: Int32
  private var accepted: ((_ descriptor: Int32, _ remoteAddress: String) -> Void)?
  private var isPaused = false
  private lazy var pause = LoopTimer(loop: loop) { [weak self] in self?.resume() }

  /// Binds and listens; nothing is accepted before `start`.
  /// - Parameter port: 0 takes a free one.
  package init(
    loop: EventLoop, host: String, port: Int, backlog: Int32 = 1024,
    report: @escaping @Sendable (String, [String: String]) -> Void
  ) throws(SystemError) {
    var failure = SystemError("bind", code: EADDRNOTAVAIL)
    for address in try SocketAddress.resolve(host: host, port: port) {
      do throws(SystemError) {
        descriptor = try Self.listen(address, backlog: backlog)
        self.port = SocketAddress.port(of: descriptor)
        self.loop = loop
        self.report = report
        return
      } catch { failure = error }
    }
    throw failure
  }

  private static func listen(_ address: [UInt8], backlog: Int32) throws(SystemError) -> Int32 {
    let family = address.withUnsafeBytes { $0.loadUnaligned(as: sockaddr.self).sa_family }
    let descriptor = clinux_stream_socket(Int32(family))
    guard descriptor >= 0 else { throw SystemError("socket") }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let bound = address.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, socklen_t(bytes.count)) }
    }
    if bound == 0, Foundation.listen(descriptor, backlog) == 0 { return descriptor }
    let error = SystemError(bound == 0 ? "listen" : "bind")
    Foundation.close(descriptor)
    throw error
  }

  deinit { if descriptor >= 0 { Foundation.close(descriptor) } }

  /// From now on each connection's descriptor goes to `accepted`, which owns it. *On the loop.*
  package func start(
    _ accepted: @escaping (_ descriptor: Int32, _ remoteAddress: String) -> Void
  ) throws(SystemError) {
    self.accepted = accepted
    try loop.register(descriptor, self, .input)
  }

  /// Connections wait in the kernel until `resume`. *On the loop.*
  package func suspend() {
    guard descriptor >= 0, !isPaused else { return }
    isPaused = true
    loop.change(descriptor, to: [])
  }

  /// *On the loop.*
  package func resume() {
    guard descriptor >= 0, isPaused else { return }
    isPaused = false
    loop.change(descriptor, to: .input)
  }

  /// Accepts what the kernel already holds, then stops listening. *On the loop.*
  package func close() {
    guard descriptor >= 0 else { return }
    if accepted != nil, !isPaused { accept(atMost: 4096) }
    accepted = nil
    pause.invalidate()
    loop.deregister(descriptor)
    Foundation.close(descriptor)
    descriptor = -1
  }

  package func ready(_ events: Readiness) { accept(atMost: 64) }

  package func loopIsStopping() { close() }

  private func accept(atMost limit: Int) {
    var storage = sockaddr_storage()
    for _ in 0..<limit {
      guard descriptor >= 0, !isPaused else { return }
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let (connection, remoteAddress) = withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          let connection = clinux_accept(descriptor, address, &length)
          return (connection, connection < 0 ? "" : SocketAddress.host(of: address, length: length))
        }
      }
      if connection >= 0 {
        accepted?(connection, remoteAddress)
        continue
      }
      switch errno {
      case EAGAIN: return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // The socket stays readable: without a pause the loop would spin on it.
        report(
          "no connection could be accepted; trying again in a moment", ["error": SystemError("accept").description])
        suspend()
        pause.set(milliseconds: 250)
        return
      default: continue  // This one connection was gone before it was accepted (accept(2), errors of the network).
      }
    }
  }
}
