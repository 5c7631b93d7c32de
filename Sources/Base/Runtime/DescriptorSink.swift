import Foundation

/// Writes log lines to a file descriptor: standard error, unless a test says otherwise.
///
/// A reader that stands still does not hold up the program: after a short wait lines are dropped and counted, and the
/// count is written when there is room again.
package final class DescriptorSink: LogSink {
  private struct State {
    var dropped = 0
  }

  /// What POSIX promises to write in one piece into a pipe that polls as writable.
  private static let piece = 4096

  private let descriptor: Int32
  private let format: LogFormat
  private let patience: Int32
  private let state = Lock(State())

  /// - Parameters:
  ///   - descriptor: stays open for the life of the sink; it is not closed.
  ///   - patience: milliseconds to wait for a reader before a line is dropped.
  package init(_ descriptor: Int32 = 2, format: LogFormat = .text, patience: Int32 = 50) {
    self.descriptor = descriptor
    self.format = format
    self.patience = patience
  }

  package func write(_ record: LogRecord) {
    let line = Array(record.rendered(as: format).utf8)
    state.withLock { state in
      // Whoever is stalled already is not waited for again.
      guard hasRoom(wait: state.dropped == 0 ? patience : 0) else {
        state.dropped += 1
        return
      }
      if state.dropped > 0 {
        let notice = LogRecord(
          at: record.at, level: .warning, label: "log", sentence: "Log lines were dropped, as nobody read them.",
          metadata: [.init(key: "count", value: .integer(Int64(state.dropped)))])
        state.dropped = 0
        put(Array(notice.rendered(as: format).utf8))
      }
      put(line)
    }
  }

  private func hasRoom(wait: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Foundation.poll(&poll, 1, wait) > 0 && poll.revents & Int16(POLLOUT) != 0
  }

  private func put(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty {
      if rest.startIndex > 0, !hasRoom(wait: patience) { return }
      let written = rest.prefix(Self.piece).withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        return
      }
      rest = rest.dropFirst(written)
    }
  }
}
