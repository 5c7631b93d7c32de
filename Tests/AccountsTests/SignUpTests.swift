import Accounts
import Contract
import Database
import Delivery
import Exchange
import Formats
import Network
import Runtime
import Testing

/// From a number to an account.
struct SignUpTests {
  @Test func aNumberACodeAndAPasswordMakeAnAccount() async throws {
    let bench = try Bench()
    let asked = await bench.ask("040 123 4567", ",\"locale\":\"fi\"")
    #expect(asked.status == 202)
    #expect(asked.json["phone"]?.string == Bench.aino)
    #expect(asked.json["expiresAt"]?.string == "2026-01-01T00:10:00.000Z")
    #expect(asked.json["resendAt"]?.string == "2026-01-01T00:00:30.000Z")
    let id = try asked.id()
    let code = try await bench.code()
    #expect(await bench.check(id, code).status == 204)
    #expect(await bench.check(id, code).status == 204)
    let verified = await bench.verify(
      id, code, #","acceptTerms":true,"locale":"fi","zone":"Europe/Helsinki""#)
    #expect(verified.status == 201)
    #expect(verified.json["created"]?.bool == true)
    #expect(verified.json["account"]?["phone"]?.string == Bench.aino)
    #expect(verified.json["account"]?["locale"]?.string == "fi")
    #expect(verified.json["account"]?["zone"]?.string == "Europe/Helsinki")
    #expect(verified.json["account"]?["region"]?.string == "FI")
    #expect(verified.json["account"]?["role"]?.string == "user")
    let cookie = try verified.session()
    #expect(await bench.call("GET", "/account", cookie: cookie).json == verified.json["account"])
    #expect(await bench.signIn().status == 201)
  }

  @Test(arguments: [
    ("en", "is your Switchboard code"), ("fi", "on Switchboard-koodisi"), ("zh-Hans", "验证码"),
  ])
  func theTextIsOnePartInOnesLanguageAndEndsAsBrowsersReadIt(locale: String, words: String) async throws {
    let bench = try Bench()
    #expect(await bench.ask(Bench.aino, ",\"locale\":\"\(locale)\"").status == 202)
    let text = try #require(try await bench.texts().first)
    #expect(text.contains(words))
    #expect(text.split(separator: "\n").last?.wholeMatch(of: /@sms\.example\.org #[0-9]{6}/) != nil)
    let records = try await bench.database.read { [outbox = bench.outbox] tx in
      try outbox.deliveries(of: .exchange, before: nil, limit: 1, tx: tx)
    }
    let record = try #require(records.first)
    #expect(record.parts == 1)
    #expect(record.deliveryClass == .code)
    #expect(record.isSealed)
    #expect(record.expires == Bench.start + .seconds(600))
  }

  @Test func aVeryLongHostCostsTheSentenceAndNotAPart() async throws {
    let host = "a." + String(repeating: "very-", count: 20) + "long.example.org"
    let bench = try Bench(SignUpPolicy(isOpen: true, region: "FI", countries: ["FI"], host: host))
    #expect(await bench.ask(Bench.aino, ",\"locale\":\"zh-Hans\"").status == 202)
    #expect(try await bench.texts().first?.hasPrefix("@\(host) #") == true)
    #expect(try await bench.count("SELECT SUM(parts) FROM deliveries") == 1)
  }

  @Test func theSameCodeIsSentAgainWhileItLastsAndThenANewOne() async throws {
    let bench = try Bench()
    let first = await bench.ask()
    bench.clock.advance(by: .seconds(29))
    let early = await bench.ask()
    #expect(early.status == 429)
    #expect(early.retryAfter == 1)
    bench.clock.advance(by: .seconds(1))
    let second = await bench.ask()
    #expect(second.status == 202)
    #expect(second.json["id"] == first.json["id"])
    #expect(second.json["expiresAt"] == first.json["expiresAt"])
    let texts = try await bench.texts()
    #expect(texts.count == 2)
    #expect(texts[0] == texts[1])
    bench.clock.advance(by: .seconds(571))
    let third = await bench.ask()
    #expect(third.status == 202)
    #expect(third.json["id"] != first.json["id"])
    let id = try first.id()
    #expect(await bench.check(id, String(texts[0].suffix(6))).status == 410)
  }

  @Test func aCodeIsUsedOnce() async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    let code = try await bench.code()
    #expect(await bench.verify(id, code).status == 201)
    for answer in [await bench.verify(id, code, password: "another password"), await bench.check(id, code)] {
      #expect(answer.status == 410)
      #expect(answer.code == "code-expired")
      #expect(answer.cookie == nil)
    }
    #expect(await bench.signIn().status == 201)
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_ups") == 0)
  }

