import Network
import Testing

/// What a whole input comes to: heads and bodies of complete requests, and what ended it.
struct Reading: Equatable, CustomStringConvertible {
  var requests: [(head: HTTPRequestHead, body: [UInt8])] = []
  var isComplete = true
  var violation: HTTPViolation?

  static func == (left: Reading, right: Reading) -> Bool {
    left.requests.elementsEqual(right.requests) { $0.head == $1.head && $0.body == $1.body }
      && left.isComplete == right.isComplete && left.violation == right.violation
  }

  var description: String {
    requests.map { "\($0.head.method) \($0.head.target) \($0.body.count)" }.joined(separator: ", ")
      + (isComplete ? "" : " …") + (violation.map { " \($0)" } ?? "")
  }

  /// Reads `pieces` as they would come from a socket.
  init(_ pieces: [[UInt8]], limits: HTTPRequestParser.Limits = .init(), maximumBody: Int = 1 << 20) {
    var parser = HTTPRequestParser(limits: limits, maximumBody: maximumBody)
    do {
      for piece in pieces {
        parser.append(piece)
        while let event = try parser.next() {
          switch event {
          case .head(let head):
            requests.append((head, []))
            isComplete = false
          case .body(let bytes): requests[requests.count - 1].body += bytes
          case .end: isComplete = true
          }
        }
      }
    } catch { violation = error }
  }

  init(_ text: String) { self.init([Array(text.utf8)]) }
}

struct Refusal: Sendable, CustomTestStringConvertible {
  var name: String
  var violation: HTTPViolation
  var input: [UInt8]

  init(_ name: String, _ violation: HTTPViolation, _ input: String) {
    self.init(name, violation, Array(input.utf8))
  }

  init(_ name: String, _ violation: HTTPViolation, _ input: [UInt8]) {
    self.name = name
    self.violation = violation
    self.input = input
  }

  var testDescription: String { name }

