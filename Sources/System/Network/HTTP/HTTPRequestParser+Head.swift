extension HTTPRequestParser {
  /// What is known of a head whose end has not come. Offsets count from the request line, `start`.
  struct PartialHead: Sendable {
    var skippedEmptyLine = false
    var method = 0..<0
    var target = 0..<0
    var version = 1
    var fieldsStart = 0
    var fields: [HTTPHeaders.Field] = []
    var hasHost = false
    var contentLength: Int?
    var isChunked = false
    var saysClose = false
    var saysKeepAlive = false
    var expectsContinue = false

    var framing: HTTPRequestHead.Framing {
      if isChunked { return .chunked }
      return contentLength.map { .length($0) } ?? .none
    }
  }

  /// `method SP request-target SP HTTP-version` (RFC 9112 section 3).
  mutating func readRequestLine() throws(HTTPViolation) -> Step {
    guard let line = try line(limit: limits.head, tooLong: .requestLineTooLong) else { return .needsMore }
    if line.isEmpty, !head.skippedEmptyLine {
      // One empty line before a request is let pass (RFC 9112 section 2.2).
      head.skippedEmptyLine = true
      start = cursor
      return .again
    }
    let origin = start
    let (method, target, version) = try Self.reading(buffer, line) {
      (bytes) throws(HTTPViolation) -> (Range<Int>, Range<Int>, Int) in
      guard let first = bytes.firstIndex(of: HTTPSyntax.space), first > 0,
        let last = bytes.lastIndex(of: HTTPSyntax.space), last > first + 1,
        bytes[..<first].allSatisfy(HTTPSyntax.isToken)
      else { throw .malformedRequestLine }
      let version = try Self.version(bytes[(last + 1)...])
      guard bytes[(first + 1)..<last].allSatisfy(HTTPSyntax.isTarget) else { throw .invalidTarget }
      return (0..<first, first + 1..<last, version)
    }
    let offset = line.lowerBound - origin
    head.method = method.lowerBound + offset..<method.upperBound + offset
    head.target = target.lowerBound + offset..<target.upperBound + offset
    head.version = version
    head.fieldsStart = cursor - origin
    head.fields.reserveCapacity(8)
    state = .fields
    return .again
  }

  private static func version(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(HTTPViolation) -> Int {
    let digits = bytes.dropFirst(5)
    guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), digits[digits.startIndex + 1] == 0x2E,
      let major = digits.first, let minor = digits.last, 0x30...0x39 ~= major, 0x30...0x39 ~= minor
    else { throw .malformedRequestLine }
    guard major == 0x31, minor <= 0x31 else { throw .unsupportedVersion }
    return Int(minor - 0x30)
  }

  /// `field-name ":" OWS field-value OWS` (RFC 9112 section 5), or the empty line that ends the head.
  mutating func readField() throws(HTTPViolation) -> Step {
    guard let line = try line(limit: limits.head, tooLong: .headTooLarge) else { return .needsMore }
    if line.isEmpty { return .event(.head(try finishHead())) }
    if head.fields.count >= limits.fields { throw .headTooLarge }
    var partial = head
    head = PartialHead()  // So that the fields are not copied.
    let origin = line.lowerBound - start - partial.fieldsStart
    try Self.reading(buffer, line) { (bytes) throws(HTTPViolation) in
      let field = try Self.field(bytes)
      let name = UnsafeBufferPointer(rebasing: bytes[field.name])
      try partial.note(name, UnsafeBufferPointer(rebasing: bytes[field.value]))
      partial.fields.append(
        HTTPHeaders.Field(
          name: field.name.lowerBound + origin..<field.name.upperBound + origin,
          value: field.value.lowerBound + origin..<field.value.upperBound + origin))
    }
    head = partial
    return .again
  }

  /// Splits a field line and checks every character of it.
  static func field(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTPViolation) -> HTTPHeaders.Field {
    if bytes.first == HTTPSyntax.space || bytes.first == HTTPSyntax.tab { throw .foldedField }
    var colon = 0
    while colon < bytes.count, HTTPSyntax.isToken(bytes[colon]) { colon += 1 }
    guard colon > 0, colon < bytes.count, bytes[colon] == HTTPSyntax.colon else {
      throw colon < bytes.count && bytes[colon] == HTTPSyntax.carriageReturn ? .bareLineEnding : .invalidFieldName
    }
    var lower = colon + 1
    var upper = bytes.count
    while lower < upper, bytes[lower] == HTTPSyntax.space || bytes[lower] == HTTPSyntax.tab { lower += 1 }
    while upper > lower, bytes[upper - 1] == HTTPSyntax.space || bytes[upper - 1] == HTTPSyntax.tab { upper -= 1 }
    for index in lower..<upper where !HTTPSyntax.isFieldValue(bytes[index]) {
      throw bytes[index] == HTTPSyntax.carriageReturn ? .bareLineEnding : .invalidFieldValue
    }
    return HTTPHeaders.Field(name: 0..<colon, value: lower..<upper)
  }

  static func reading<Result>(
    _ buffer: [UInt8], _ line: Range<Int>,
    _ body: (UnsafeBufferPointer<UInt8>) throws(HTTPViolation) -> Result
  ) throws(HTTPViolation) -> Result {
    try buffer.withUnsafeBufferPointer { (bytes) throws(HTTPViolation) in
      try body(UnsafeBufferPointer(rebasing: bytes[line]))
    }
  }

  private mutating func finishHead() throws(HTTPViolation) -> HTTPRequestHead {
    let partial = head
    head.fields = []
    if partial.version == 1, !partial.hasHost { throw .missingHost }
    if partial.isChunked, partial.contentLength != nil { throw .contentLengthWithTransferEncoding }
    // A peer that speaks 1.0 can not know the coding: its framing is faulty (RFC 9112 section 6.1).
    if partial.isChunked, partial.version == 0 { throw .invalidTransferEncoding }

    var headers = HTTPHeaders(
      bytes: Array(buffer[start + partial.fieldsStart..<cursor - 2]), fields: partial.fields)
    let method = string(partial.method)
    let target = string(partial.target)
    let (authority, path, query) = try split(partial.target, method: method)
    // The authority of an absolute target outranks Host (RFC 9112 section 3.2.2).
    if let authority { headers.set("Host", authority) }

    start = cursor
    state = .headed
    return HTTPRequestHead(
      method: method, target: target, path: path, query: query, version: partial.version, headers: headers,
      framing: partial.framing,
      keepsAlive: !partial.saysClose && (partial.version == 1 || partial.saysKeepAlive),
      expectsContinue: partial.expectsContinue && partial.version == 1)
  }

  /// The four forms of a target (RFC 9112 section 3.2).
  private func split(
    _ target: Range<Int>, method: String
  ) throws(HTTPViolation) -> (authority: String?, path: String, query: String?) {
    if method == "CONNECT" { throw .unsupportedMethod }
    let range = target.lowerBound + start..<target.upperBound + start
    var bytes = buffer[range]
    var authority: String?
    if bytes.first != 0x2F {
      if method == "OPTIONS", bytes.elementsEqual([0x2A]) { return (nil, "*", nil) }
      let scheme = bytes.prefix(8).map(HTTPSyntax.lowercased)
      if scheme.starts(with: "http://".utf8) {
        bytes = bytes.dropFirst(7)
      } else if scheme.starts(with: "https://".utf8) {
        bytes = bytes.dropFirst(8)
      } else {
        throw .invalidTarget
      }
      let end = bytes.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? bytes.endIndex
      guard HTTPSyntax.isHost(bytes[..<end]) else { throw .invalidTarget }
      authority = String(decoding: bytes[..<end], as: UTF8.self)
      bytes = bytes[end...]
    }
    let mark = bytes.firstIndex(of: 0x3F) ?? bytes.endIndex
    let path = bytes[..<mark].isEmpty ? "/" : String(decoding: bytes[..<mark], as: UTF8.self)
    return (authority, path, mark == bytes.endIndex ? nil : String(decoding: bytes[(mark + 1)...], as: UTF8.self))
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: buffer[range.lowerBound + start..<range.upperBound + start], as: UTF8.self)
  }
}

