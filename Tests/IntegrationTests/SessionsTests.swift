import Formats
import Foundation
import Testing

/// People who sign in with a browser.
@Suite(.serialized, .demo())
struct SessionsTests {
  private static let phone = "+358401110000"

  private func password(_ demo: Demo) throws -> String {
    let match = demo.program.printed.firstMatch(of: /with the password (\S+)/)
    return String(try #require(match).1)
  }

  private func signIn(
    _ demo: Demo, _ password: String, as phone: String = phone, origin: String? = nil
  ) async throws -> RawCall.Answer {
    var headers = [(name: "Content-Type", value: "application/json")]
    if let origin { headers.append((name: "Origin", value: origin)) }
    return try await RawCall(
      method: "POST", path: "/api/v1/sessions", headers: headers,
      body: Array(#"{"phone":"\#(phone)","password":"\#(password)"}"#.utf8)
    ).send(to: demo.address)
  }

  /// The cookie as a browser sends it back.
  private func cookie(_ answer: RawCall.Answer) throws -> String {
    String(try #require(answer.all("set-cookie").first?.split(separator: ";").first))
  }

  private func call(
    _ demo: Demo, _ method: String, _ path: String, _ body: String? = nil, cookie: String, origin: String? = nil
  ) async throws -> RawCall.Answer {
    var headers = [(name: "Cookie", value: "theme=dark; \(cookie)")]
    if let origin { headers.append((name: "Origin", value: origin)) }
    if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    return try await RawCall(method: method, path: path, headers: headers, body: body.map { Array($0.utf8) })
      .send(to: demo.address)
  }

  @Test("Signing in sets a cookie that scripts can not read, that other sites can not use, and that ends")
  func cookieFlags() async throws {
    let demo = try Demo.current()
    let answer = try await signIn(demo, password(demo), as: "+358 40 111 0000")
    #expect(answer.status == 201)
    #expect(answer.json["account"]?["phone"]?.string == Self.phone)
    #expect(answer.json["restored"]?.bool == false)
    let flags = try #require(answer.all("set-cookie").first).components(separatedBy: "; ")
    #expect(flags[0].firstMatch(of: /^switchboard_session=[A-Za-z0-9_-]{43}$/) != nil)
    #expect(Set(flags.dropFirst()) == ["Path=/", "Max-Age=7776000", "HttpOnly", "SameSite=Lax"])
    // Nothing of it is in the body, where a script would find it.
    #expect(!answer.text.contains(flags[0].dropFirst(20)))
    let account = try await call(demo, "GET", "/api/v1/account", cookie: try cookie(answer))
    #expect(account.json["phone"]?.string == Self.phone)
  }

  @Test("A page that came over TLS gets a cookie that goes over TLS only")
  func secureCookie() async throws {
    let demo = try Demo.current()
    let origin = demo.address.replacing("http://", with: "https://")
    let answer = try await signIn(demo, password(demo), origin: origin)
    #expect(answer.status == 201)
    #expect(answer.all("set-cookie").first?.hasSuffix("; Secure") == true)
  }

  @Test("A write with the cookie must come from the exchange's own pages")
  func origin() async throws {
    let demo = try Demo.current()
    let cookie = try cookie(try await signIn(demo, password(demo)))
    let before = try await demo.kept()
    for origin in [
      nil, "null", "", "https://evil.example", demo.address + ".evil.example", demo.address + "@evil.example",
      "http://127.0.0.1", demo.address + "/", "HTTP" + demo.address.dropFirst(4),
    ] {
      for (method, path, body) in [
        ("POST", "/api/v1/messages", BadRequest.good), ("PATCH", "/api/v1/account", #"{"name":"Mallory"}"#),
        ("DELETE", "/api/v1/sessions/current", nil), ("POST", "/api/v1/inbox/take", nil),
      ] {
        let answer = try await call(demo, method, path, body, cookie: cookie, origin: origin)
        #expect(answer.status == 403, "\(method) \(path) from \(origin ?? "nowhere")")
        #expect(answer.code == "cross-site")
      }
    }
    #expect(try await demo.kept() == before)
    let account = try await call(demo, "GET", "/api/v1/account", cookie: cookie)
    #expect(account.json["name"]?.string == "Demo")
    let own = try await call(demo, "POST", "/api/v1/messages", BadRequest.good, cookie: cookie, origin: demo.address)
    #expect(own.status == 202)
  }

  @Test("Another site can not sign anybody in")
  func crossSiteSignIn() async throws {
    let demo = try Demo.current()
    let answer = try await signIn(demo, password(demo), origin: "https://evil.example")
    #expect(answer.status == 403)
    #expect(answer.all("set-cookie").isEmpty)
  }

  @Test("An account is changed by its person, field by field, and a bad change changes nothing")
  func account() async throws {
    let demo = try Demo.current()
    let cookie = try cookie(try await signIn(demo, password(demo)))
    let changed = try await call(
      demo, "PATCH", "/api/v1/account", #"{"name":"Aino","zone":"Europe/Helsinki","locale":null}"#, cookie: cookie,
      origin: demo.address)
    #expect(changed.status == 200)
    #expect(changed.json["name"]?.string == "Aino")
    #expect(changed.json["locale"]?.string == "en")
    for (field, why) in [
      (#""name":"\#(String(repeating: "n", count: 101))""#, "name has at most 100"),
      (#""name":7"#, "name must be a string"),
      (#""locale":"xx""#, "locale is one of"), (#""zone":"Moon; DROP TABLE""#, "zone is an IANA"),
      (#""zone":"""#, "zone is an IANA"),
      (#""region":"Finland""#, "region is an ISO"), (#""currency":"€""#, "currency is an ISO"),
    ] {
      // The other field is good, and is not changed either.
      let other = field.hasPrefix(#""name"#) ? #""region":"SE""# : #""name":"Bea""#
      let answer = try await call(
        demo, "PATCH", "/api/v1/account", "{\(other),\(field)}", cookie: cookie, origin: demo.address)
      #expect(answer.status == 422, "\(field)")
      #expect(answer.detail.contains(why), "\(answer.detail)")
    }
    let role = try await call(
      demo, "PATCH", "/api/v1/account", #"{"role":"admin"}"#, cookie: cookie, origin: demo.address)
    #expect(role.code == "unknown-field")
    let now = try await call(demo, "GET", "/api/v1/account", cookie: cookie)
    #expect(now.body == changed.body)
  }

  @Test("A wrong password, a number without an account and no number at all get the very same answer")
  func sameAnswer() async throws {
    let demo = try Demo.current()
    let answers = [
      try await signIn(demo, "not the password"), try await signIn(demo, "not the password", as: "+358401119999"),
      try await signIn(demo, "not the password", as: "nobody"),
    ]
    for answer in answers {
      #expect(answer.status == 401)
      #expect(answer.code == "wrong-credentials")
      #expect(answer.body == answers[0].body)
      #expect(answer.all("set-cookie").isEmpty)
    }
  }

  @Test("Signing out ends the session, its stream too, and no other session")
  func signOut() async throws {
    let demo = try Demo.current()
    let cookie = try cookie(try await signIn(demo, password(demo)))
    let other = try self.cookie(try await signIn(demo, password(demo)))
    let stream = try EventReader(demo.address, cookie: cookie)
    let answer = try await call(demo, "DELETE", "/api/v1/sessions/current", cookie: cookie, origin: demo.address)
    #expect(answer.status == 204)
    #expect(answer.all("set-cookie").first?.hasPrefix("switchboard_session=; Path=/; Max-Age=0;") == true)
    for (method, path) in [
      ("GET", "/api/v1/account"), ("GET", "/api/v1/messages"), ("DELETE", "/api/v1/sessions/current"),
    ] {
      #expect(try await call(demo, method, path, cookie: cookie, origin: demo.address).status == 401)
    }
    #expect(try await call(demo, "GET", "/api/v1/account", cookie: other).status == 200)
    // It is looked at when something happens, and now and then.
    _ = try await demo.text("+358401234506", "Something happens")
    try await stream.waitForEnd(within: .seconds(20))
    #expect(!stream.received.contains("message.queued"))
  }

  @Test(
    "A cookie that is none signs nobody in",
    arguments: [
      "switchboard_session=", "switchboard_session=x", "switchboard_session",
      "session=\(String(repeating: "a", count: 43))", "switchboard_session=\(String(repeating: "a", count: 4000))",
    ])
  func wrongCookie(_ cookie: String) async throws {
    let answer = try await call(Demo.current(), "GET", "/api/v1/account", cookie: cookie)
    #expect(answer.status == 401)
    #expect(answer.code == "not-signed-in")
  }
}

/// Guessing is slow.
@Suite(.demo())
struct SignInAttemptsTests {
  @Test("After ten wrong passwords even the right one has to wait, and the answer says how long")
  func tooMany() async throws {
    let demo = try Demo.current()
    let password = String(try #require(demo.program.printed.firstMatch(of: /with the password (\S+)/)).1)
    func attempt(_ password: String) async throws -> RawCall.Answer {
      try await RawCall(
        method: "POST", path: "/api/v1/sessions", headers: [("Content-Type", "application/json")],
        body: Array(#"{"phone":"+358401110000","password":"\#(password)"}"#.utf8)
      ).send(to: demo.address)
    }
    // Those that succeed do not count.
    for _ in 0..<12 { #expect(try await attempt(password).status == 201) }
    for _ in 0..<10 { #expect(try await attempt("wrong").status == 401) }
    for guess in ["wrong", password] {
      let answer = try await attempt(guess)
      #expect(answer.status == 429)
      #expect(answer.code == "too-many-attempts")
      #expect(answer.all("retry-after") == ["600"])
      #expect(answer.all("set-cookie").isEmpty)
    }
  }
}
