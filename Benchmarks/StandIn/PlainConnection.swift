import Network

/// HTTP/1.1 as far as these programs speak it: one message at a time, with a Content-Length or without a body.
/// *On the loop*, all of it.
final class PlainConnection: TCPConnectionDelegate {
  private let received: (ArraySlice<UInt8>) -> [UInt8]?
  private let ended: () -> Void
  private var connection: TCPConnection?
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - received: gets each whole message, and may return what is sent at once.
  ///   - ended: told when the connection is over.
  init(ended: @escaping () -> Void = {}, received: @escaping (ArraySlice<UInt8>) -> [UInt8]?) {
    self.received = received
    self.ended = ended
  }

  func start(loop: EventLoop, descriptor: Int32) throws {
    let connection = try TCPConnection(loop: loop, descriptor: descriptor, remoteAddress: "127.0.0.1", tls: nil)
    self.connection = connection
    try connection.start(self)
  }

  func write(_ bytes: [UInt8]) { connection?.write(bytes) }

  func connectionOpened() {}

  func connectionReceived(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(contentsOf: bytes)
    while let end = Self.end(of: buffer) {
      let message = buffer[..<end]
      if let answer = received(message) { write(answer) }
      buffer.removeFirst(end)
    }
  }

  func connectionInputEnded() { connection?.close() }
  func connectionSentPending() {}

  func connectionClosed() {
    connection = nil
    ended()
  }

  static func response(_ body: String) -> [UInt8] {
    Array(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  /// Where the first message ends; nil while it is not complete.
  private static func end(of buffer: [UInt8]) -> Int? {
    guard let head = FormScan.find(Array("\r\n\r\n".utf8), in: buffer[...]) else { return nil }
    var length = 0
    if let field = FormScan.find(Array("ontent-length: ".utf8), in: buffer[..<head], ignoringCase: true) {
      for byte in buffer[(field + 15)..<head] {
        guard byte >= 0x30, byte <= 0x39 else { break }
        length = length * 10 + Int(byte - 0x30)
      }
    }
    let end = head + 4 + length
    return end <= buffer.count ? end : nil
  }
}

/// Finds what it looks for in the bytes of a request, without taking the rest apart.
enum FormScan {
  /// The value of a field of a query or a form, as it was sent.
  static func value(of name: StaticString, in message: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var index = message.startIndex
    while index + name.count + 1 < message.endIndex {
      // `?`, `&`, or the line feed before a body.
      if message[index] == 0x3F || message[index] == 0x26 || message[index] == 0x0A,
        message[index + 1 + name.count] == 0x3D, message[(index + 1)..<(index + 1 + name.count)].elementsEqual(name)
      {
        let start = index + name.count + 2
        let end = message[start...].firstIndex { $0 == 0x26 || $0 == 0x20 || $0 == 0x0D } ?? message.endIndex
        return message[start..<end]
      }
      index += 1
    }
    return nil
  }

  static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>, ignoringCase: Bool = false) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return bytes.withUnsafeBufferPointer { bytes -> Int? in
      let mask: UInt8 = ignoringCase ? 0x20 : 0
      for start in 0...(bytes.count - pattern.count) {
        var matched = 0
        while matched < pattern.count, bytes[start + matched] | mask == pattern[matched] | mask { matched += 1 }
        if matched == pattern.count { return start }
      }
      return nil
    }.map { $0 + bytes.startIndex }
  }
}