extension HTTPRequestParser.PartialHead {
  /// Takes to heart what a field says about the connection and the body.
  fileprivate mutating func note(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
  ) throws(HTTPViolation) {
    switch name.count {
    case 4 where HTTPSyntax.equal(name, "host"):
      if hasHost { throw .repeatedHost }
      guard HTTPSyntax.isHost(value) else { throw .invalidHost }
      hasHost = true
    case 6 where HTTPSyntax.equal(name, "expect"):
      guard HTTPSyntax.equal(value, "100-continue") else { throw .unsupportedExpectation }
      expectsContinue = true
    case 10 where HTTPSyntax.equal(name, "connection"):
      for member in value.split(separator: 0x2C) {
        let token = member.filter { $0 != HTTPSyntax.space && $0 != HTTPSyntax.tab }
        token.withUnsafeBufferPointer { token in
          if HTTPSyntax.equal(token, "close") { saysClose = true }
          if HTTPSyntax.equal(token, "keep-alive") { saysKeepAlive = true }
        }
      }
    case 14 where HTTPSyntax.equal(name, "content-length"):
      if contentLength != nil { throw .repeatedContentLength }
      contentLength = try Self.length(value)
    case 17 where HTTPSyntax.equal(name, "transfer-encoding"):
      if isChunked { throw .invalidTransferEncoding }
      try noteCoding(value)
    default: break
    }
  }

  /// `1*DIGIT`, within Int.
  private static func length(_ digits: UnsafeBufferPointer<UInt8>) throws(HTTPViolation) -> Int {
    guard !digits.isEmpty, digits.count <= 18 else { throw .invalidContentLength }
    var length = 0
    for digit in digits {
      guard 0x30...0x39 ~= digit else { throw .invalidContentLength }
      length = length * 10 + Int(digit - 0x30)
    }
    return length
  }

  /// Only `chunked`, once. Other codings before it are 501, everything else has no certain end (RFC 9112 section 6.1).
  private mutating func noteCoding(_ value: UnsafeBufferPointer<UInt8>) throws(HTTPViolation) {
    if HTTPSyntax.equal(value, "chunked") {
      isChunked = true
      return
    }
    let codings = value.split(separator: 0x2C, omittingEmptySubsequences: false).map { coding in
      String(decoding: coding.filter { $0 != HTTPSyntax.space && $0 != HTTPSyntax.tab }, as: UTF8.self).lowercased()
    }
    let isFramed = codings.last == "chunked" && codings.dropLast().allSatisfy { !$0.isEmpty && $0 != "chunked" }
    throw isFramed ? .unsupportedTransferEncoding : .invalidTransferEncoding
  }
}
