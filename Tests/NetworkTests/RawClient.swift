import Foundation
import Network

/// A blocking client that sends exactly the bytes it is told to. Use it inside `blocking`.
final class RawClient: @unchecked Sendable {
  struct Failure: Error, CustomStringConvertible { var description: String }

  struct Answer: Equatable {
    var status: Int
    var head: String
    var body: String

    func header(_ name: String) -> String? {
      for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ":") {
        return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
      }
      return nil
    }
  }

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isOpen = true

  /// - Parameter window: the receive buffer, where a client that reads slowly is wanted.
  init(port: Int, window: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      Foundation.close(descriptor)
      isOpen = false
      throw Failure(description: "connect: \(code)")
    }
  }

  deinit { close() }

  func close() {
    if isOpen { Foundation.close(descriptor) }
    isOpen = false
  }

  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// - Returns: false when the peer has closed.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0x4000) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// One more piece, at most `limit` bytes; nil at the end, also after a reset.
  private func receive(_ limit: Int = 65_536) throws -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &piece, limit, 0)
    if count > 0 { return Array(piece[..<count]) }
    if count < 0, errno == EAGAIN { throw Failure(description: "nothing came for ten seconds") }
    return nil
  }

  /// What poll(2) says at once.
  func poll(events: Int16) -> Int16 {
    var state = pollfd(fd: descriptor, events: events, revents: 0)
    return Foundation.poll(&state, 1, 0) > 0 ? state.revents : 0
  }

  /// Everything until the peer closes.
  func readToEnd() throws -> String {
    while let piece = try receive() { buffer += piece }
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  func read(upTo text: String) throws -> String {
    let mark = Array(text.utf8)
    while true {
      if let index = buffer.indices.first(where: { buffer[$0...].starts(with: mark) }) {
        defer { buffer.removeFirst(index + mark.count) }
        return String(decoding: buffer[..<(index + mark.count)], as: UTF8.self)
      }
      guard let piece = try receive() else {
        throw Failure(description: "closed after: \(String(decoding: buffer, as: UTF8.self))")
      }
      buffer += piece
    }
  }

  func read(count: Int) throws -> String {
    while buffer.count < count {
      guard let piece = try receive() else { throw Failure(description: "closed after \(buffer.count) bytes") }
      buffer += piece
    }
    defer { buffer.removeFirst(count) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// One whole answer. - Parameter hasBody: false for HEAD.
  func answer(hasBody: Bool = true) throws -> Answer {
    let head = try read(upTo: "\r\n\r\n")
    guard let status = Int(head.dropFirst(9).prefix(3)) else { throw Failure(description: head) }
    var answer = Answer(status: status, head: head, body: "")
    if !hasBody || status < 200 || status == 204 || status == 304 { return answer }
    if let length = answer.header("Content-Length").flatMap({ Int($0) }) {
      answer.body = try read(count: length)
    } else if answer.header("Transfer-Encoding") == "chunked" {
      // CR LF is one Character.
      while let size = Int(try read(upTo: "\r\n").dropLast(), radix: 16) {
        answer.body += try read(count: size)
        guard try read(upTo: "\r\n") == "\r\n" else { throw Failure(description: "a chunk without an end") }
        if size == 0 { break }
      }
    } else {
      answer.body = try readToEnd()
    }
    return answer
  }

  func get(_ target: String) throws -> Answer {
    send("GET \(target) HTTP/1.1\r\nHost: test\r\n\r\n")
    return try answer()
  }
}

/// Runs blocking code on a thread that no task needs.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { waiter in
    Thread.detachNewThread { waiter.resume(with: Swift.Result { try body() }) }
  }
}

/// Opens once; then everybody passes.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  func pass() async {
    if !isOpen { await withCheckedContinuation { waiters.append($0) } }
  }

  /// - Returns: false when the gate stayed closed for ten seconds.
  func passes() async -> Bool {
    for _ in 0..<1000 {
      if isOpen { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}

/// Starts a server on a free port, runs `body`, and stops the server gracefully.
func withServer(
  _ router: Router, _ configuration: HTTPServer.Configuration = .init(), loops count: Int = 1,
  _ body: @escaping @Sendable (_ port: Int) async throws -> Void
) async throws {
  let loops = try EventLoopGroup(count: count)
  let server = HTTPServer(configuration: configuration, loops: loops, router: router)
  let (_, port) = try await server.start()
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await server.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body(port)) } catch { result = .failure(error) }
    group.cancelAll()
    try await group.waitForAll()
    try result.get()
  }
  loops.stop()
}

/// `/hello`, `/echo` and `/photo` (which takes more).
func sampleRouter() -> Router {
  var router = Router()
  router.on("GET", "/hello") { _ in HTTPResponse(text: "hello") }
  router.on("POST", "/echo") { HTTPResponse(contentType: "text/plain", bytes: $0.body) }
  router.on("POST", "/photo", maximumBody: 4 << 20) { HTTPResponse(text: String($0.body.count)) }
  return router
}
