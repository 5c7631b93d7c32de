/// Writes the head of a response.
struct HTTPResponseHead {
  enum Framing {
    /// No body and no length: 204, 304 (RFC 9110 section 8.6).
    case none
    case length(Int)
    case chunked
    /// The end of the connection ends the body: HTTP/1.0.
    case untilClose
  }

  var status: Int
  var headers: HTTPHeaders
  var framing: Framing
  var closes: Bool
  /// An HTTP/1.0 client must be told that the connection lives.
  var saysKeepAlive: Bool

  /// - Parameter date: the whole Date line.
  /// - Returns: false when a field can not be sent as it is; `bytes` is as it was then.
  func append(to bytes: inout [UInt8], date: [UInt8]) -> Bool {
    guard 200...599 ~= status else { return false }
    let start = bytes.count
    bytes.append(contentsOf: HTTPStatus.line(status))
    bytes.append(contentsOf: date)
    switch framing {
    case .none: break
    case .length(let length):
      bytes.append(contentsOf: Self.contentLength)
      Self.append(length, to: &bytes)
      bytes.append(contentsOf: Self.lineEnd)
    case .chunked: bytes.append(contentsOf: Self.chunked)
    case .untilClose: break
    }
    if closes {
      bytes.append(contentsOf: Self.close)
    } else if saysKeepAlive {
      bytes.append(contentsOf: Self.keepAlive)
    }
    let isSound = headers.bytes.withUnsafeBufferPointer { source in
      headers.fields.allSatisfy { Self.append($0, of: source, to: &bytes) }
    }
    guard isSound else {
      bytes.removeLast(bytes.count - start)
      return false
    }
    bytes.append(contentsOf: Self.lineEnd)
    return true
  }

  private static let contentLength = Array("Content-Length: ".utf8)
  private static let chunked = Array("Transfer-Encoding: chunked\r\n".utf8)
  private static let close = Array("Connection: close\r\n".utf8)
  private static let keepAlive = Array("Connection: keep-alive\r\n".utf8)
  private static let lineEnd = Array("\r\n".utf8)

  private static func append(
    _ field: HTTPHeaders.Field, of source: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
  ) -> Bool {
    let name = UnsafeBufferPointer(rebasing: source[field.name])
    let value = UnsafeBufferPointer(rebasing: source[field.value])
    guard !name.isEmpty, name.allSatisfy(HTTPSyntax.isToken), value.allSatisfy(HTTPSyntax.isFieldValue) else {
      return false
    }
    if isOurs(name) { return true }
    bytes.append(contentsOf: name)
    bytes.append(0x3A)
    bytes.append(0x20)
    bytes.append(contentsOf: value)
    bytes.append(0x0D)
    bytes.append(0x0A)
    return true
  }

  /// The server alone knows how long the body is and how the connection goes on.
  private static func isOurs(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 4: HTTPSyntax.equal(name, "date")
    case 10: HTTPSyntax.equal(name, "connection") || HTTPSyntax.equal(name, "keep-alive")
    case 14: HTTPSyntax.equal(name, "content-length")
    case 17: HTTPSyntax.equal(name, "transfer-encoding")
    default: false
    }
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
