import Foundation
import HTTPClient
import Testing

@Suite("Requests and answers", .timeLimit(.minutes(1)))
struct RequestAnswerTests {
  @Test("A request arrives as it was given, and the answer comes back whole")
  func roundTrip() async throws {
    let server = try ScriptedServer { connection in
      while connection.read() != nil {
        connection.write(
          "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\nHTTP/1.1 202 Accepted\r\nX-Id:  a b \r\nx-id: second\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: t\r\n\r\n")
      }
    }
    try await withClient(server) { client async throws in
      let headers = [("Authorization", "Key 123"), ("X-Empty", ""), ("Content-Type", "text/plain")]
      let response = try await client.send(
        local(server.url("/send?to=1"), method: "POST", headers: headers, body: "Hei, maailma"))
      #expect(response.status == 202)
      #expect(response.text == "abcde")
      #expect(response.header("X-ID") == "a b")
      #expect(response.header("X-Early") == nil)
      #expect(response.header("X-Trailer") == nil)
    }
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("POST /send?to=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
    #expect(request.hasSuffix("\r\n\r\nHei, maailma"))
    let lines = request.components(separatedBy: "\r\n")
    #expect(lines.contains("Authorization: Key 123"))
    #expect(lines.contains("X-Empty:"))
    #expect(lines.contains("User-Agent: switchboard/test"))
    #expect(lines.contains("Content-Type: text/plain"))
    #expect(lines.contains("Content-Length: 12"))
    #expect(!request.lowercased().contains("expect:"))
    #expect(!request.lowercased().contains("accept-encoding:"))
    #expect(!request.lowercased().contains("cookie"))
  }

  @Test("A large body is sent at once, without asking first")
  func largeBody() async throws {
    let server = try ScriptedServer()
    try await withClient(server) { client async throws in
      let body = String(repeating: "x", count: 3_000_000)
      #expect(try await client.send(local(server.url(), method: "POST", body: body)).status == 200)
    }
    #expect(server.requests.first?.lowercased().contains("expect:") == false)
    #expect(server.requests.first?.hasSuffix(String(repeating: "x", count: 1000)) == true)
  }

  @Test("Methods follow one another on one connection, and none inherits from the one before")
  func methods() async throws {
    let server = try ScriptedServer { connection in
      while let request = connection.read() {
        request.hasPrefix("HEAD")
          ? connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") : connection.answer()
      }
    }
    let calls = [
      ("POST", "a=1"), ("GET", ""), ("HEAD", ""), ("DELETE", ""), ("PUT", ""), ("PATCH", "b"), ("POST", ""),
      ("GET", ""),
    ]
    try await withClient(server) { client async throws in
      for (method, body) in calls {
        #expect(try await client.send(local(server.url(), method: method, body: body)).status == 200)
      }
    }
    #expect(server.connections == 1)
    #expect(server.requests.map { String($0.prefix { $0 != " " }) } == calls.map(\.0))
    for (request, call) in zip(server.requests, calls) {
      #expect(request.hasSuffix("\r\n\r\n\(call.1)"))
      #expect(!request.lowercased().contains("content-type:"))
      #expect(request.contains("Content-Length:") == ["POST", "PUT", "PATCH"].contains(call.0))
    }
  }

  @Test("64 requests at a time are all answered, each with its own answer, over kept connections")
  func concurrent() async throws {
    let server = try ScriptedServer { connection in
      while let request = connection.read() {
        connection.answer(String(request.dropFirst(5).prefix { $0 != " " }))
      }
    }
    try await withClient(server) { client async throws in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<64 {
          group.addTask {
            for round in 0..<10 {
              let response = try await client.send(local(server.url("/\(worker)-\(round)")))
              #expect(response.text == "\(worker)-\(round)")
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(server.requests.count == 640)
    #expect(server.connections <= 64)
  }

  @Test("No more connections to one host than allowed; the rest wait their turn")
  func perHostLimit() async throws {
    let server = try ScriptedServer()
    let configuration = HTTPClient.Configuration(userAgent: "t", maximumConnectionsPerHost: 3)
    try await withClient(server, configuration) { client async throws in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            let response = try await client.send(local(server.url()))
            #expect(response.status == 200)
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(server.requests.count == 50)
    #expect(server.connections <= 3)
  }

  @Test("A connection that the server closed while it was idle is not used again")
  func idleClose() async throws {
    let server = try ScriptedServer { connection in
      _ = connection.read()
      connection.answer()
    }
    try await withClient(server) { client async throws in
      for expected in 1...5 {
        #expect(try await client.send(local(server.url(), method: "POST", body: "x")).status == 200)
        // The end of the connection arrives after the answer: wait for it, so that the case is the idle one.
        try await server.waitForRequests(expected)
        try await Task.sleep(for: .milliseconds(30))
      }
    }
    #expect(server.requests.count == 5)
    #expect(server.connections == 5)
  }

  @Test("A proxy that the environment names is not used")
  func environmentProxy() async throws {
    let server = try ScriptedServer()
    let proxy = "http://127.0.0.1:\(try ScriptedServer.closedPort())"
    for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { setenv(name, proxy, 1) }
    defer { for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { unsetenv(name) } }
    try await withClient(server) { client async throws in
      #expect(try await client.send(local(server.url())).status == 200)
    }
  }

  @Test("Cookies are not kept")
  func cookies() async throws {
    let server = try ScriptedServer { connection in
      while connection.read() != nil { connection.answer(headers: ["Set-Cookie: a=b"]) }
    }
    try await withClient(server) { client async throws in
      for _ in 0..<2 { _ = try await client.send(local(server.url())) }
    }
    #expect(server.requests.allSatisfy { !$0.lowercased().contains("cookie") })
  }
}
