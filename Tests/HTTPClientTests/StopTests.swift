import HTTPClient
import Testing

@Suite("Cancelling and stopping", .timeLimit(.minutes(1)))
struct StopTests {
  private static func silent() throws -> ScriptedServer {
    try ScriptedServer { connection in
      _ = connection.read()
      connection.waitForClose()
    }
  }

  @Test("A request that was sent and is called off is uncertain, and its connection ends")
  func cancelInFlight() async throws {
    let server = try Self.silent()
    try await withClient(server) { client async throws in
      let task = Task { await client.failure(local(server.url(), method: "POST", body: "x")) }
      try await server.waitForRequests(1)
      task.cancel()
      #expect(await task.value == .uncertain(.cancelled))
    }
  }

  @Test("A request that waits and is called off was not sent")
  func cancelWaiting() async throws {
    let server = try Self.silent()
    let configuration = HTTPClient.Configuration(
      userAgent: "t", maximumConnectionsPerHost: 1, stopLimit: .milliseconds(1))
    try await withClient(server, configuration) { client async throws in
      let first = Task { await client.failure(local(server.url("/first"))) }
      try await server.waitForRequests(1)
      let second = Task { await client.failure(local(server.url("/second"))) }
      await Task.yield()
      second.cancel()
      #expect(await second.value == .cancelled)
      first.cancel()
      #expect(await first.value == .uncertain(.cancelled))
    }
    #expect(server.requests.count == 1)
  }

  @Test("A task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let server = try ScriptedServer()
    try await withClient(server) { client async throws in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await client.failure(local(server.url()))
      }
      #expect(await task.value == .cancelled)
    }
    #expect(server.requests.isEmpty)
  }

  @Test("Requests wait for the client to run, and can be called off till then")
  func beforeRun() async throws {
    let server = try ScriptedServer()
    defer { server.stop() }
    let client = HTTPClient(.init(userAgent: "t"))
    let cancelled = Task { await client.failure(local(server.url("/cancelled"))) }
    await Task.yield()
    cancelled.cancel()
    #expect(await cancelled.value == .cancelled)
    async let response = client.send(local(server.url("/kept")))
    let running = Task { try await client.run() }
    #expect(try await response.status == 200)
    running.cancel()
    try await running.value
    #expect(server.requests.count == 1)
  }

  @Test("A stop lets those in flight end, turns the waiting away, and then everybody")
  func stop() async throws {
    let server = try ScriptedServer { connection in
      guard let request = connection.read() else { return }
      if request.contains("/slow") { return connection.waitForClose() }
      // Answers once the others are there; the stop has come by then or comes later, the answer must arrive either way.
      connection.answer("in time")
    }
    defer { server.stop() }
    let client = HTTPClient(
      .init(userAgent: "t", maximumConnectionsPerHost: 1, maximumConnections: 8, stopLimit: .milliseconds(200)))
    let running = Task { try await client.run() }
    let slow = Task { await client.failure(local(server.url("/slow"))) }
    try await server.waitForRequests(1)
    let waiting = Task { await client.failure(local(server.url("/waiting"))) }
    let quick = try await client.send(local(server.url("/quick", host: "localhost")))
    #expect(quick.text == "in time")
    running.cancel()
    #expect(await waiting.value == .stopped)
    #expect(await slow.value == .uncertain(.stopped))
    try await running.value
    #expect(await client.failure(local(server.url("/late"))) == .stopped)
    await #expect(throws: HTTPClientError.stopped) { try await client.run() }
    #expect(!server.requests.contains { $0.contains("/waiting") || $0.contains("/late") })
  }

  @Test("A request in flight when the stop comes still gets its answer")
  func drain() async throws {
    let server = try ScriptedServer { connection in
      while let request = connection.read() {
        if request.contains("/drained") { connection.waitForRelease() }
        connection.answer("whole")
      }
    }
    defer { server.stop() }
    let client = HTTPClient(.init(userAgent: "t"))
    let running = Task { try await client.run() }
    let drained = Task { try await client.send(local(server.url("/drained"))) }
    try await server.waitForRequests(1)
    running.cancel()
    var late: HTTPClientError?
    while late != .stopped { late = try await refusal(client, server) }
    server.release()
    #expect(try await drained.value.text == "whole")
    try await running.value
  }

  /// nil while the client still takes requests.
  private func refusal(_ client: HTTPClient, _ server: ScriptedServer) async throws -> HTTPClientError? {
    do throws(HTTPClientError) {
      _ = try await client.send(local(server.url("/other")))
      return nil
    } catch {
      return error
    }
  }

  @Test("No error tells a secret")
  func descriptions() async throws {
    let server = try Self.silent()
    try await withClient(server) { client async throws in
      let secret = "hunter2"
      let headers = [("Authorization", secret)]
      var requests = [
        local(
          server.url("/?key=\(secret)"), method: "POST", headers: headers, body: secret, timeout: .milliseconds(50)),
        local("http://\(secret).invalid/?\(secret)", headers: headers),
        local("http://\(secret) /?\(secret)", headers: headers),
        local("http://[\(secret)/?\(secret)", headers: headers),
        local(server.url(), headers: [("X-Key", "\(secret)\r\n")]),
        local(server.url(), headers: [("\(secret)\r\n", "x")]),
        local(server.url(), method: "\(secret)\r\n"),
      ]
      requests.append(OutgoingRequest(method: "GET", url: server.url("/?\(secret)"), headers: headers))
      for request in requests {
        #expect(!"\(request) \(String(reflecting: request))".contains(secret) || request.method.contains(secret))
        let error = try #require(await client.failure(request))
        #expect(!"\(error)".contains(secret))
        #expect(!String(reflecting: error).contains(secret))
        #expect("\(error)".hasSuffix("."))
      }
    }
  }
}
