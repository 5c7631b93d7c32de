import Formats
import Foundation

/// An event stream read from a plain socket.
final class RawEventStream: Sendable {
  private let descriptor: Int32

  init(_ address: String, key: String, lastEventID: String? = nil) throws {
    guard let url = URL(string: address), let port = url.port else { throw Failure("\(address) has no port") }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = in_port_t(port).bigEndian
    target.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &target) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure("no connection") }
    var wait = timeval(tv_sec: 0, tv_usec: 20_000)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    let resume = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    let request =
      "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(key)\r\n\(resume)\r\n"
    _ = Array(request.utf8).withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
    self.descriptor = descriptor
    // The stream stands once its first comment is there: what happens from then on is on it.
    let end = ContinuousClock.now + .seconds(20)
    var text = ""
    while !text.contains(": open") {
      guard ContinuousClock.now < end else { throw Failure("the stream did not open: \(text)") }
      text += Self.read(descriptor)
    }
    first = text
  }

  private let first: String

  deinit { close(descriptor) }

  private static func read(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : ""
  }

  /// The types of the events that come, until `isDone` has seen enough.
  func events(until isDone: ([String]) -> Bool, within limit: Duration = .seconds(20)) async throws -> [String] {
    let end = ContinuousClock.now + limit
    var text = first
    while ContinuousClock.now < end {
      text += Self.read(descriptor)
      let types = text.matches(of: /"type":"([^"]+)"/).map { String($0.1) }
      if isDone(types) { return types }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Failure("the events did not come: \(text)")
  }
}
