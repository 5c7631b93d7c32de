import Network

/// What the parser makes of an input that comes in pieces: as many requests as there are in it, and what ended it.
struct HTTPReading: Equatable {
  struct Request: Equatable {
    var head: HTTPRequestHead
    var body: [UInt8] = []
    var isComplete = false
  }

  var requests: [Request] = []
  var violation: HTTPViolation?
  /// Whether the connection could be closed without cutting a request; nothing to be said after a violation.
  var isIdle = true

  init(_ pieces: [[UInt8]], limits: HTTPRequestParser.Limits, maximumBody: Int) {
    var parser = HTTPRequestParser(limits: limits, maximumBody: maximumBody)
    // A line of a chunk has a limit of its own, 1024.
    let most = max(limits.head, limits.trailers, 1024)
    do throws(HTTPViolation) {
      for piece in pieces {
        parser.append(piece)
        while let event = try parser.next() { note(event, &parser, maximumBody) }
        require(parser.buffered <= most, "\(parser.buffered) bytes are kept")
        if parser.isIdle { parser.shrink() }
      }
      isIdle = parser.isIdle
    } catch {
      violation = error
      require(400...599 ~= error.status && !error.sentence.isEmpty, "a violation without an answer")
      checkThatNothingIsReadBehind(error, &parser)
    }
  }

  private mutating func note(_ event: HTTPRequestParser.Event, _ parser: inout HTTPRequestParser, _ maximumBody: Int) {
    switch event {
    case .head(let head):
      require(requests.last?.isComplete ?? true, "a head inside a request")
      requests.append(Request(head: head))
      // As a route does it that takes less or more than the server's limit.
      parser.maximumBody = head.path.utf8.count % 3 == 2 ? maximumBody / 2 : maximumBody
    case .body(let bytes):
      require(!bytes.isEmpty && requests.last?.isComplete == false, "a body without a head, or nothing of it")
      requests[requests.count - 1].body += bytes
      require(requests[requests.count - 1].body.count <= parser.maximumBody, "more body than the limit")
    case .end:
      require(requests.last?.isComplete == false, "an end without a head")
      requests[requests.count - 1].isComplete = true
    }
  }

  private func checkThatNothingIsReadBehind(_ violation: HTTPViolation, _ parser: inout HTTPRequestParser) {
    parser.append(Array("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    do throws(HTTPViolation) {
      _ = try parser.next()
      require(false, "a request after a violation")
    } catch { require(error == violation, "another violation after the first") }
  }
}

extension HTTPReading.Request {
  /// The request as a plain client writes it; nothing that the parser let pass may come out with another meaning.
  var rewritten: [UInt8] {
    var bytes = Array("\(head.method) \(head.target) HTTP/1.\(head.version)\r\n".utf8)
    for (name, value) in head.headers { bytes += "\(name): \(value)\r\n".utf8 }
    bytes += "\r\n".utf8
    switch head.framing {
    case .none, .length: return bytes + body
    case .chunked:
      if !body.isEmpty { bytes += "\(String(body.count, radix: 16))\r\n".utf8 + body + "\r\n".utf8 }
      return bytes + "0\r\n\r\n".utf8
    }
  }
}
