import Accounts
import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Formats
import Network
import Runtime
import Testing

/// Sessions, passwords, the export, and the end of an account.
struct LeavingTests {
  // MARK: Sessions

  @Test func signingInGivesTheAccountAndTheListOfWhereOneIs() async throws {
    let bench = try Bench()
    let id = try await bench.account()
    let first = await bench.signIn()
    #expect(first.status == 201)
    #expect(first.json["account"]?["id"]?.string == id.description)
    #expect(first.json["account"]?["phone"]?.string == Bench.aino)
    #expect(first.json["restored"]?.bool == false)
    bench.clock.advance(by: .seconds(1))
    let second = try await bench.signIn("040 1234567").session()
    let cookie = try first.session()
    let listed = await bench.call("GET", "/sessions", cookie: cookie)
    let items = try #require(listed.json["items"]?.array)
    #expect(items.map { $0["current"]?.bool } == [false, true])
    #expect(items[0]["agent"]?.string == "Test/1")
    #expect(items[0]["createdAt"]?.string == "2026-01-01T00:00:01.000Z")
    #expect(items[0]["expiresAt"]?.string == "2026-04-01T00:00:01.000Z")
    let other = try #require(items[0]["id"]?.string)
    let ended = await bench.call("DELETE", "/sessions/\(other)", cookie: cookie)
    #expect(ended.status == 204)
    #expect(ended.response.headers["set-cookie"] == nil)
    #expect(await bench.call("GET", "/account", cookie: second).status == 401)
    #expect(await bench.call("DELETE", "/sessions/\(other)", cookie: cookie).status == 404)
    #expect(await bench.call("DELETE", "/sessions/x", cookie: cookie).status == 404)
    let out = await bench.call("DELETE", "/sessions/current", cookie: cookie)
    #expect(out.status == 204)
    #expect(out.response.headers["clear-site-data"] == "\"cache\", \"storage\"")
    #expect(out.response.headers["set-cookie"]?.hasPrefix("switchboard_session=; Path=/; Max-Age=0") == true)
  }

