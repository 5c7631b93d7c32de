import Database
import Formats
import Foundation
import Testing

/// Somebody who has a phone and nothing else, with the real program and the sandbox's phones.
@Suite(.serialized, .demo("--log-level", "debug"))
struct SignUpTests {
  private static let phone = "+358401234321"
  private static let password = "tammikuun lumi"

  private func post(
    _ path: String, _ body: String, cookie: String? = nil, method: String = "POST"
  ) async throws -> RawCall.Answer {
    let demo = try Demo.current()
    var headers = [(name: "Content-Type", value: "application/json"), (name: "Origin", value: demo.address)]
    if let cookie { headers.append((name: "Cookie", value: cookie)) }
    return try await RawCall(method: method, path: "/api/v1" + path, headers: headers, body: Array(body.utf8))
      .send(to: demo.address)
  }

  private func get(_ path: String, cookie: String) async throws -> RawCall.Answer {
    try await RawCall(method: "GET", path: "/api/v1" + path, headers: [(name: "Cookie", value: cookie)])
      .send(to: Demo.current().address)
  }

  private func cookie(_ answer: RawCall.Answer) throws -> String {
    String(try #require(answer.all("set-cookie").first?.split(separator: ";").first))
  }

  @Test("A code comes to the phone, makes an account, and what was sent is exported, deleted and had back")
  func journey() async throws {
    let demo = try Demo.current()
    let asked = try await post("/sign-ups", #"{"phone":"040 123 4321","locale":"fi"}"#)
    #expect(asked.status == 202)
    let id = try #require(asked.json["id"]?.string)
    #expect(asked.json["phone"]?.string == Self.phone)
    try await demo.wait(until: "the phone has the code") { try await !demo.phone(Self.phone).isEmpty }
    let text = try #require(try await demo.phone(Self.phone).first)
    let match = try #require(text.firstMatch(of: /\n@localhost #([0-9]{6})$/))
    let code = String(match.1)

    let wrong = try await post("/sign-ups/\(id)/check", #"{"code":"\#(code == "000000" ? "000001" : "000000")"}"#)
    #expect(wrong.code == "code-wrong")
    #expect(try await post("/sign-ups/\(id)/check", #"{"code":"\#(code)"}"#).status == 204)
    let body = #"{"code":"\#(code)","password":"\#(Self.password)","acceptTerms":true,"zone":"Europe/Helsinki"}"#
    let verified = try await post("/sign-ups/\(id)/verify", body)
    #expect(verified.status == 201)
    #expect(verified.json["created"]?.bool == true)
    let cookie = try cookie(verified)
    #expect(try await post("/sign-ups/\(id)/verify", body).code == "code-expired")

    let sent = try await post("/messages", #"{"to":"+358401234322","text":"Hei sieltä"}"#, cookie: cookie)
    let message = try #require(sent.json["id"]?.string)
    try await demo.wait(until: "it arrived") {
      try await get("/messages/\(message)", cookie: cookie).json["state"]?.string == "delivered"
    }
    let later = try await post(
      "/messages", #"{"to":"+358401234322","text":"Myöhemmin","notBefore":"\#(inAnHour)"}"#, cookie: cookie)
    #expect(later.status == 202)
    let waiting = try #require(later.json["id"]?.string)

    let account = try #require(verified.json["account"]?["id"]?.string)
    let export = try await demo.send("GET", demo.address + "/api/v1/account/export", nil, ["Cookie": cookie])
    #expect(export.status == 200)
    #expect(export.json["account"]?["id"]?.string == account)
    #expect(export.json["messages"]?.array?.compactMap { $0["text"]?.string } == ["Myöhemmin", "Hei sieltä"])
    #expect(export.json["messages"]?.array?.last?.timeline.last == "delivered")

    let deleted = try await post("/account", #"{"password":"\#(Self.password)"}"#, cookie: cookie, method: "DELETE")
    #expect(deleted.status == 202)
    #expect(deleted.all("clear-site-data") == ["\"cache\", \"storage\""])
    #expect(try await get("/account", cookie: cookie).status == 401)
    try await demo.wait(until: "what waited was called back") {
      try demo.number("SELECT COUNT(*) FROM deliveries WHERE state = 14") == 1
    }
    let back = try await post("/sessions", #"{"phone":"\#(Self.phone)","password":"\#(Self.password)"}"#)
    #expect(back.status == 201)
    #expect(back.json["restored"]?.bool == true)
    let again = try self.cookie(back)
    #expect(try await get("/messages/\(waiting)", cookie: again).json["state"]?.string == "cancelled")

    let log = demo.program.printed
    #expect(log.contains("DEBUG"))
    for secret in [code, Self.password, Self.phone] {
      #expect(!log.contains(secret), "\(secret) is in the log")
    }
  }

  @Test("The operator can not read the codes that go out")
  func operatorReadsNoCode() async throws {
    let demo = try Demo.current()
    #expect(try await post("/sign-ups", #"{"phone":"+358401239876"}"#).status == 202)
    try await demo.wait(until: "the phone has the code") { try await !demo.phone("+358401239876").isEmpty }
    let listed = try await demo.call("GET", "/api/v1/messages?limit=1000").json["items"]?.array ?? []
    #expect(!listed.contains { $0["to"]?.string == "+358401239876" })
  }

  private var inAnHour: String { Date(timeIntervalSinceNow: 3600).ISO8601Format() }
}

/// One address asks, and asks.
@Suite(.demo("--sign-ups-per-address", "3", "--sign-up-daily-codes", "100"))
struct SignUpFloodTests {
  @Test("Somebody who signs many numbers up is stopped, and everybody else is not")
  func flood() async throws {
    let demo = try Demo.current()
    var statuses: [Int] = []
    for number in 0..<8 {
      let answer = try await demo.send(
        "POST", demo.address + "/api/v1/sign-ups", #"{"phone":"+35840\#(1_000_000 + number * 10_007)"}"#, [:])
      statuses.append(answer.status)
    }
    #expect(statuses == [202, 202, 202, 429, 429, 429, 429, 429])
    #expect(try demo.number("SELECT COUNT(*) FROM deliveries WHERE class = 0") == 3)
    #expect(try await demo.text("+358401234567", "Others go on").isEmpty == false)
  }
}

/// What `serve` says to settings that do not fit.
struct SignUpSettingsTests {
  @Test("Sign-up that is open to no country does not start, and without the sandbox it is closed")
  func settings() async throws {
    let folder = try TemporaryFolder()
    let refused = try await RunningProgram.run(
      ["serve", "--data", folder.path + "/data", "--listen", "127.0.0.1:0", "--sign-up", "open"], folder: folder)
    #expect(refused.status != 0)
    #expect(refused.printed.contains("set region or signUpCountries"))
    let wrong = try await RunningProgram.run(
      [
        "serve", "--data", folder.path + "/data", "--listen", "127.0.0.1:0", "--sign-up", "open",
        "--sign-up-countries", "Finland",
      ], folder: folder)
    #expect(wrong.printed.contains("two capital letters"))
    let program = try RunningProgram(
      ["serve", "--data", folder.path + "/data", "--listen", "127.0.0.1:0"], folder: folder)
    let address = try await program.waitUntilPrinted { printed in
      printed.firstMatch(of: /takes requests\. address=(\S+)/).map { String($0.1) }
    }
    let answer = try await RawCall(
      method: "POST", path: "/api/v1/sign-ups", headers: [("Content-Type", "application/json")],
      body: Array(#"{"phone":"+358401234567"}"#.utf8)
    ).send(to: address)
    #expect(answer.status == 403)
    #expect(answer.code == "sign-up-closed")
    let start = try await RawCall(method: "GET", path: "/api/v1/start").send(to: address)
    #expect(start.json["signUp"]?.string == "closed")
    #expect(start.json["gateway"]?.bool == false)
  }
}
