import Contract
import Foundation
import Network
import Runtime
import Sandbox
import Testing

@Suite struct ControlTests {
  @Test func carriersAreListedWithoutTheSecretsOfTheirClient() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put(
        "/carriers/fast", #"{"receiptURL": "http://127.0.0.1:1/hooks/fast/s3cret", "numbers": ["+358401111111"]}"#)
      let answer = try await sandbox.ask("GET", "/sandbox/carriers")
      #expect(answer.items.map { $0.text("name") } == ["fast", "global"])
      #expect(answer.items.map { $0.text("kind") } == ["httpsms", "smsglobal"])
      #expect(answer.items[0].text("receiptURL") == "http://127.0.0.1:1/hooks/fast/…")
      #expect(answer.items[0].text("incomingURL").hasSuffix("/fast/…"))
      #expect(!answer.text.contains("s3cret") && !answer.text.contains("password"))
    }
  }

  @Test func carriersOfOneKindAreToldApartByTheirUsers() async throws {
    let carriers: [SandboxConfiguration.Carrier] = [
      .init(name: "a", kind: .httpsms, user: "anna", password: "1"),
      .init(name: "b", kind: .httpsms, user: "bert", password: "2"),
    ]
    try await withSandbox(isPushing: false, SandboxConfiguration(carriers: carriers)) { (sandbox) async throws in
      let text = "DA=358400000001&SA=Info&M=Hi"
      let sent = try await sandbox.httpsms(text, user: "UN=bert&P=2")
      #expect(sent.text.hasPrefix("OK "))
      #expect(try await sandbox.httpsms(text, user: "UN=anna&P=2").text == "ERR -10")
      #expect(try await sandbox.ledger("a").isEmpty)
      #expect(try await sandbox.ledger("b").count == 1)
      #expect(try await sandbox.ask("GET", "/http-api.php").status == 404)
    }
  }

  @Test func faultsReadAsTheyWereWritten() async throws {
    try await withSandbox { (sandbox) async throws in
      let none = try await sandbox.ask("GET", "/sandbox/carriers/fast/faults")
      #expect(none.json.isNull("refuse") && none.json.isNull("throttle") && none.json.bool("down") == false)
      try await sandbox.put(
        "/carriers/fast/faults",
        #"""
        {"delayMs": 5, "down": true, "silent": true, "silentTakes": true, "refuse": {"code": -20, "share": 0.25},
         "throttle": {"perSecond": 10}, "seed": 9,
         "receipts": {"delayMs": 7, "lost": 0.1, "doubled": 0.2, "beforeAnswer": 0.3, "shuffled": 0.4}}
        """#)
      let faults = try await sandbox.ask("GET", "/sandbox/carriers/fast/faults")
      #expect(faults.json.number("delayMs") == 5 && faults.json.bool("silentTakes") == true)
      #expect(faults.json.object("refuse").number("share") == 0.25)
      #expect(faults.json.object("throttle").number("perSecond") == 10)
      #expect(faults.json.object("receipts").number("shuffled") == 0.4 && faults.json.number("seed") == 9)
      // What was read can be written, and a part of it switches the rest off.
      try await sandbox.put("/carriers/fast/faults", faults.text)
      #expect(try await sandbox.ask("GET", "/sandbox/carriers/fast/faults").text == faults.text)
      try await sandbox.put("/carriers/fast/faults", "{}")
      let first = try await sandbox.ask("GET", "/sandbox/carriers/fast/faults").json
      #expect(first.bool("down") == false && first.isNull("refuse") && first.number("seed") == 9)
    }
  }

  @Test(arguments: [
    ("PUT", "/carriers/fast/faults", #"{"dwon": true}"#, 422, "dwon"),
    ("PUT", "/carriers/fast/faults", #"{"receipts": {"losst": 1}}"#, 422, "receipts.losst"),
    ("PUT", "/carriers/fast/faults", #"{"receipts": {"lost": 1.5}}"#, 422, "receipts.lost"),
    ("PUT", "/carriers/fast/faults", #"{"throttle": {"perSecond": 0}}"#, 422, "throttle.perSecond"),
    ("PUT", "/carriers/fast/faults", #"{"delayMs": -1}"#, 422, "delayMs"),
    ("PUT", "/carriers/fast/faults", #"{"delayMs": 9223372036854775807}"#, 422, "delayMs"),
    ("PUT", "/carriers/fast/faults", #"{"down": "yes"}"#, 422, "down"),
    ("PUT", "/carriers/fast/faults", "[]", 400, "JSON"),
    ("PUT", "/carriers/nobody/faults", "{}", 404, "carrier"),
    ("PUT", "/carriers/fast", #"{"receiptURL": "ftp://a"}"#, 422, "receiptURL"),
    ("PUT", "/carriers/fast", #"{"incomingURL": "http://a b"}"#, 422, "incomingURL"),
    ("PUT", "/carriers/fast", #"{"numbers": ["Info"]}"#, 422, "numbers"),
    ("PUT", "/phones/358400000001", #"{"receipt": "lost"}"#, 422, "receipt"),
    ("PUT", "/phones/12", "{}", 404, "phone"),
    ("POST", "/phones/358400000001/messages", #"{"to": "358401111111"}"#, 422, "text"),
    ("POST", "/phones/358400000001/messages", #"{"to": "358401111111", "text": ""}"#, 422, "no text"),
    ("GET", "/phones/358400000001/messages?direction=up", "", 422, "direction"),
    ("GET", "/phones?limit=0", "", 422, "limit"),
    ("GET", "/phones?page=1", "", 422, "page"),
    ("PUT", "/clock", #"{"advanceMs": 1, "now": "2026-01-01T00:00:00Z"}"#, 422, "advanceMs"),
    ("PUT", "/clock", #"{"now": "2025-12-31T23:59:59Z"}"#, 422, "forward"),
    ("PUT", "/clock", #"{"now": "9999-01-01T00:00:00Z"}"#, 422, "9000"),
    ("DELETE", "/clock", "", 405, "GET, HEAD, PUT"),
    ("GET", "/nothing", "", 404, "page"),
  ])
  func whatIsWrongIsSaid(method: String, path: String, body: String, status: Int, word: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let answer = try await sandbox.ask(method, "/sandbox\(path)", body)
      #expect(answer.status == status)
      #expect(answer.errorCode?.isEmpty == false && answer.errorMessage.contains(word), "\(answer.text)")
    }
  }

  @Test func theClockMovesTheSandboxOnly() async throws {
    try await withSandbox { (sandbox) async throws in
      #expect(try await sandbox.ask("GET", "/sandbox/clock").text == #"{"now":"2026-01-01T00:00:00.000Z"}"#)
      let moved = try await sandbox.ask("PUT", "/sandbox/clock", #"{"advanceMs": 90000}"#)
      #expect(moved.text == #"{"now":"2026-01-01T00:01:30.000Z"}"#)
      sandbox.clock.advance(by: .seconds(1))
      #expect(try await sandbox.ask("GET", "/sandbox/clock").text == #"{"now":"2026-01-01T00:01:31.000Z"}"#)
      #expect(sandbox.clock.now == Instant("2026-01-01T00:00:01Z"))
    }
  }

  @Test func aStrangersPageReachesNothing() async throws {
    try await withSandbox { (sandbox) async throws in
      for host in ["evil.example", "evil.example:\(sandbox.port)", "127.0.0.1.evil.example", "[::1"] {
        let answer = try await sandbox.ask("GET", "/sandbox/carriers", headers: [("Host", host)])
        #expect(answer.status == 403 || answer.status == 400, "\(host)")
      }
      for host in ["localhost:1", "[::1]:8090", "127.0.0.1", "192.168.1.2:80"] {
        #expect(try await sandbox.ask("GET", "/sandbox/carriers", headers: [("Host", host)]).status == 200, "\(host)")
      }
      let body = #"{"to": "358401111111", "text": "Hi"}"#
      let path = "/sandbox/phones/358400000001/messages"
      let form = try await sandbox.ask("POST", path, body, type: "text/plain")
      #expect(form.status == 415 && form.errorCode == "unsupported-media-type")
      let other = try await sandbox.ask("POST", path, body, headers: [("Origin", "https://evil.example")])
      #expect(other.status == 403 && other.errorCode == "cross-site")
      let own = try await sandbox.ask("POST", path, body, headers: [("Origin", sandbox.url)])
      #expect(own.errorCode == "no-carrier")
    }
  }

  @Test func otherMachinesReachItOnlyWhereThatIsWanted() async throws {
    let loops = try EventLoopGroup()
    defer { loops.stop() }
    for host in ["0.0.0.0", "192.168.1.2", "::", "example.com"] {
      await #expect(throws: SandboxError.notLoopback) {
        _ = try await SandboxServer(configuration: .init(host: host, port: 0), loops: loops, log: .silent).start()
      }
    }
    let wanted = SandboxConfiguration(host: "0.0.0.0", port: 0, allowsOtherMachines: true)
    #expect(try await SandboxServer(configuration: wanted, loops: loops, log: .silent).start().port > 0)
  }

  @Test func carriersThatCanNotBeToldApartAreRefused() async throws {
    let loops = try EventLoopGroup()
    defer { loops.stop() }
    let wrong: [([SandboxConfiguration.Carrier], SandboxError)] = [
      ([.init(name: "a", kind: .httpsms), .init(name: "b", kind: .httpsms)], .doubledUser("b")),
      ([.init(name: "a", kind: .httpsms), .init(name: "a", kind: .smsglobal)], .doubledName("a")),
      ([.init(name: "../a", kind: .httpsms)], .invalidName),
      ([.init(name: "a", kind: .httpsms, password: "")], .emptyCredentials("a")),
    ]
    for (carriers, error) in wrong {
      await #expect(throws: error) {
        _ = try await SandboxServer(configuration: .init(port: 0, carriers: carriers), loops: loops, log: .silent)
          .start()
      }
    }
  }
}
