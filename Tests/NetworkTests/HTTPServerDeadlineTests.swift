import Foundation
import Network
import Testing

@Suite struct HTTPServerDeadlineTests {
  private func configuration(_ change: (inout HTTPServer.Configuration) -> Void) -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    change(&configuration)
    return configuration
  }

  @Test func aSlowHeadIsRefusedHoweverItTrickles() async throws {
    let short = configuration { $0.headTimeout = .milliseconds(150) }
    try await withServer(sampleRouter(), short) { port in
      try await blocking {
        let client = try RawClient(port: port)
        client.send("GET /hello HTTP/1.1\r\n")
        var text = ""
        // A byte at a time, for longer than the deadline.
        for _ in 0..<500 where text.isEmpty {
          usleep(10_000)
          if !client.send("a") { break }
          if client.hasInput() { text = try client.readToEnd() }
        }
        #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(text.contains("Connection: close\r\n"))
      }
    }
  }

  @Test func aSlowBodyIsRefused() async throws {
    let short = configuration { $0.bodyTimeout = .milliseconds(100) }
    try await withServer(sampleRouter(), short) { port in
      try await blocking {
        for head in ["Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n5\r\nhel"] {
          let client = try RawClient(port: port)
          client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(head)")
          #expect(try client.readToEnd().hasPrefix("HTTP/1.1 408 "))
        }
      }
    }
  }

  @Test func aRequestWithinTheDeadlinesIsNotHurriedByTheLast() async throws {
    let short = configuration {
      $0.headTimeout = .milliseconds(400)
      $0.bodyTimeout = .milliseconds(400)
    }
    try await withServer(sampleRouter(), short) { port in
      try await blocking {
        let client = try RawClient(port: port)
        // Longer than a deadline in all, but each request begins its own.
        for _ in 0..<12 {
          usleep(50_000)
          #expect(try client.get("/hello").status == 200)
        }
      }
    }
  }

  @Test func anIdleConnectionIsClosedWithoutAWord() async throws {
    let short = configuration { $0.idleTimeout = .milliseconds(100) }
    try await withServer(sampleRouter(), short) { port in
      try await blocking {
        #expect(try RawClient(port: port).readToEnd().isEmpty)
        let client = try RawClient(port: port)
        #expect(try client.get("/hello").status == 200)
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  @Test func aClientThatDoesNotReadIsGivenUp() async throws {
    let outcome = Outcome()
    let short = configuration { $0.writeTimeout = .milliseconds(150) }
    var router = Router()
    router.on("GET", "/stream") { _ in
      HTTPResponse(contentType: "text/plain") { writer in
        do {
          while true { try await writer.write([UInt8](repeating: 0x61, count: 32_768)) }
        } catch {
          await outcome.end(with: error)
          throw error
        }
      }
    }
    router.on("GET", "/bytes") { _ in
      HTTPResponse(contentType: "text/plain", bytes: [UInt8](repeating: 0x61, count: 30_000_000))
    }
    let routes = router
    try await withServer(routes, short) { port in
      let stream = try RawClient(port: port, window: 4096)
      stream.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await outcome.gate.passes())
      #expect(await outcome.error as? HTTPStreamError == .clientIsTooSlow)
      let bytes = try RawClient(port: port, window: 4096)
      bytes.send("GET /bytes HTTP/1.1\r\nHost: a\r\n\r\n")
      // The server stops at once: nothing is left to wait for once the client was given up.
      try await blocking {
        for _ in 0..<500 where !bytes.isReset() { usleep(10_000) }
        #expect(bytes.isReset())
      }
    }
  }

  @Test func aThousandIdleConnectionsDisturbNobody() async throws {
    raiseDescriptorLimit()
    try await withServer(sampleRouter()) { port in
      try await blocking {
        let idle = try (0..<1000).map { _ in try RawClient(port: port) }
        #expect(try RawClient(port: port).get("/hello").body == "hello")
        for client in idle { client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n") }
        for client in idle { #expect(try client.answer().body == "hello") }
      }
    }
  }

  @Test func connectionsBeyondTheLimitWait() async throws {
    let few = configuration { $0.maximumConnections = 2 }
    try await withServer(sampleRouter(), few) { port in
      try await blocking {
        let one = try RawClient(port: port)
        let two = try RawClient(port: port)
        #expect(try one.get("/hello").status == 200)
        #expect(try two.get("/hello").status == 200)
        let three = try RawClient(port: port)
        three.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        // The others are still served while the third waits.
        for _ in 0..<10 { #expect(try one.get("/hello").status == 200) }
        #expect(!three.hasInput())
        two.close()
        #expect(try three.answer().status == 200)
      }
    }
  }
}

/// What a handler came to.
actor Outcome {
  let gate = Gate()
  private(set) var error: (any Error)?

  func end(with error: any Error) async {
    self.error = error
    await gate.open()
  }
}

extension RawClient {
  func hasInput() -> Bool { poll(events: Int16(POLLIN)) & Int16(POLLIN) != 0 }

  func isReset() -> Bool { poll(events: 0) & Int16(POLLERR | POLLHUP) != 0 }
}

func raiseDescriptorLimit() {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = min(limit.rlim_max, 8192)
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
