import Foundation
import Network
import Testing

@Suite struct HTTPStreamTests {
  @Test func aStreamIsSentInChunks() async throws {
    var router = sampleRouter()
    router.on("GET", "/stream") { _ in
      HTTPResponse(contentType: "text/plain") { writer in
        try await writer.write(Array("hello".utf8))
        try await writer.write([])
        try await writer.write(Array("0123456789abcdef".utf8))
      }
    }
    let routes = router
    try await withServer(routes) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.read(upTo: "Transfer-Encoding: chunked\r\n")
        _ = try client.read(upTo: "\r\n\r\n")
        #expect(try client.read(upTo: "0\r\n\r\n") == "5\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n")
        #expect(try client.get("/stream").body == "hello0123456789abcdef")
        client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.answer(hasBody: false).status == 200)
        #expect(try client.get("/hello").body == "hello")

        let old = try RawClient(port: port)
        old.send("GET /stream HTTP/1.0\r\n\r\n")
        #expect(try old.readToEnd().hasSuffix("\r\n\r\nhello0123456789abcdef"))
      }
    }
  }

  @Test func aLongStreamWaitsForItsReader() async throws {
    var router = Router()
    router.on("GET", "/stream") { _ in
      HTTPResponse(contentType: "text/plain") { writer in
        for index in 0..<2000 {
          try await writer.write([UInt8](repeating: 0x30 + UInt8(index % 10), count: 10_000))
        }
      }
    }
    try await withServer(router) { port in
      try await blocking {
        let client = try RawClient(port: port, window: 16_384)
        #expect(try client.get("/stream").body.utf8.count == 20_000_000)
      }
    }
  }

  @Test func piecesWrittenElsewhereArriveToo() async throws {
    var router = Router()
    router.on("GET", "/stream") { _ in
      HTTPResponse(contentType: "text/plain") { writer in
        // Without the loop's preference: on the global pool.
        try await Task.detached { for _ in 0..<1000 { try await writer.write([0x61]) } }.value
      }
    }
    try await withServer(router) { port in
      try await blocking { () throws in
        #expect(try RawClient(port: port).get("/stream").body == String(repeating: "a", count: 1000))
      }
    }
  }

  @Test func aStreamThatFailsIsSeenToBeIncomplete() async throws {
    struct Failure: Error {}
    var router = Router()
    router.on("GET", "/stream") { _ in
      HTTPResponse(contentType: "text/plain") { writer in
        try await writer.write(Array("half".utf8))
        throw Failure()
      }
    }
    try await withServer(router) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        let text = try client.readToEnd()
        #expect(!text.hasSuffix("0\r\n\r\n"))
        // The server lives.
        #expect(try RawClient(port: port).get("/nowhere").status == 404)
      }
    }
  }

  @Test(arguments: [true, false])
  func aClientThatIsGoneEndsItsStream(byReset: Bool) async throws {
    let ended = Gate()
    var router = Router()
    router.on("GET", "/events") { _ in
      HTTPResponse(eventStream: { writer in
        try await writer.write(ServerSentEvent(id: "1", data: "first"))
        do {
          // Nothing more to say: only the end of the connection ends this.
          try await Task.sleep(for: .seconds(3600))
        } catch {
          await ended.open()
          throw error
        }
      })
    }
    let routes = router
    try await withServer(routes) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try client.read(upTo: "\r\n\r\n")
        #expect(head.contains("Content-Type: text/event-stream\r\n"))
        // An unread byte makes the close a reset.
        if byReset { _ = try client.read(upTo: "id") } else { _ = try client.read(upTo: "data: first\n\n\r\n") }
        client.close()
      }
      #expect(await ended.passes())
    }
  }

  @Test func aWriterIsOfNoUseAfterItsResponse() async throws {
    let outcome = Outcome()
    let written = Gate()
    var router = sampleRouter()
    router.on("GET", "/stream") { _ in
      HTTPResponse(contentType: "text/plain") { writer in
        Task {
          await written.pass()
          do { try await writer.write([0x61]) } catch { await outcome.end(with: error) }
        }
      }
    }
    let routes = router
    try await withServer(routes) { port in
      let client = try RawClient(port: port)
      try await blocking { () throws in #expect(try client.get("/stream").body.isEmpty) }
      await written.open()
      #expect(await outcome.gate.passes())
      #expect(await outcome.error as? HTTPStreamError == .hasEnded)
      try await blocking { () throws in #expect(try client.get("/hello").body == "hello") }
    }
  }
}