  @Test func twoWhoVerifyAtOnceGetOneAccount() async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    let code = try await bench.code()
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<5 { group.addTask { await bench.verify(id, code).status } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.filter { $0 == 201 }.count == 1)
    #expect(statuses.filter { $0 == 410 }.count == 4)
    #expect(try await bench.count("SELECT COUNT(*) FROM accounts") == 1)
  }

  @Test func aCodeThatIsOverIsGone() async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    let code = try await bench.code()
    bench.clock.advance(by: .seconds(600))
    #expect(await bench.check(id, code).status == 410)
    #expect(await bench.verify(id, code).code == "code-expired")
    let now = bench.clock.now
    try await bench.database.transaction { [signUps = bench.signUps] tx in try signUps.prune(at: now, tx: tx) }
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_ups") == 0)
    #expect(await bench.check(id, code).status == 410)
  }

  @Test func whatIsRefusedLeavesTheCodeAsItWas() async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    let code = try await bench.code()
    for (password, more, status, error) in [
      ("short", #","acceptTerms":true"#, 422, "weak-password"),
      ("Password123", #","acceptTerms":true"#, 422, "weak-password"),
      ("040 123 4567", #","acceptTerms":true"#, 422, "weak-password"),
      ("aaaaaaaaaaaa", #","acceptTerms":true"#, 422, "weak-password"),
      (Bench.password, "", 422, "invalid-field"),
      (Bench.password, #","acceptTerms":false"#, 422, "invalid-field"),
      (Bench.password, #","acceptTerms":true,"zone":"Moon; DROP"# + "\"", 422, "invalid-field"),
      (Bench.password, #","acceptTerms":true,"locale":"sv""#, 422, "invalid-field"),
      (Bench.password, #","acceptTerms":true,"role":"admin""#, 422, "unknown-field"),
    ] {
      let answer = await bench.verify(id, code, password: password, more)
      #expect(answer.status == status, "\(password)\(more)")
      #expect(answer.code == error, "\(password)\(more)")
    }
    #expect(try await bench.count("SELECT COUNT(*) FROM accounts") == 0)
    #expect(await bench.verify(id, code).status == 201)
  }

  @Test(arguments: [
    ("{}", 422, "invalid-field"), (#"{"phone":7}"#, 422, "invalid-field"), (#"{"phone":""}"#, 422, "invalid-number"),
    (#"{"phone":"nobody"}"#, 422, "invalid-number"), (#"{"phone":"+35840"}"#, 422, "invalid-number"),
    (#"{"phone":"+358401234567","locale":"xx"}"#, 422, "invalid-field"),
    (#"{"phone":"+358401234567","website":7}"#, 422, "invalid-field"),
    (#"{"phone":"+358401234567","admin":true}"#, 422, "unknown-field"),
    ("[]", 422, "invalid-field"), ("{", 400, "malformed-json"), ("", 415, "unsupported-media-type"),
    // Sweden is not among the countries; premium rate, a service line and a satellite are nowhere.
    (#"{"phone":"+46701234567"}"#, 422, "number-not-served"), (#"{"phone":"+358600123456"}"#, 422, "number-not-served"),
    (#"{"phone":"+358800123456"}"#, 422, "number-not-served"),
    (#"{"phone":"+881612345678"}"#, 422, "number-not-served"),
    (#"{"phone":"+35891234567"}"#, 422, "number-not-served"),
  ])
  func badInputIsRefusedAndCountsNothing(body: String, status: Int, code: String) async throws {
    let bench = try Bench()
    let answer = await bench.call("POST", "/sign-ups", body.isEmpty ? nil : body)
    if body.isEmpty {
      #expect([400, 415].contains(answer.status))
    } else {
      #expect(answer.status == status, "\(answer.text)")
      #expect(answer.code == code)
    }
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_up_limits") == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM deliveries") == 0)
  }

  @Test func satellitesAreRefusedWhereAllCountriesAreServed() async throws {
    let bench = try Bench(SignUpPolicy(isOpen: true, region: "FI", countries: nil))
    #expect(await bench.ask("+46701234567").status == 202)
    #expect(await bench.ask("+881612345678").code == "number-not-served")
  }

  @Test(arguments: ["12345", "1234567", "12345a", "１２３４５６", " 12345", ""])
  func whatCanBeNoCodeIsNoGuess(code: String) async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    #expect(await bench.check(id, code).code == "invalid-field")
    #expect(try await bench.count("SELECT guesses FROM sign_ups") == 0)
  }

  @Test func anIdThatIsNoneIsNotFoundAndOneThatWasNeverGivenIsOver() async throws {
    let bench = try Bench()
    #expect(await bench.check("x", "123456").status == 404)
    #expect(await bench.check("acc_" + String(repeating: "0", count: 32), "123456").status == 404)
    #expect(await bench.check("sup_" + String(repeating: "0", count: 32), "123456").status == 410)
  }

  @Test func closedMeansClosedForAllThree() async throws {
    let bench = try Bench(SignUpPolicy(isOpen: false, region: "FI", countries: ["FI"]))
    let id = "sup_" + String(repeating: "0", count: 32)
    for answer in [await bench.ask(), await bench.check(id, "123456"), await bench.verify(id, "123456")] {
      #expect(answer.status == 403)
      #expect(answer.code == "sign-up-closed")
    }
    #expect(await bench.call("GET", "/start").json["signUp"]?.string == "closed")
  }

  @Test func otherSitesMayNothing() async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    let code = try await bench.code()
    for origin in ["https://evil.example", "null", "https://sms.example.org.evil.example"] {
      #expect(await bench.ask("+358401234568", origin: origin).code == "cross-site")
      for path in ["check", "verify"] {
        let body = #"{"code":"\#(code)","password":"\#(Bench.password)","acceptTerms":true}"#
        let answer = await bench.call("POST", "/sign-ups/\(id)/\(path)", body, origin: origin)
        #expect(answer.status == 403, "\(path) from \(origin)")
        #expect(answer.cookie == nil)
      }
    }
    #expect(await bench.ask("+358401234568", origin: "https://sms.example.org").status == 202)
  }

  @Test func aNumberThatHasAnAccountGetsANewPasswordAndEndsItsSessions() async throws {
    let bench = try Bench()
    let (cookie, account) = try await bench.signUp()
    bench.clock.advance(by: .seconds(3600))
    let id = try await bench.ask().id()
    let verified = await bench.verify(id, try await bench.code(), password: "helmikuun lumi")
    #expect(verified.status == 201)
    #expect(verified.json["created"]?.bool == false)
    #expect(verified.json["account"]?["id"]?.string == account.description)
    #expect(await bench.call("GET", "/account", cookie: cookie).status == 401)
    #expect(await bench.call("GET", "/account", cookie: try verified.session()).status == 200)
    #expect(await bench.signIn().status == 401)
    #expect(await bench.signIn(password: "helmikuun lumi").status == 201)
  }

  @Test func nobodyReadsTheCodesAndAnAnswerToOneGoesPastThem() async throws {
    let bench = try Bench()
    let operatorID = try await bench.account("+358409999999", role: .admin)
    let writer = try await bench.account("+358408888888")
    let earlier = try await bench.send(writer, to: Bench.aino)
    _ = await bench.ask()
    let now = bench.clock.now
    // Both went out, the code last.
    try await bench.database.transaction { tx in
      try tx.run("UPDATE deliveries SET leased = $2 WHERE id = $1", [.id(earlier), .instant(now - .seconds(60))])
      try tx.run("UPDATE deliveries SET leased = $2 WHERE id <> $1", [.id(earlier), .instant(now)])
    }
    let owner = try await bench.database.transaction { [inbox = bench.inbox] tx in
      var events = EventBatch()
      let text = IncomingText(
        sender: Bench.aino, recipient: "+358457000001", text: "Kiitos", reference: nil, at: nil, part: nil,
        digest: [1], raw: [])
      _ = try inbox.receive(text, from: 1, at: now, events: &events, tx: tx)
      return try tx.first("SELECT account FROM inbound", []) { $0.id(0) }
    }
    #expect(owner == writer.value)
    let mine = try await bench.database.read { [outbox = bench.outbox] tx in
      try outbox.deliveries(of: operatorID, before: nil, limit: 10, tx: tx)
    }
    #expect(mine.isEmpty)
  }
}
