import Database
import Formats
import Foundation
import Testing

/// Whatever is sent, the answer is a clear sentence, and nothing has changed.
@Suite(.serialized, .demo("--prices", "=0.05", "--daily-cap", "0.10"))
struct BadInputTests {
  @Test("Bad input gets its code and a sentence, and is not kept", arguments: BadRequest.all)
  func refused(_ request: BadRequest) async throws {
    let demo = try Demo.current()
    let before = try await demo.kept()
    let call = RawCall(
      method: request.method, path: request.path,
      headers: request.headers + [(name: "Authorization", value: "Bearer \(demo.key)")], body: request.body)
    let answer = try await call.send(to: demo.address)
    #expect(answer.status == request.status, "\(answer.text.prefix(500))")
    #expect(answer.code == request.code)
    #expect(answer.message.hasSuffix(".") && answer.message.contains(" "), "no sentence: \(answer.message)")
    #expect(
      request.names.isEmpty || answer.detail.contains(request.names), "\(answer.detail) does not name \(request.names)")
    #expect(answer.detail.utf8.count < 300, "as long as what was sent")
    #expect(answer.json["error"]?["docs"]?.string == "/docs/errors#\(request.code)")
    #expect(answer.all("content-type") == ["application/json"])
    #expect(try await demo.kept() == before)
  }

  @Test("None of them cost anything: the whole of the day's limit is left")
  func nothingWasSpent() async throws {
    let demo = try Demo.current()
    let spent = try demo.number("SELECT COUNT(*) FROM deliveries")
    for _ in spent..<2 { _ = try await demo.text("+358401234567", "Hello") }
    let answer = try await demo.raw("POST", "/api/v1/messages", BadRequest.good)
    #expect(answer.status == 402)
    #expect(answer.code == "spending-cap")
    #expect(answer.detail == "spent 0.10 of 0.10")
    #expect(try await demo.ids("/api/v1/messages").count == 2)
    // A limit stops the batch's messages one by one, too.
    let batch = try await demo.raw("POST", "/api/v1/batches", #"{"messages":[\#(BadRequest.good)]}"#)
    #expect(batch.json["items"]?[0]?["error"]?["code"]?.string == "spending-cap")
  }

  @Test("In a batch each bad message has its own error that names its place, and is not kept")
  func badMessagesOfABatch() async throws {
    let demo = try Demo.current()
    let before = try await demo.kept()
    let answer = try await demo.raw(
      "POST", "/api/v1/batches",
      #"{"messages":[5,{},{"to":"+1","text":"a"},{"to":"+358401234567","text":"a","x":1},{"to":"+358401234567","text":" "}]}"#
    )
    #expect(answer.status == 202)
    let errors = try #require(answer.json["items"]?.array).map { $0["error"] }
    #expect(
      errors.map { $0?["code"]?.string } == [
        "invalid-field", "invalid-field", "invalid-number", "unknown-field", "empty-text",
      ])
    #expect(errors[0]?["detail"]?.string == "messages[0] must be an object")
    #expect(errors[1]?["detail"]?.string == "messages[1].to is missing")
    #expect(errors[3]?["detail"]?.string == "messages[3].x")
    #expect(try await demo.kept() == before)
  }

  @Test("A body larger than JSON's own limit is read where the address takes it")
  func largeBatch() async throws {
    let demo = try Demo.current()
    let padded = #"{"messages":[0]\#(String(repeating: " ", count: 2 << 20))}"#
    let answer = try await demo.raw("POST", "/api/v1/batches", padded)
    #expect(answer.status == 202)
    #expect(answer.json["items"]?[0]?["error"]?["code"]?.string == "invalid-field")
  }

  @Test(
    "Whoever is nobody is told to sign in, whatever else is wrong",
    arguments: [
      nil, "", "Bearer", "Bearer ", "Bearer sb_wrong", "bearer \(String(repeating: "k", count: 10_000))",
      "Basic ZGVtbzpkZW1v", "Bearer sb_\u{E9}",
    ])
  func unknownKeys(_ authorization: String?) async throws {
    let demo = try Demo.current()
    let before = try await demo.kept()
    for (method, path) in [
      ("POST", "/api/v1/messages"), ("GET", "/api/v1/messages"), ("GET", "/api/v1/events"), ("GET", "/api/v1/account"),
      ("DELETE", "/api/v1/sessions/current"), ("POST", "/api/v1/inbox/take"),
    ] {
      var call = RawCall(method: method, path: path, headers: [("Content-Type", "application/json")])
      if let authorization { call.headers.append((name: "Authorization", value: authorization)) }
      if method == "POST" { call.body = Array("{".utf8) }
      let answer = try await call.send(to: demo.address)
      #expect(answer.status == 401, "\(method) \(path): \(answer.text)")
      #expect(answer.code == "not-signed-in")
      #expect(answer.all("www-authenticate") == ["Bearer"])
    }
    #expect(try await demo.kept() == before)
  }

  @Test("A key does only what its scopes say, and the refusal names the scope")
  func scopes() async throws {
    let demo = try Demo.current()
    let before = try await demo.kept()
    let key = try await demo.createKey("admin").key
    let user = try await demo.createKey("messages:send,messages:read,inbox:read").key
    for path in ["carriers", "messages/1"] {
      let answer = try await demo.raw("GET", "/api/v1/operator/\(path)", key: user)
      #expect(answer.code == "scope-missing")
      #expect(answer.detail == "admin")
    }
    let calls: [(String, String, String?, String)] = [
      ("POST", "/api/v1/messages", BadRequest.good, "messages:send"),
      ("POST", "/api/v1/batches", #"{"messages":[\#(BadRequest.good)]}"#, "messages:send"),
      ("POST", "/api/v1/messages/preview", #"{"text":"a"}"#, "messages:send"),
      ("DELETE", "/api/v1/messages/msg_\(String(repeating: "0", count: 32))", nil, "messages:send"),
      ("GET", "/api/v1/messages", nil, "messages:read"), ("GET", "/api/v1/events", nil, "messages:read"),
      ("GET", "/api/v1/messages/msg_\(String(repeating: "0", count: 32))", nil, "messages:read"),
      ("GET", "/api/v1/inbox", nil, "inbox:read"), ("POST", "/api/v1/inbox/take", nil, "inbox:read"),
      ("POST", "/api/v1/inbox/in_\(String(repeating: "0", count: 32))/read", nil, "inbox:read"),
      ("GET", "/api/v1/conversations", nil, "messages:read"),
      ("GET", "/api/v1/conversations/a/messages", nil, "messages:read"),
      ("POST", "/api/v1/conversations/a/read", nil, "inbox:read"), ("GET", "/api/v1/senders", nil, "messages:send"),
    ]
    for (method, path, body, scope) in calls {
      let answer = try await demo.raw(method, path, body, key: key)
      #expect(answer.status == 403, "\(method) \(path): \(answer.text)")
      #expect(answer.code == "scope-missing")
      #expect(answer.detail == scope)
    }
    #expect(try await demo.kept() == before)
  }

  @Test("Somebody else's message can be neither seen nor cancelled, and looks as if it were not there")
  func somebodyElses() async throws {
    let demo = try Demo.current()
    let mine = try #require(try await demo.ids("/api/v1/messages").first)
    let other = try await demo.createAccount("+358401110777", password: "a good long password")
    let key = try await demo.createKey("*", of: other).key
    let nothing = try await demo.raw("GET", "/api/v1/messages/msg_\(String(repeating: "0", count: 32))", key: key)
    for method in ["GET", "DELETE"] {
      let answer = try await demo.raw(method, "/api/v1/messages/\(mine)", key: key)
      #expect(answer.status == 404)
      #expect(answer.body == nothing.body)
    }
    #expect(try await demo.ids("/api/v1/messages", key: key).isEmpty)
  }

  @Test(
    "What is not HTTP is refused in the API's own form, and the program goes on",
    arguments: [
      ("GARBAGE\r\n\r\n", 400), ("GET /health/live HTTP/1.1\r\n\r\n", 400),
      ("GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      ("GET /health/live HTTP/3.0\r\nHost: a\r\n\r\n", 505),
      ("GET /health/live HTTP/1.1\nHost: a\n\n", 400),
      (
        "POST /api/v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400
      ),
      ("POST /api/v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST /api/v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n", 413),
      ("POST /api/v1/messages HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
      ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n", 431),
    ])
  func notHTTP(_ bytes: String, _ status: Int) async throws {
    let demo = try Demo.current()
    let answer = try await RawCall.exchange(Array(bytes.utf8), try RawConnection(demo.address))
    #expect(answer.status == status, "\(answer.text)")
    #expect(answer.code == (status == 413 ? "body-too-large" : "malformed-request"))
    #expect(answer.detail.hasSuffix("."))
    #expect(try await demo.call("GET", "/health/live").status == 200)
  }
}
