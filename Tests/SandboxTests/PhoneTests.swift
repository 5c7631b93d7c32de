import Contract
import Runtime
import Sandbox
import Testing

@Suite struct PhoneTests {
  private let to = "DA=358400000001&SA=358401111111&ST=1"

  @Test func theDemoPhoneAnswers() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await sandbox.httpsms("DA=358401234567&SA=358401111111&ST=1&M=Hello")
      let form = try #require(try await sandbox.pushes(1).first)
      #expect(form["path"] == "/fast/incoming")
      #expect(form["INCOMING"] == "1#-1:358401234567:358401111111:1::1767225600::" + hex("You said: Hello"))
      #expect(try await sandbox.messages(of: "358401234567", "sent").first?.text("text") == "You said: Hello")
    }
  }

  @Test func anAnswerComesAfterItsDelay() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/phones/358400000001", #"{"answers": "{text}? {text}!", "answerDelayMs": 2000}"#)
      _ = try await sandbox.httpsms("\(to)&M=Hi")
      #expect(try await sandbox.messages(of: "358400000001", "all").count == 1)
      try await sandbox.put("/clock", #"{"advanceMs": 2000}"#)
      let part = try #require(try await sandbox.parts(1).first)
      #expect(part == "-1:358400000001:358401111111:1::1767225602::" + hex("Hi? Hi!"))
    }
  }

  @Test func theDefaultHoldsForEveryPhoneWithoutABehaviourOfItsOwn() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/phones/default", #"{"receipt": "failed"}"#)
      try await sandbox.put("/phones/358400000001", #"{"receipt": "delivered"}"#)
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=1")
      _ = try await sandbox.httpsms("DA=358400000002&SA=Info&M=Hi&DR=1")
      let parts = try await sandbox.parts(2)
      #expect(parts.contains { $0.contains(":358400000001:1:") } && parts.contains { $0.contains(":358400000002:3:") })
    }
  }

  @Test func aLongAnswerComesInPartsWithTheirHeaders() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      try await sandbox.put("/carriers/fast", #"{"numbers": ["+358401111111"]}"#)
      let text = String(repeating: "ä", count: 161)
      let sent = try await send(sandbox, text)
      #expect(sent.status == 201 && sent.json.number("parts") == 2)
      let envelope = try await sandbox.poll()
      let head = "-1:358400000001:358401111111:1::1767225600:050003010"
      #expect(
        envelope == "2#\(head)201:" + String(repeating: "E4", count: 153) + "#\(head)202:"
          + String(repeating: "E4", count: 8))
    }
  }

  @Test func whatLatinLacksComesAsUCS2() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      try await sandbox.put("/carriers/fast", #"{"numbers": ["358401111111"]}"#)
      _ = try await send(sandbox, "Ж😀")
      #expect(try await sandbox.poll() == "1#-1:358400000001:358401111111:4::1767225600::0416D83DDE00")
      // In the GSM alphabet, but not in Latin-1; too long for one part of UCS-2.
      _ = try await send(sandbox, String(repeating: "Ω", count: 71))
      let envelope = try await sandbox.poll()
      #expect(envelope.hasPrefix("2#-1:358400000001:358401111111:4::1767225600:050003010201:03A9"))
    }
  }

  @Test func aTextGoesToTheCarrierThatBroughtOneFromThere() async throws {
    try await withSandbox { (sandbox) async throws in
      let nobody = try await send(sandbox, "Hello?")
      #expect(nobody.status == 409 && nobody.errorCode == "no-carrier")
      _ = try await sandbox.smsglobal("to=358400000001&from=358401111111&text=Hi")
      #expect(try await send(sandbox, "Hello").json.text("carrier") == "global")
      _ = try await sandbox.httpsms("\(to)&M=Hi")
      #expect(try await send(sandbox, "Hello").json.text("carrier") == "fast")
    }
  }

  @Test func aSenderOfLettersTakesNoAnswers() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await sandbox.httpsms("DA=358401234567&SA=Info&M=Hi&DR=1")
      let sent = try await sandbox.ask(
        "POST", "/sandbox/phones/358401234567/messages", #"{"to": "Info", "text": "Hi"}"#)
      #expect(sent.status == 422 && sent.errorCode == "invalid-number")
      _ = try await sandbox.pushes(1)
      #expect(try await sandbox.messages(of: "358401234567", "sent").isEmpty)
    }
  }

  @Test func pushesToOnePhoneKeepTheirOrder() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast", #"{"numbers": ["358401111111"]}"#)
      for number in 0..<60 { #expect(try await send(sandbox, "\(number)").status == 201) }
      let texts = try await sandbox.parts(60).map { $0.split(separator: ":").last.map(String.init) ?? "" }
      #expect(texts == (0..<60).map { hex("\($0)") })
    }
  }

  @Test func phonesAreListedInPages() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await sandbox.httpsms("DA=358400000003,358400000001,358400000002&SA=Info&M=Hi")
      let first = try await sandbox.ask("GET", "/sandbox/phones?limit=2")
      #expect(first.items.map { $0.text("number") } == ["+358400000001", "+358400000002"])
      #expect(first.items.map { $0.number("messages") } == [1, 1])
      let next = first.json.text("next")
      let second = try await sandbox.ask("GET", "/sandbox/phones?limit=9&cursor=\(next)")
      #expect(second.items.map { $0.text("number") } == ["+358400000003", "+358401234567"])
      #expect(second.items.last?.text("answers") == "You said: {text}")
      #expect(second.json.isNull("next"))
    }
  }

  @Test func onlyTheLastMessagesAreKept() async throws {
    var configuration = SandboxConfiguration()
    configuration.bounds.messagesPerPhone = 3
    configuration.bounds.messages = 4
    configuration.bounds.phones = 2
    try await withSandbox(configuration) { (sandbox) async throws in
      for number in 0..<5 { _ = try await sandbox.httpsms("\(to)&M=\(number)") }
      #expect(try await sandbox.messages(of: "358400000001").map { $0.text("text") } == ["2", "3", "4"])
      for _ in 0..<2 { _ = try await sandbox.httpsms("DA=358400000002&SA=Info&M=Hi") }
      #expect(try await sandbox.messages(of: "358400000001").map { $0.text("text") } == ["3", "4"])
      _ = try await sandbox.httpsms("DA=358400000003&SA=Info&M=Hi")
      #expect(try await sandbox.messages(of: "358400000001").isEmpty)
      #expect(try await sandbox.messages(of: "358400000003").count == 1)
      #expect(try await sandbox.ledger("fast").count == 8)
    }
  }

  private func send(_ sandbox: TestSandbox, _ text: String) async throws -> TestSandbox.Answer {
    try await sandbox.ask(
      "POST", "/sandbox/phones/+358400000001/messages", #"{"to": "+358401111111", "text": "\#(text)"}"#)
  }

  private func hex(_ text: String) -> String {
    text.utf8.map { String($0, radix: 16).uppercased() }.joined()
  }
}
