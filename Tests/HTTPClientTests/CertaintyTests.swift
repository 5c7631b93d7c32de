import HTTPClient
import Runtime
import Testing

/// May it have been processed? What a failed request is called decides whether it is sent again.
@Suite("Not sent, or uncertain", .timeLimit(.minutes(1)))
struct CertaintyTests {
  @Test("A refused connection is certain: not sent")
  func refused() async throws {
    let port = try ScriptedServer.closedPort()
    try await withClient { client async throws in
      let error = await client.failure(local("http://127.0.0.1:\(port)/", method: "POST", body: "x"))
      #expect(error == .notSent(.connectFailed))
    }
  }

  @Test("A name that does not exist is certain: not sent")
  func unknownName() async throws {
    try await withClient { client async throws in
      #expect(await client.failure(local("http://nowhere.invalid/")) == .notSent(.nameNotFound))
    }
  }

  @Test("No answer in time: uncertain")
  func slowAnswer() async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.waitForClose()
    }
    try await withClient(server) { client async throws in
      let error = await client.failure(local(server.url(), method: "POST", body: "x", timeout: .seconds(2)))
      #expect(error == .uncertain(.timedOut))
    }
    #expect(server.requests.count == 1)
  }

  @Test("An answer that stops in its midst: uncertain")
  func trickle() async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      if connection.number == 0 { connection.waitForClose() }
    }
    try await withClient(server) { client async throws in
      #expect(await client.failure(local(server.url(), timeout: .seconds(2))) == .uncertain(.timedOut))
      #expect(await client.failure(local(server.url())) == .uncertain(.connectionLost))
    }
  }

  @Test(
    "Read and closed without an answer: uncertain, and the server saw it once",
    arguments: ["POST", "GET", "PUT", "HEAD"], [false, true])
  func closedWithoutAnswer(method: String, resets: Bool) async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      if resets { connection.reset() }
    }
    try await withClient(server) { client async throws in
      #expect(await client.failure(local(server.url(), method: method)) == .uncertain(.connectionLost))
    }
    #expect(server.requests.count == 1)
  }

  /// libcurl would by itself send such a request a second time.
  @Test(
    "The same on a kept-alive connection: uncertain, and the server saw it once",
    arguments: ["POST", "GET", "PUT", "HEAD"], [false, true])
  func closedWithoutAnswerWhenReused(method: String, resets: Bool) async throws {
    let server = try ScriptedServer { connection in
      guard connection.number == 0 else { return ScriptedServer.polite(connection) }
      _ = connection.read()
      connection.answer()
      _ = connection.read()
      if resets { connection.reset() }
    }
    try await withClient(server) { client async throws in
      #expect(try await client.send(local(server.url("/first"))).status == 200)
      let body = method == "POST" || method == "PUT" ? "text" : ""
      let error = await client.failure(local(server.url("/second"), method: method, body: body))
      #expect(error == .uncertain(.connectionLost))
      #expect(server.requests.count { $0.contains("/second") } == 1)
      // The client goes on as before.
      #expect(try await client.send(local(server.url("/third"))).status == 200)
    }
    #expect(server.requests.count { $0.contains("/second") } == 1)
  }

  @Test("The same where the server is gone afterwards")
  func closedAndGone() async throws {
    let listening = Lock<ScriptedServer?>(nil)
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.answer()
      _ = connection.read()
      listening.withLock { $0?.stop() }
    }
    listening.withLock { $0 = server }
    try await withClient { client async throws in
      #expect(try await client.send(local(server.url())).status == 200)
      #expect(await client.failure(local(server.url(), method: "POST", body: "x")) == .uncertain(.connectionLost))
    }
    #expect(server.requests.count == 2)
  }

  @Test("A huge answer is cut off at its limit: uncertain", arguments: [true, false])
  func hugeBody(hasLength: Bool) async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.write("HTTP/1.1 200 OK\r\n" + (hasLength ? "Content-Length: 100000000\r\n\r\n" : "\r\n"))
      let block = [UInt8](repeating: 0x78, count: 100_000)
      for _ in 0..<1000 { connection.write(block) }
    }
    try await withClient(server) { client async throws in
      #expect(await client.failure(local(server.url())) == .uncertain(.answerTooLarge))
    }
  }

  @Test("An answer as long as the limit is whole, one byte more is too much")
  func exactLimit() async throws {
    let server = try ScriptedServer { connection in
      while connection.read() != nil { connection.answer("12345") }
    }
    try await withClient(server) { client async throws in
      var request = local(server.url())
      request.maximumResponse = 5
      #expect(try await client.send(request).text == "12345")
      request.maximumResponse = 4
      #expect(await client.failure(request) == .uncertain(.answerTooLarge))
    }
  }

  @Test(
    "An endless head is cut off", arguments: ["X-Header: 12345678901234567890\r\n", "HTTP/1.1 100 Continue\r\n\r\n"])
  func hugeHead(line: String) async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.write("HTTP/1.1 100 Continue\r\n")
      for _ in 0..<1000 { connection.write(String(repeating: line, count: 100)) }
    }
    try await withClient(server) { client async throws in
      let error = await client.failure(local(server.url()))
      #expect(error == .uncertain(.answerTooLarge) || error == .uncertain(.malformedAnswer))
    }
  }

  @Test(
    "What is not HTTP: uncertain", arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\0\u{1}\u{2}"])
  func notHTTP(bytes: String) async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.write(bytes)
    }
    try await withClient(server) { client async throws in
      guard case .uncertain = await client.failure(local(server.url())) else {
        Issue.record("It was sent, so it is uncertain.")
        return
      }
    }
  }

  @Test("An early answer to a large body counts as the answer")
  func earlyAnswer() async throws {
    let server = try ScriptedServer { connection in
      connection.readByte()
      connection.answer("too large", status: "413 Content Too Large", headers: ["Connection: close"])
      connection.waitForClose()
    }
    try await withClient(server) { client async throws in
      let body = String(repeating: "x", count: 2_000_000)
      #expect(try await client.send(local(server.url(), method: "POST", body: body)).status == 413)
    }
  }

  @Test("Waiting for a free connection past the time limit is certain: not sent")
  func waitedTooLong() async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.waitForClose()
    }
    let configuration = HTTPClient.Configuration(
      userAgent: "t", maximumConnectionsPerHost: 1, stopLimit: .milliseconds(1))
    try await withClient(server, configuration) { client async throws in
      let first = Task { await client.failure(local(server.url("/first"))) }
      try await server.waitForRequests(1)
      #expect(
        await client.failure(local(server.url("/second"), timeout: .milliseconds(100))) == .notSent(.waitedTooLong))
      first.cancel()
      #expect(await first.value == .uncertain(.cancelled))
    }
    #expect(server.requests.count == 1)
  }

  @Test("One call more than allowed is turned away at once")
  func queueFull() async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.waitForClose()
    }
    let configuration = HTTPClient.Configuration(userAgent: "t", maximumCalls: 1, stopLimit: .milliseconds(1))
    let closedPort = try ScriptedServer.closedPort()
    try await withClient(server, configuration) { client async throws in
      let first = Task { await client.failure(local(server.url())) }
      try await server.waitForRequests(1)
      #expect(await client.failure(local(server.url())) == .notSent(.queueFull))
      first.cancel()
      #expect(await first.value == .uncertain(.cancelled))
      // Whoever has an answer counts no more.
      for _ in 0..<20 {
        #expect(await client.failure(local("http://127.0.0.1:\(closedPort)/")) == .notSent(.connectFailed))
      }
    }
    #expect(server.requests.count == 1)
  }
}