  static func field(_ name: String, _ violation: HTTPViolation, _ fields: String) -> Refusal {
    Refusal(name, violation, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n")
  }

  static func chunks(_ name: String, _ violation: HTTPViolation, _ body: String) -> Refusal {
    Refusal(name, violation, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
  }

  static let all: [Refusal] = [
    Refusal("no method", .malformedRequestLine, " / HTTP/1.1\r\n\r\n"),
    Refusal("no version (HTTP/0.9)", .malformedRequestLine, "GET /\r\n\r\n"),
    Refusal("two spaces", .invalidTarget, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a tab for a space", .malformedRequestLine, "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a space after the version", .malformedRequestLine, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
    Refusal("a space in the target", .invalidTarget, "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a method with a slash", .malformedRequestLine, "GE/T / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a method with NUL", .malformedRequestLine, "GE\0T / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a target with NUL", .invalidTarget, "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a target with a fragment", .invalidTarget, "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a target above ASCII", .invalidTarget, "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a target that is no path", .invalidTarget, "GET index HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("a star for GET", .invalidTarget, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("another scheme", .invalidTarget, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("user information in a target", .invalidTarget, "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("CONNECT", .unsupportedMethod, "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("two empty lines first", .malformedRequestLine, "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("HTTP/2.0", .unsupportedVersion, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    Refusal("HTTP/1.2", .unsupportedVersion, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
    Refusal("http/1.1", .malformedRequestLine, "GET / http/1.1\r\nHost: a\r\n\r\n"),
    Refusal("HTTP/1.10", .malformedRequestLine, "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
    Refusal("TLS to a plain port", .malformedRequestLine, [0x16, 0x03, 0x01, 0x00, 0x0D, 0x0A]),

    Refusal("bare LF after the request line", .bareLineEnding, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
    Refusal("bare LF after a field", .bareLineEnding, "GET / HTTP/1.1\r\nHost: a\n\r\n\r\n"),
    Refusal("bare LF for the empty line", .bareLineEnding, "GET / HTTP/1.1\r\nHost: a\r\n\n"),
    Refusal("bare LF first", .bareLineEnding, "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Refusal("bare CR in a value", .bareLineEnding, "GET / HTTP/1.1\r\nHost: a\r\nA: b\rC: d\r\n\r\n"),
    Refusal("bare CR in a name", .bareLineEnding, "GET / HTTP/1.1\r\nHost: a\r\nA\r: b\r\n\r\n"),
    Refusal("CR CR LF", .bareLineEnding, "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n"),
    Refusal("bare CR in the request line", .malformedRequestLine, "GET / HTTP/1.1\rHost: a\r\n\r\n"),

    .field("a folded field", .foldedField, "A: b\r\n c"),
    .field("a field folded by a tab", .foldedField, "A: b\r\n\tc"),
    Refusal("a fold before the first field", .foldedField, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
    .field("a space before the colon", .invalidFieldName, "A : b"),
    .field("a tab before the colon", .invalidFieldName, "Content-Length\t: 5"),
    .field("an empty name", .invalidFieldName, ": b"),
    .field("no colon", .invalidFieldName, "Accept"),
    .field("a name with a bracket", .invalidFieldName, "A(b): c"),
    .field("a name above ASCII", .invalidFieldName, "Ä: c"),
    .field("a name with NUL", .invalidFieldName, "A\0: c"),
    .field("NUL in a value", .invalidFieldValue, "A: b\0c"),
    .field("a control character in a value", .invalidFieldValue, "A: b\u{1}c"),
    .field("DEL in a value", .invalidFieldValue, "A: b\u{7F}c"),

    Refusal("no Host", .missingHost, "GET / HTTP/1.1\r\nA: b\r\n\r\n"),
    Refusal("no fields at all", .missingHost, "GET / HTTP/1.1\r\n\r\n"),
    .field("two Hosts", .repeatedHost, "Host: a"),
    .field("two Hosts in another case", .repeatedHost, "hOST: b"),
    Refusal("an empty Host", .invalidHost, "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    Refusal("a Host with a path", .invalidHost, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    Refusal("a list for Host", .invalidHost, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
    Refusal("a Host with user information", .invalidHost, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),

    .field("two different lengths", .repeatedContentLength, "Content-Length: 5\r\nContent-Length: 6"),
    .field("two equal lengths", .repeatedContentLength, "Content-Length: 5\r\ncontent-length: 5"),
    .field("a list of lengths", .invalidContentLength, "Content-Length: 5, 5"),
    .field("a negative length", .invalidContentLength, "Content-Length: -1"),
    .field("a length with a plus", .invalidContentLength, "Content-Length: +5"),
    .field("an empty length", .invalidContentLength, "Content-Length:"),
    .field("a length in hexadecimal", .invalidContentLength, "Content-Length: 0x10"),
    .field("a length with a fraction", .invalidContentLength, "Content-Length: 5.0"),
    .field("a length beyond 64 bits", .invalidContentLength, "Content-Length: 18446744073709551621"),
    .field("a length that is too long by one", .bodyTooLarge, "Content-Length: 1048577"),
    .field("a huge length", .bodyTooLarge, "Content-Length: 999999999999999999"),
    .field(
      "length and coding", .contentLengthWithTransferEncoding, "Content-Length: 5\r\nTransfer-Encoding: chunked"),
    .field(
      "coding and length", .contentLengthWithTransferEncoding, "Transfer-Encoding: chunked\r\nContent-Length: 0"),
    .field("two codings", .invalidTransferEncoding, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    .field("chunked twice", .invalidTransferEncoding, "Transfer-Encoding: chunked, chunked"),
    .field("chunked not last", .invalidTransferEncoding, "Transfer-Encoding: chunked, gzip"),
    .field("gzip and chunked", .unsupportedTransferEncoding, "Transfer-Encoding: gzip, chunked"),
    .field("identity", .invalidTransferEncoding, "Transfer-Encoding: identity"),
    .field("an empty coding", .invalidTransferEncoding, "Transfer-Encoding:"),
    .field("xchunked", .invalidTransferEncoding, "Transfer-Encoding: xchunked"),
    .field("chunked with a parameter", .invalidTransferEncoding, "Transfer-Encoding: chunked;a=b"),
    .field("chunked after a comma", .invalidTransferEncoding, "Transfer-Encoding: ,chunked"),
    .field("chunked with a vertical tab", .invalidFieldValue, "Transfer-Encoding: \u{B}chunked"),
    Refusal(
      "chunked from HTTP/1.0", .invalidTransferEncoding,
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    .field("another expectation", .unsupportedExpectation, "Expect: 200-ok"),

    .chunks("an empty chunk size", .invalidChunk, "\r\n"),
    .chunks("a chunk size that is not hexadecimal", .invalidChunk, "g\r\n"),
    .chunks("a chunk size with a sign", .invalidChunk, "+5\r\nhello\r\n0\r\n\r\n"),
    .chunks("a negative chunk size", .invalidChunk, "-5\r\n"),
    .chunks("a chunk size with 0x", .invalidChunk, "0x5\r\nhello\r\n0\r\n\r\n"),
    .chunks("a space after the chunk size", .invalidChunk, "5 \r\nhello\r\n0\r\n\r\n"),
    .chunks("a space before the chunk size", .invalidChunk, " 5\r\nhello\r\n0\r\n\r\n"),
    .chunks("a chunk size beyond 64 bits", .invalidChunk, "10000000000000005\r\nhello\r\n0\r\n\r\n"),
    .chunks("the largest chunk size", .bodyTooLarge, "fffffffffffffff\r\n"),
    .chunks("bare LF after a chunk size", .bareLineEnding, "5\nhello\r\n0\r\n\r\n"),
    .chunks("bare CR in an extension", .invalidChunk, "5;a\rb\r\nhello\r\n0\r\n\r\n"),
    .chunks("NUL in an extension", .invalidChunk, "5;a\0\r\nhello\r\n0\r\n\r\n"),
    .chunks("a long extension", .invalidChunk, "5;\(String(repeating: "a", count: 1100))\r\n"),
    .chunks(
      "many extensions", .invalidChunk, String(repeating: "1;\(String(repeating: "a", count: 900))\r\nx\r\n", count: 5)),
    .chunks("data longer than the chunk", .invalidChunk, "5\r\nhello!\r\n0\r\n\r\n"),
    .chunks("bare LF after the data", .invalidChunk, "5\r\nhello\n0\r\n\r\n"),
    .chunks("a folded trailer", .foldedField, "0\r\nA: b\r\n c\r\n\r\n"),
    .chunks("a bad name in a trailer", .invalidFieldName, "0\r\nA : b\r\n\r\n"),
    .chunks("trailers too long", .trailersTooLarge, "0\r\nA: \(String(repeating: "b", count: 9000))\r\n\r\n"),
    .chunks("too many trailers", .trailersTooLarge, "0\r\n\(String(repeating: "A: b\r\n", count: 101))\r\n"),

    Refusal("a request line without an end", .requestLineTooLong, "GET /\(String(repeating: "a", count: 17_000))"),
    Refusal(
      "a request line that is too long", .requestLineTooLong,
      "GET /\(String(repeating: "a", count: 17_000)) HTTP/1.1\r\nHost: a\r\n\r\n"),
    .field("a field that is too long", .headTooLarge, "A: \(String(repeating: "b", count: 17_000))"),
    .field(
      "fields too long together", .headTooLarge,
      String(repeating: "A: \(String(repeating: "b", count: 400))\r\n", count: 45) + "B: c"),
    .field("too many fields", .headTooLarge, String(repeating: "A: b\r\n", count: 100) + "B: c"),
  ]
}

@Suite struct HTTPRequestParserTests {
  @Test(arguments: Refusal.all)
  func refuses(_ refusal: Refusal) {
    #expect(Reading([refusal.input]).violation == refusal.violation)
  }

  @Test(arguments: Refusal.all.filter { $0.input.count < 2000 })
  func refusesTheSameHoweverTheBytesAreSplit(_ refusal: Refusal) {
    let whole = Reading([refusal.input])
    for index in 0...refusal.input.count {
      let pieces = [Array(refusal.input[..<index]), Array(refusal.input[index...])]
      #expect(Reading(pieces) == whole, "split at \(index)")
    }
    #expect(Reading(refusal.input.map { [$0] }) == whole)
  }

  static let good = [
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "\r\nGET /a?b=c%20d&e HTTP/1.1\r\nHost: [::1]:8080\r\nX:\r\nY: \t z \t \r\n\r\n",
    "GET /?a={b}|c HTTP/1.1\r\nhost:example.com\r\n\r\n",
    "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /q HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /q HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n00a;x=\"y\"\r\n 0123\r\n67\n\r\n0\r\n\r\n"
      + "GET /q HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 ; x\r\na\r\n0;y\r\nA: b\r\nContent-Length: 9\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
    "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET http://b.example:81?x HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\nx",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
    "GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "A: b\r\n", count: 99))\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nA: sch\u{F6}n\r\n\r\n",
  ]

  @Test(arguments: good)
  func readsTheSameHoweverTheBytesAreSplit(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = Reading([bytes])
    #expect(whole.violation == nil)
    #expect(!whole.requests.isEmpty)
    for index in 0...bytes.count {
      #expect(Reading([Array(bytes[..<index]), Array(bytes[index...])]) == whole, "split at \(index)")
    }
    #expect(Reading(bytes.map { [$0] }) == whole)
  }

  @Test func readsTheHead() throws {
    let head = try #require(Reading(Self.good[1]).requests.first?.head)
    #expect(head.method == "GET")
    #expect(head.target == "/a?b=c%20d&e")
    #expect(head.path == "/a")
    #expect(head.query == "b=c%20d&e")
    #expect(head.version == 1)
    #expect(head.headers["HOST"] == "[::1]:8080")
    #expect(head.headers["x"]?.isEmpty == true)
    #expect(head.headers["y"] == "z")
    #expect(head.headers["z"] == nil)
    #expect(head.framing == .none)
    #expect(head.keepsAlive)
    #expect(!head.expectsContinue)
  }

  @Test func readsBodiesAndWhatFollowsThem() {
    let length = Reading(Self.good[3]).requests
    #expect(length.map(\.head.path) == ["/p", "/q"])
    #expect(length.first?.body == Array("hello".utf8))
    let chunked = Reading(Self.good[5]).requests
    #expect(chunked.map(\.head.path) == ["/", "/q"])
    #expect(chunked.first?.body == Array("hello 0123\r\n67\n".utf8))
    #expect(!Reading(Self.good[12]).isComplete)
  }

  @Test func trailersDoNotBecomeHeaders() {
    let request = Reading(Self.good[6]).requests.first
    #expect(request?.head.headers["a"] == nil)
    #expect(request?.head.headers["content-length"] == nil)
    #expect(request?.body == Array("a".utf8))
  }

  @Test func knowsWhetherTheConnectionLives() {
    func keepsAlive(_ text: String) -> Bool? { Reading(text).requests.last?.head.keepsAlive }
    #expect(keepsAlive(Self.good[4]) == false)
    #expect(keepsAlive(Self.good[7]) == false)
    #expect(keepsAlive(Self.good[8]) == true)
    #expect(keepsAlive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade , CLOSE\r\n\r\n") == false)
    #expect(keepsAlive("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n") == false)
  }

  @Test func theAuthorityOfAnAbsoluteTargetOutranksHost() {
    let head = Reading(Self.good[10]).requests.first?.head
    #expect(head?.path == "/")
    #expect(head?.query == "x")
    #expect(head?.headers.all("host") == ["b.example:81"])
  }

  @Test func aDeclaredBodyIsRefusedBeforeAnyOfItIsRead() throws {
    var parser = HTTPRequestParser()
    parser.append(Array("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n".utf8))
    _ = try parser.next()
    parser.maximumBody = 10
    #expect(throws: HTTPViolation.bodyTooLarge) { try parser.next() }
    #expect(throws: HTTPViolation.bodyTooLarge) { try parser.next() }
  }

  @Test func aChunkedBodyIsRefusedOnceItsSizesExceedTheLimit() {
    let text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n5\r\n"
    let reading = Reading([Array(text.utf8)], maximumBody: 10)
    #expect(reading.violation == .bodyTooLarge)
    #expect(reading.requests.first?.body.count == 6)
  }

  @Test func aHeadOfExactlyTheLimitIsRead() {
    let frame = "GET / HTTP/1.1\r\nHost: a\r\nA: \r\n\r\n"
    for (count, violation) in [(16_384, nil), (16_385, HTTPViolation.headTooLarge)] {
      let filler = String(repeating: "b", count: count - frame.utf8.count)
      #expect(Reading("GET / HTTP/1.1\r\nHost: a\r\nA: \(filler)\r\n\r\n").violation == violation)
    }
  }

  @Test func keepsNoMoreThanItMust() throws {
    var parser = HTTPRequestParser(maximumBody: 1 << 30)
    parser.append(Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 104857600\r\n\r\n".utf8))
    while try parser.next() != nil {}
    for _ in 0..<64 {
      parser.append([UInt8](repeating: 1, count: 65_536))
      while try parser.next() != nil {}
      #expect(parser.buffered == 0)
    }
  }

  @Test func everyViolationHasAStatusAndASentence() {
    for violation in HTTPViolation.allCases {
      #expect(400...599 ~= violation.status)
      #expect(violation.sentence.hasSuffix("."))
    }
    #expect(HTTPViolation.headTooLarge.status == 431)
    #expect(HTTPViolation.bodyTooLarge.status == 413)
    #expect(HTTPViolation.unsupportedVersion.status == 505)
    #expect(HTTPViolation.unsupportedTransferEncoding.status == 501)
    #expect(HTTPViolation.repeatedContentLength.status == 400)
    #expect(HTTPViolation.headTooSlow.status == 408)
  }
}
