import Foundation

/// Reads HTTP/1.1 requests (RFC 9112) from bytes as they come; no I/O and no clock.
///
/// `append` takes bytes, `next` gives what they hold. Strict: where the RFC leaves a choice between tolerance and refusal
/// it refuses, so that no proxy in front can see other requests in the same bytes. After a violation nothing more is read.
package struct HTTPRequestParser: Sendable {
  package struct Limits: Sendable {
    /// Bytes of the request line and the header fields together.
    package var head = 16_384
    package var fields = 100
    /// Bytes of the fields after a chunked body; there may be as many as header fields.
    package var trailers = 8192
    /// Bytes of all chunk extensions of a request.
    package var chunkExtensions = 4096

    package init() {}
  }

  package enum Event: Sendable, Equatable {
    case head(HTTPRequestHead)
    /// Part of the body; parts have no meaning of their own.
    case body([UInt8])
    /// The request is complete; what follows belongs to the next.
    case end
  }

  enum State: Sendable {
    case requestLine
    case fields
    case headed
    case fixedBody(remaining: Int)
    case chunkSize
    case chunkData(remaining: Int)
    case chunkEnd
    case trailers
    /// Everything is read; `end` was not given yet.
    case ended
    case complete
    case failed(HTTPViolation)
  }

  enum Step {
    case event(Event)
    case again
    case needsMore
  }

  package let limits: Limits
  /// The bytes that the body of the current request may have. Set it after `head`, before the next call of `next`.
  package var maximumBody: Int

  var buffer: [UInt8] = []
  /// Where the current head, or what else is being read, begins in `buffer`.
  var start = 0
  /// The first byte that is not read yet.
  var cursor = 0
  /// No line feed stands between `cursor` and here.
  var scanned = 0
  var state = State.requestLine
  var head = PartialHead()
  var bodyCount = 0
  var extensionCount = 0
  var trailerCount = 0
  var trailerBytes = 0

  package init(limits: Limits = Limits(), maximumBody: Int = 1 << 20) {
    self.limits = limits
    self.maximumBody = maximumBody
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      (start, cursor, scanned) = (0, 0, 0)
    } else if start > 16_384, start > buffer.count / 2 {
      buffer.removeFirst(start)
      cursor -= start
      scanned = max(0, scanned - start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Bytes that are kept: of an incomplete line, or beyond the current request.
  package var buffered: Int { buffer.count - start }

  /// Bytes that `next` has not looked at for good.
  package var unread: Int { buffer.count - cursor }

  /// Whether nothing of a next request has come yet.
  package var isIdle: Bool {
    switch state {
    case .requestLine, .complete: start == buffer.count
    default: false
    }
  }

  /// Gives back memory that a large request needed; for connections that wait.
  package mutating func shrink() {
    guard start == buffer.count, buffer.capacity > 2048 else { return }
    buffer = []
    (start, cursor, scanned) = (0, 0, 0)
  }

  /// What comes next; nil when more bytes are needed.
  package mutating func next() throws(HTTPViolation) -> Event? {
    do throws(HTTPViolation) {
      while true {
        switch try step() {
        case .event(let event): return event
        case .again: continue
        case .needsMore: return nil
        }
      }
    } catch {
      state = .failed(error)
      throw error
    }
  }

  private mutating func step() throws(HTTPViolation) -> Step {
    switch state {
    case .complete:
      head = PartialHead()
      state = .requestLine
      return .again
    case .requestLine: return try readRequestLine()
    case .fields: return try readField()
    case .headed: return try beginBody()
    case .fixedBody(let remaining):
      guard let bytes = take(upTo: remaining) else { return .needsMore }
      state = bytes.count == remaining ? .ended : .fixedBody(remaining: remaining - bytes.count)
      return .event(.body(bytes))
    case .chunkSize: return try readChunkSize()
    case .chunkData(let remaining):
      guard let bytes = take(upTo: remaining) else { return .needsMore }
      state = bytes.count == remaining ? .chunkEnd : .chunkData(remaining: remaining - bytes.count)
      return .event(.body(bytes))
    case .chunkEnd: return try readChunkEnd()
    case .trailers: return try readTrailer()
    case .ended:
      state = .complete
      return .event(.end)
    case .failed(let violation): throw violation
    }
  }

  private mutating func beginBody() throws(HTTPViolation) -> Step {
    switch head.framing {
    case .none: state = .ended
    case .length(let length):
      if length > maximumBody { throw .bodyTooLarge }
      state = length == 0 ? .ended : .fixedBody(remaining: length)
    case .chunked:
      (bodyCount, extensionCount, trailerCount, trailerBytes) = (0, 0, 0, 0)
      state = .chunkSize
    }
    return .again
  }

  private mutating func take(upTo limit: Int) -> [UInt8]? {
    let count = min(limit, buffer.count - cursor)
    guard count > 0 else { return nil }
    let bytes = Array(buffer[cursor..<cursor + count])
    cursor += count
    start = cursor
    return bytes
  }

  /// The next line without its CR LF, and moves past it; nil while its end is not here.
  /// - Parameter limit: bytes from `start` to the end of the line.
  mutating func line(limit: Int, tooLong: HTTPViolation) throws(HTTPViolation) -> Range<Int>? {
    let from = max(scanned, cursor)
    let found = buffer.withUnsafeBufferPointer { bytes -> Int? in
      guard from < bytes.count, let base = bytes.baseAddress,
        let lineFeed = memchr(base + from, Int32(HTTPSyntax.lineFeed), bytes.count - from)
      else { return nil }
      return UnsafeRawPointer(lineFeed) - UnsafeRawPointer(base)
    }
    guard let found else {
      scanned = buffer.count
      if buffer.count - start > limit { throw tooLong }
      return nil
    }
    if found + 1 - start > limit { throw tooLong }
    guard found > cursor, buffer[found - 1] == HTTPSyntax.carriageReturn else { throw .bareLineEnding }
    let line = cursor..<found - 1
    cursor = found + 1
    return line
  }
}
