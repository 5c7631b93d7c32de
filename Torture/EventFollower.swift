import Formats
import Foundation
import Runtime

/// Follows the account's events through every restart, as an app does: with the id of the last one it saw.
final class EventFollower: Sendable {
  struct Seen: Sendable {
    var sequences: [Int64] = []
    /// How often a message was said to have come to a final state.
    var finals: [String: Int] = [:]
    var resets = 0
    var connections = 0
    fileprivate var lastID: String?
  }

  private let state = Lock(Seen())
  private let exchange: Lock<String>
  private let key: String

  init(exchange: Lock<String>, key: String) {
    self.exchange = exchange
    self.key = key
  }

  var seen: Seen { state.withLock { $0 } }

  /// Until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      if let descriptor = connect() {
        await read(descriptor)
        close(descriptor)
      }
      try? await Task.sleep(for: .milliseconds(30))
    }
  }

  private func connect() -> Int32? {
    guard let port = URL(string: exchange.withLock { $0 })?.port else { return nil }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = in_port_t(port).bigEndian
    target.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &target) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // From the very beginning at first.
    let last = state.withLock { $0.lastID } ?? "account:0"
    let request = Array(
      "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(key)\r\nLast-Event-ID: \(last)\r\n\r\n"
        .utf8)
    guard connected == 0, Foundation.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) > 0 else {
      close(descriptor)
      return nil
    }
    state.withLock { $0.connections += 1 }
    return descriptor
  }

  private func read(_ descriptor: Int32) async {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var line: [UInt8] = []
    while !Task.isCancelled {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count == 0 || count < 0 && errno != EAGAIN { return }
      if count < 0 {
        try? await Task.sleep(for: .milliseconds(10))
        continue
      }
      for byte in buffer.prefix(count) {
        if byte == 0x0A {
          take(String(decoding: line, as: UTF8.self))
          line.removeAll(keepingCapacity: true)
        } else if byte != 0x0D {
          line.append(byte)
        }
      }
    }
  }

  private static let finals: Set<String> = [
    "message.delivered", "message.rejected", "message.undeliverable", "message.expired", "message.cancelled",
    "message.unknown",
  ]

  /// A line of a stream; the lines of chunk sizes between them are none.
  private func take(_ line: String) {
    state.withLock { seen in
      if line == "event: reset" { seen.resets += 1 }
      guard line.hasPrefix("data: "), let event = try? JSON.parse(Array(line.utf8.dropFirst(6))),
        let sequence = event["seq"]?.integer
      else { return }
      seen.sequences.append(sequence)
      seen.lastID = "account:\(sequence)"
      if let type = event["type"]?.string, Self.finals.contains(type), let id = event["data"]?["id"]?.string {
        seen.finals[id, default: 0] += 1
      }
    }
  }
}
