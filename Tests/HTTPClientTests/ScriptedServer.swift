import Foundation
import Runtime

/// A server on loopback that does what a script says, to the byte: one thread a connection, blocking sockets.
final class ScriptedServer: Sendable {
  /// A connection as the script sees it.
  struct Connection {
    let socket: Int32
    /// Counts the server's connections from 0.
    let number: Int
    fileprivate let server: ScriptedServer

    /// Reads one request, head and body; nil when the client has closed. The server notes it.
    func read() -> String? {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        if let whole = Self.whole(bytes) {
          server.state.withLock { $0.requests.append(whole) }
          return whole
        }
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        bytes += buffer[..<count]
      }
    }

    func readByte() {
      var byte: UInt8 = 0
      recv(socket, &byte, 1, 0)
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes { send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        sent += count
      }
    }

    func answer(_ body: String = "OK", status: String = "200 OK", headers: [String] = []) {
      let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
      write(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Waits until `release()`.
    func waitForRelease() { server.gate.wait() }

    /// Closes with a reset instead of an end.
    func reset() {
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    /// Waits until the client closes.
    func waitForClose() {
      var byte: UInt8 = 0
      while recv(socket, &byte, 1, 0) > 0 {}
    }

    private static func whole(_ bytes: [UInt8]) -> String? {
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { return nil }
      var length = 0
      for line in text[..<end.lowerBound].split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:")
      {
        length = Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0
      }
      return text[end.upperBound...].utf8.count >= length ? text : nil
    }
  }

  private struct State {
    var requests: [String] = []
    var connections = 0
    var open: Set<Int32> = []
    var isStopped = false
  }

  private let state = Lock(State())
  private let gate = DispatchSemaphore(value: 0)
  private let listener: Int32
  let port: Int

  var requests: [String] { state.withLock { $0.requests } }
  var connections: Int { state.withLock { $0.connections } }
  func url(_ path: String = "/", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

  /// Answers every request with 200 and `OK`.
  static let polite: @Sendable (Connection) -> Void = { connection in
    while connection.read() != nil { connection.answer() }
  }

  init(_ script: @escaping @Sendable (Connection) -> Void = ScriptedServer.polite) throws {
    (listener, port) = try Self.listen()
    let thread = Thread { [self] in
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else {
          // Here and not where it is stopped: the number could be another server's by then, and be accepted from.
          close(listener)
          return
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        let number = state.withLock { state in
          defer { state.connections += 1 }
          state.open.insert(socket)
          return state.connections
        }
        Thread {
          script(Connection(socket: socket, number: number, server: self))
          self.state.withLock { _ = $0.open.remove(socket) }
          close(socket)
        }.start()
      }
    }
    thread.start()
  }

  func stopListening() {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    guard isFirst else { return }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Ends every connection and thread.
  func stop() {
    stopListening()
    gate.signal()
    state.withLock { for socket in $0.open { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  /// Lets one connection go on that stands at `waitForRelease()`.
  func release() { gate.signal() }

  /// Waits, with a limit, until the server has noted so many requests.
  func waitForRequests(_ count: Int) async throws {
    for _ in 0..<1000 where requests.count < count { try await Task.sleep(for: .milliseconds(10)) }
  }

  /// A port at which nobody listens, for as long as this is not asked again.
  static func closedPort() throws -> Int {
    let (socket, port) = try listen()
    close(socket)
    return port
  }

  private static func listen() throws -> (socket: Int32, port: Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && Glibc.listen(listener, 256) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }
}
