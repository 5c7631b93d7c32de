import Runtime
import Testing

@testable import HTTPClient

@Suite("Redirects", .timeLimit(.minutes(1)))
struct RedirectTests {
  private static func redirecting(to location: String, _ status: String = "302 Found") throws -> ScriptedServer {
    try ScriptedServer { connection in
      while let request = connection.read() {
        if request.contains(" /old") {
          connection.answer(status: status, headers: ["Location: \(location)"])
        } else {
          connection.answer("arrived")
        }
      }
    }
  }

  private func request(_ url: String, method: String = "GET", redirects: Int = 3) -> OutgoingRequest {
    let headers = [
      ("Authorization", "Key 1"), ("X-Key", "2"), ("Accept", "text/plain"), ("Content-Type", "text/plain"),
    ]
    var request = local(url, method: method, headers: headers, body: method == "POST" ? "text" : "")
    request.maximumRedirects = redirects
    return request
  }

  @Test("A redirect is the answer unless redirects are allowed")
  func notFollowed() async throws {
    let server = try Self.redirecting(to: "/new")
    try await withClient(server) { client async throws in
      let response = try await client.send(request(server.url("/old"), redirects: 0))
      #expect(response.status == 302)
      #expect(response.header("location") == "/new")
    }
    #expect(server.requests.count == 1)
  }

  @Test("A loop ends with the redirect after the last that is allowed")
  func loop() async throws {
    let server = try Self.redirecting(to: "/old")
    try await withClient(server) { client async throws in
      #expect(try await client.send(request(server.url("/old"))).status == 302)
    }
    #expect(server.requests.count == 4)
  }

  @Test(
    "On the same server the headers stay, and the method as RFC 9110 has it",
    arguments: [
      ("301 Moved Permanently", "GET"), ("302 Found", "GET"), ("303 See Other", "GET"),
      ("307 Temporary Redirect", "POST"), ("308 Permanent Redirect", "POST"),
    ])
  func sameServer(status: String, method: String) async throws {
    let server = try Self.redirecting(to: "../new?x=1#part", status)
    try await withClient(server) { client async throws in
      #expect(try await client.send(request(server.url("/a/../old/1"), method: "POST")).text == "arrived")
    }
    let second = try #require(server.requests.last)
    #expect(second.hasPrefix("\(method) /new?x=1 HTTP/1.1\r\n"))
    #expect(second.contains("Authorization: Key 1\r\n"))
    #expect(second.hasSuffix(method == "POST" ? "\r\n\r\ntext" : "\r\n\r\n"))
    #expect(second.contains("Content-Type: text/plain\r\n") == (method == "POST"))
  }

  @Test("No redirect leads into the private network, even where the first server stands in it")
  func privateTarget() async throws {
    let other = try ScriptedServer()
    defer { other.stop() }
    let server = try Self.redirecting(to: other.url("/new"))
    try await withClient(server) { client async throws in
      #expect(await client.failure(request(server.url("/old"))) == .uncertain(.redirectRefused))
    }
    #expect(server.requests.count == 1)
    #expect(other.requests.isEmpty)
  }

  @Test(
    "Another server sees no key",
    arguments: [
      "https://other.example/new", "https://example.com:444/new", "//www.example.com/",
      "https://example.com@evil.example/",
      "https://example.com\\@evil.example/", "https://example.com./",
    ])
  func otherServer(location: String) throws {
    let response = OutgoingResponse(status: 307, headers: [("Location", location)])
    guard let next = Redirect.next(after: request("https://example.com/old", method: "POST"), response) else { return }
    #expect(next.headers.map(\.name) == ["Accept", "Content-Type"])
    #expect(!next.allowsPrivateAddresses)
    #expect(next.maximumRedirects == 3)
  }

  @Test(
    "The same server does",
    arguments: ["/new", "?x", "https://example.com/new", "HTTPS://EXAMPLE.com/", "//example.com"])
  func sameServer(location: String) throws {
    let response = OutgoingResponse(status: 307, headers: [("Location", location)])
    let next = try #require(Redirect.next(after: request("https://example.com/old", method: "POST"), response))
    #expect(next.headers.count == 4)
    #expect(next.allowsPrivateAddresses)
  }

  @Test("No redirect leads from https down to http")
  func downgrade() {
    let response = OutgoingResponse(status: 302, headers: [("Location", "http://example.com/")])
    #expect(Redirect.next(after: request("https://example.com/old"), response) == nil)
  }

  @Test(
    "No redirect leads out of http and https", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "", "http://"])
  func otherSchemes(location: String) async throws {
    let server = try Self.redirecting(to: location)
    try await withClient(server) { client async throws in
      var request = request(server.url("/old"))
      request.maximumRedirects = 1
      #expect(try await client.send(request).status == 302)
    }
  }

  @Test("Once the first server had it, a target that can not be reached is uncertain")
  func targetGone() async throws {
    let itself = Lock<ScriptedServer?>(nil)
    let server = try ScriptedServer { connection in
      _ = connection.read()
      itself.withLock { $0?.stopListening() }
      connection.answer(status: "303 See Other", headers: ["Location: /new", "Connection: close"])
    }
    itself.withLock { $0 = server }
    try await withClient(server) { client async throws in
      let error = await client.failure(request(server.url("/old"), method: "POST"))
      #expect(error == .uncertain(.connectFailed))
    }
    #expect(server.requests.count == 1)
  }
}
