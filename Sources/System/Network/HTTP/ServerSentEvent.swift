/// One event of an event stream (WHATWG HTML section 9.2).
package struct ServerSentEvent: Sendable, Equatable {
  /// What the client sends as `Last-Event-ID` when it comes back.
  package var id: String?
  /// The name of the event; clients take nil for `message`.
  package var event: String?
  package var data: String

  package init(id: String? = nil, event: String? = nil, data: String) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// As it goes over the wire. Line breaks in `data` make more `data` lines; in `id` and `event` they are left out, as
  /// they would begin another field.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 64)
    func append(_ field: String, _ value: some Sequence<UInt8>) {
      bytes.append(contentsOf: field.utf8)
      bytes.append(contentsOf: value)
      bytes.append(0x0A)
    }
    if let id { append("id: ", id.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }) }
    if let event { append("event: ", event.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }) }
    for line in Self.lines(data) { append("data: ", line) }
    bytes.append(0x0A)
    return bytes
  }

  /// A line that clients pass over; sent now and then, it keeps proxies from closing the stream.
  package static func comment(_ text: String) -> [UInt8] {
    lines(text).flatMap { Array(": ".utf8) + $0 + [0x0A] } + [0x0A]
  }

  /// CR LF, LF and CR each end a line.
  private static func lines(_ text: String) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case 0x0A where previous == 0x0D: break
      case 0x0A, 0x0D: lines.append([])
      default: lines[lines.count - 1].append(byte)
      }
      previous = byte
    }
    return lines
  }
}