  @Test func nobodyEndsAnothersSessionAndAKeyNone() async throws {
    let bench = try Bench()
    let aino = try await bench.account()
    _ = try await bench.account("+358401111111")
    let cookie = try await bench.signIn().session()
    let mallory = try await bench.signIn("+358401111111").session()
    let listed = await bench.call("GET", "/sessions", cookie: cookie)
    let id = try #require(listed.json["items"]?.array?.first?["id"]?.string)
    #expect(await bench.call("DELETE", "/sessions/\(id)", cookie: mallory).status == 404)
    let now = bench.clock.now
    let key = try await bench.database.transaction { [accounts = bench.accounts] tx in
      try accounts.createKey(for: aino, name: nil, scopes: [.all], at: now, tx: tx).key
    }
    for (method, path, body) in [
      ("GET", "/sessions", nil), ("DELETE", "/sessions/\(id)", nil), ("DELETE", "/sessions/current", nil),
      ("GET", "/account/export", nil), ("DELETE", "/account", #"{"password":"\#(Bench.password)"}"#),
      ("POST", "/account/password", #"{"current":"\#(Bench.password)","new":"helmikuun lumi"}"#),
    ] {
      let answer = await bench.call(method, path, body, key: key)
      #expect(answer.status == 403, "\(method) \(path)")
      #expect(answer.code == "scope-missing")
    }
    for (method, path) in [("DELETE", "/sessions/\(id)"), ("POST", "/account/password"), ("DELETE", "/account")] {
      let answer = await bench.call(
        method, path, #"{"password":"\#(Bench.password)"}"#, cookie: cookie, origin: "https://evil.example")
      #expect(answer.code == "cross-site", "\(method) \(path)")
      #expect(await bench.call(method, path).status == 401)
    }
    #expect(await bench.call("GET", "/account", cookie: cookie).status == 200)
  }

  @Test func sessionsAreBounded() async throws {
    let bench = try Bench()
    _ = try await bench.account()
    let first = try await bench.signIn().session()
    for _ in 0..<AccountStore.mostSessions { #expect(await bench.signIn().status == 201) }
    #expect(try await bench.count("SELECT COUNT(*) FROM sessions") == AccountStore.mostSessions)
    #expect(await bench.call("GET", "/account", cookie: first).status == 401)
  }

  @Test func aHouseholdSignsInWithoutANumber() async throws {
    let bench = try Bench()
    #expect(await bench.call("GET", "/start").json["household"]?.bool == false)
    let id = try await bench.account(nil)
    #expect(await bench.call("GET", "/start").json["household"]?.bool == true)
    let answer = await bench.call("POST", "/sessions", #"{"password":"\#(Bench.password)"}"#)
    #expect(answer.json["account"]?["id"]?.string == id.description)
    _ = try await bench.account(nil, password: "somebody else's")
    #expect(await bench.call("GET", "/start").json["household"]?.bool == false)
    #expect(await bench.call("POST", "/sessions", #"{"password":"\#(Bench.password)"}"#).status == 401)
  }

  // MARK: The first look

  @Test func thePageStartsWithAllThatItNeeds() async throws {
    let bench = try Bench()
    let (cookie, id) = try await bench.signUp()
    let now = bench.clock.now
    try await bench.database.transaction { [inbox = bench.inbox] tx in
      var events = EventBatch()
      for number in 0..<3 {
        let text = IncomingText(
          sender: "+3581", recipient: "+3582", text: "x", reference: nil, at: nil, part: nil,
          digest: [UInt8(number)], raw: [])
        _ = try inbox.receive(text, from: 1, at: now, events: &events, tx: tx)
      }
      try tx.run("UPDATE inbound SET account = $1", [.id(id)])
    }
    let start = await bench.call("GET", "/start", cookie: cookie)
    #expect(start.status == 200)
    #expect(start.json["version"]?.string == "1.2.3")
    #expect(start.json["signUp"]?.string == "open")
    #expect(start.json["gateway"]?.bool == true)
    #expect(start.json["region"]?.string == "FI")
    #expect(start.json["countries"]?.array?.compactMap(\.string) == ["FI"])
    #expect(start.json["terms"]?.string == "2026-11")
    #expect(start.json["account"]?["id"]?.string == id.description)
    #expect(start.json["unread"]?.integer == 3)
    let first = await bench.start.first(
      for: .init(method: "GET", target: "/texts", headers: ["cookie": cookie]))
    #expect(try JSON.parse(first) == start.json)
    let nobody = await bench.call("GET", "/start", cookie: "switchboard_session=x")
    #expect(nobody.status == 200)
    #expect(nobody.json["account"]?.isNull == true)
    #expect(nobody.json["unread"]?.integer == 0)
    await bench.database.close()
    #expect(await bench.start.first(for: .init(method: "GET", target: "/")) == Array("{}".utf8))
  }

  // MARK: Passwords

  @Test func aNewPasswordSignsOutEverywhereButHere() async throws {
    let bench = try Bench()
    _ = try await bench.account()
    let here = try await bench.signIn().session()
    let there = try await bench.signIn().session()
    func change(_ current: String, _ new: String) async -> Bench.Answer {
      await bench.call("POST", "/account/password", #"{"current":"\#(current)","new":"\#(new)"}"#, cookie: here)
    }
    let wrong = await change("not it", "helmikuun lumi")
    #expect(wrong.status == 422)
    #expect(wrong.code == "wrong-password")
    #expect(await change(Bench.password, "salasana123").code == "weak-password")
    #expect(await change(Bench.password, "+358 (40) 123-4567").detail == "it is the phone number")
    #expect(await change(Bench.password, "helmikuun lumi").status == 204)
    #expect(await bench.call("GET", "/account", cookie: here).status == 200)
    #expect(await bench.call("GET", "/account", cookie: there).status == 401)
    #expect(await bench.signIn().status == 401)
    #expect(await bench.signIn(password: "helmikuun lumi").status == 201)
  }

  @Test func aBrowserLeftOpenDoesNotLetThePasswordBeGuessed() async throws {
    let bench = try Bench()
    _ = try await bench.account()
    let cookie = try await bench.signIn().session()
    for number in 0..<10 {
      let path =
        number.isMultiple(of: 2) ? ("DELETE", "/account", "password") : ("POST", "/account/password", "current")
      let body = #"{"\#(path.2)":"wrong \#(number)"\#(path.2 == "current" ? #","new":"helmikuun lumi""# : "")}"#
      #expect(await bench.call(path.0, path.1, body, cookie: cookie).code == "wrong-password")
    }
    let right = await bench.call("DELETE", "/account", #"{"password":"\#(Bench.password)"}"#, cookie: cookie)
    #expect(right.status == 429)
    #expect(try await bench.count("SELECT COUNT(*) FROM account_erasures") == 0)
  }

  @Test(arguments: [
    ("1234567", true), ("12345678", true), ("PASSWORD", true), ("Salasana123", true), ("abababab", true),
    ("0401234567", true), ("+358401234567", true), ("358 40 1234567", true), ("1234567 ", true),
    ("tammikuu", false), ("pässi-ja-kili", false), ("我爱北京天安门啊", false), ("98765432100", false),
  ])
  func passwordsThatAreTriedFirstAreRefused(password: String, isWeak: Bool) {
    let error: APIError?
    do throws(APIError) {
      try PasswordRule.check(password, phone: Bench.aino)
      error = nil
    } catch let refused { error = refused }
    #expect((error != nil) == isWeak, "\(error?.description ?? "taken")")
    if let error { #expect(!error.description.contains(password)) }
  }

  // MARK: The export

  @Test func theExportHasEverythingAndNoSecret() async throws {
    let bench = try Bench()
    let (_, id) = try await bench.signUp()
    let other = try await bench.account("+358405555555")
    try await bench.send(other, "Not mine")
    // More than two pages.
    for number in 0..<230 { try await bench.send(id, "Text \(number)") }
    let now = bench.clock.now
    let key = try await bench.database.transaction { [accounts = bench.accounts, inbox = bench.inbox] tx in
      var events = EventBatch()
      for number in 0..<101 {
        let text = IncomingText(
          sender: "+3581", recipient: "+3582", text: "In \(number)", reference: nil, at: nil, part: nil,
          digest: [UInt8(number)], raw: [])
        _ = try inbox.receive(text, from: 1, at: now, events: &events, tx: tx)
      }
      try tx.run("UPDATE inbound SET account = $1", [.id(id)])
      return try accounts.createKey(for: id, name: "Robot", scopes: [.messagesSend], at: now, tx: tx).key
    }
    let signedIn = await bench.signIn()
    let token = try signedIn.session().dropFirst("switchboard_session=".count)
    let response = await bench.call("GET", "/account/export", cookie: try signedIn.session())
    #expect(response.status == 200)
    #expect(
      response.response.headers["content-disposition"] == "attachment; filename=\"switchboard-2026-01-01.json\"")
    let stored = try await bench.database.read { [accounts = bench.accounts] tx in try accounts.account(id, tx: tx) }
    let account = try #require(stored)
    let bytes = Lock<[UInt8]>([])
    let head = try await bench.export.head(of: account, SessionID(ID128(high: 0, low: 0)), at: now)
    try await bench.export.write(head, id) { piece in bytes.withLock { $0 += piece } }
    let document = bytes.withLock { $0 }
    let json = try JSON.parse(document)
    #expect(json["account"]?["phone"]?.string == Bench.aino)
    #expect(json["terms"]?.array?.first?["version"]?.string == "2026-11")
    #expect(json["sessions"]?.array?.count == 2)
    #expect(json["keys"]?.array?.first?["name"]?.string == "Robot")
    #expect(json["keys"]?.array?.first?["scopes"]?.array?.first?.string == "messages:send")
    #expect(json["spending"]?.array?.first?["day"]?.string == "2026-01-01")
    #expect(json["spending"]?.array?.first?["amount"]?.string == "11.50")
    let messages = try #require(json["messages"]?.array)
    #expect(Set(messages.compactMap { $0["text"]?.string }) == Set((0..<230).map { "Text \($0)" }))
    #expect(messages.count == 230)
    #expect(messages[0]["timeline"]?.array?.first?["event"]?.string == "accepted")
    #expect(Set(json["inbox"]?.array?.compactMap { $0["text"]?.string } ?? []) == Set((0..<101).map { "In \($0)" }))
    let text = String(decoding: document, as: UTF8.self)
    for secret in [key, String(token), "argon2", try #require(account.password), "Not mine"] {
      #expect(!text.contains(secret), "\(secret)")
    }
  }

  // MARK: The end

  private func delete(_ bench: Bench, _ cookie: String) async -> Bench.Answer {
    await bench.call("DELETE", "/account", #"{"password":"\#(Bench.password)"}"#, cookie: cookie)
  }

  @Test func aDeletedAccountStopsAtOnceAndComesBackBySigningIn() async throws {
    let bench = try Bench()
    let (cookie, id) = try await bench.signUp()
    let now = bench.clock.now
    let key = try await bench.database.transaction { [accounts = bench.accounts] tx in
      try accounts.createKey(for: id, name: nil, scopes: [.all], at: now, tx: tx).key
    }
    #expect(await bench.call("GET", "/account", key: key).status == 200)
    let waiting = try await bench.send(id)
    let behind = try await bench.send(id)
    let scheduled = try await bench.send(id, notBefore: now + .seconds(3600))
    let wrong = await bench.call("DELETE", "/account", #"{"password":"wrong"}"#, cookie: cookie)
    #expect(wrong.code == "wrong-password")
    let deleted = await delete(bench, cookie)
    #expect(deleted.status == 202)
    #expect(deleted.json["erasesAt"]?.string == "2026-01-08T00:00:00.000Z")
    #expect(deleted.response.headers["clear-site-data"] != nil)
    #expect(await bench.call("GET", "/account", cookie: cookie).status == 401)
    #expect(await bench.call("GET", "/account", key: key).status == 401)

    // What waits is called back by a timer that is due at once.
    #expect(
      try await bench.count("SELECT COUNT(*) FROM timers WHERE due <= $1", [.instant(bench.clock.now)]) == 1)
    #expect(try await bench.erasure.run(id.description) == Bench.start + ErasureStore.grace)
    for delivery in [waiting, behind, scheduled] {
      let state = try await bench.database.read { [outbox = bench.outbox] tx in
        try outbox.delivery(delivery, tx: tx)?.state
      }
      #expect(state == .cancelled)
    }

    bench.clock.advance(by: ErasureStore.grace - .seconds(1))
    let back = await bench.signIn()
    #expect(back.status == 201)
    #expect(back.json["restored"]?.bool == true)
    bench.clock.advance(by: .seconds(10))
    #expect(try await bench.erasure.run(id.description) == nil)
    #expect(try await bench.count("SELECT COUNT(*) FROM timers") == 0)
    #expect(await bench.signIn().json["restored"]?.bool == false)
    #expect(try await bench.count("SELECT COUNT(*) FROM deliveries WHERE account = $1", [.id(id)]) == 3)
    // The key does not come back.
    #expect(await bench.call("GET", "/account", key: key).status == 401)
  }

  @Test func aCodeBringsADeletedAccountBackToo() async throws {
    let bench = try Bench()
    let (cookie, id) = try await bench.signUp()
    _ = await delete(bench, cookie)
    bench.clock.advance(by: .seconds(3600))
    let asked = await bench.ask()
    let verified = await bench.verify(try asked.id(), try await bench.code())
    #expect(verified.json["account"]?["id"]?.string == id.description)
    #expect(verified.json["created"]?.bool == false)
    #expect(try await bench.count("SELECT COUNT(*) FROM account_erasures") == 0)
  }

  @Test func afterSevenDaysNothingIsLeftOfItAndNothingOfOthersIsMissing() async throws {
    let bench = try Bench()
    let (cookie, id) = try await bench.signUp()
    let other = try await bench.account("+358405555555")
    try await bench.send(other)
    let now = bench.clock.now
    for number in 0..<450 { try await bench.send(id, to: "+35840\(7_000_000 + number)") }
    try await bench.database.transaction { [inbox = bench.inbox] tx in
      var events = EventBatch()
      for number in 0..<250 {
        let text = IncomingText(
          sender: "+3581", recipient: "+3582", text: "In", reference: nil, at: nil, part: nil,
          digest: [UInt8(number & 0xFF), UInt8(number >> 8)], raw: [])
        _ = try inbox.receive(text, from: 1, at: now, events: &events, tx: tx)
      }
      try tx.run("UPDATE inbound SET account = $1", [.id(id)])
      try tx.run(
        """
        INSERT INTO attempts (delivery, number, part, parts, carrier, started, ended, outcome, carrier_refused)
        SELECT id, 1, 1, 1, 1, 0, 0, 0, 0 FROM deliveries
        """)
      try tx.run(
        """
        INSERT INTO receipts (id, carrier, delivery, status, received, raw, waiting)
        SELECT id, 1, id, 0, 0, '', 0 FROM deliveries
        """)
      // What the conversations know: many texts with one, few with others.
      for account in [id, other] {
        try tx.run("INSERT INTO conversation_marks (account, outgoing, incoming) VALUES ($1, $1, $1)", [.id(account)])
        try tx.run(
          """
          INSERT INTO conversations (account, peer, folded_peer, last_id, last_kind)
          SELECT DISTINCT account, address, address, account, 0 FROM deliveries WHERE account = $1
          """, [.id(account)])
        try tx.run(
          """
          INSERT INTO conversation_entries (account, peer, id, kind)
          SELECT account, CASE WHEN address < '+358407000300' THEN address ELSE 'one' END, id, 0
          FROM deliveries WHERE account = $1
          """, [.id(account)])
        try tx.run(
          """
          INSERT INTO conversation_texts (account, id, kind, peer, folded)
          SELECT account, id, 0, address, 'hei' FROM deliveries WHERE account = $1
          """, [.id(account)])
      }
      try tx.run("INSERT INTO carrier_numbers (address, carrier, account) VALUES ('+1', 1, $1)", [.id(id)])
    }
    _ = await delete(bench, cookie)
    bench.clock.advance(by: ErasureStore.grace)
    // One that is under way is waited for.
    try await bench.database.transaction { tx in
      try tx.run(
        "UPDATE deliveries SET state = 2 WHERE id = (SELECT MAX(id) FROM deliveries WHERE account = $1)", [.id(id)])
    }
    #expect(try await bench.erasure.run(id.description) == bench.clock.now + .seconds(60))
    #expect(await bench.signIn().status == 401, "it is too late")
    try await bench.database.transaction { tx in try tx.run("UPDATE deliveries SET state = 13 WHERE state = 2") }
    #expect(try await bench.erasure.run(id.description) == nil)

    let mine: [Value] = [.id(id)]
    #expect(try await bench.count("SELECT COUNT(*) FROM accounts WHERE id = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM deliveries WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM inbound WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM sessions WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM api_keys WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM spending WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM events WHERE stream = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM streams WHERE stream = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM account_terms WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM account_erasures") == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM carrier_numbers WHERE account IS NOT NULL") == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM conversation_marks WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM conversations WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM conversation_entries WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM conversation_texts WHERE account = $1", mine) == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM conversation_texts") == 1)
    // The other's, and the code's.
    #expect(try await bench.count("SELECT COUNT(*) FROM deliveries") == 2)
    #expect(try await bench.count("SELECT COUNT(*) FROM attempts") == 2)
    #expect(try await bench.count("SELECT COUNT(*) FROM receipts") == 2)
    #expect(await bench.signIn("+358405555555").status == 201)
    // The number is free.
    let asked = await bench.ask()
    let again = await bench.verify(try asked.id(), try await bench.code())
    #expect(again.json["created"]?.bool == true)
  }
}
