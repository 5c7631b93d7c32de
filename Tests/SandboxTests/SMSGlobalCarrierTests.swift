import Contract
import Network
import Runtime
import Sandbox
import Testing

@Suite struct SMSGlobalCarrierTests {
  private let to = "to=61400000001&from=61447100309"

  /// What follows `SMSGlobalMsgID:`.
  private func ids(_ answer: String) -> [String] {
    answer.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("SMSGlobalMsgID:") }.map { String($0.dropFirst(15)) }
  }

  @Test func aTextReachesItsPhoneAndStandsInTheLedger() async throws {
    try await withSandbox { (sandbox) async throws in
      let answer = try await sandbox.smsglobal("\(to)&text=S%C3%A4%C3%A4+%F0%9F%98%80&userfield=in_7")
      #expect(answer.status == 200 && answer.text.hasPrefix("OK: 0; Sent queued message ID: "))
      let id = try #require(ids(answer.text).first)
      #expect(id.count == 16 && UInt64(id) != nil)
      let messages = try await sandbox.messages(of: "61400000001")
      #expect(messages.map { $0.text("text") } == ["Sää 😀"])
      #expect(messages.map { $0.text("from") } == ["+61447100309"])
      let entry = try #require(try await sandbox.ledger("global").first)
      #expect(entry.text("id") == id && entry.text("reference") == "in_7" && entry.number("parts") == 1)
    }
  }

  @Test func severalNumbersGetALineEach() async throws {
    try await withSandbox { (sandbox) async throws in
      let answer = try await sandbox.smsglobal("to=61400000001,12,61400000002&from=Info&text=Hi")
      let records = answer.text.split(separator: "\r\n")
      #expect(records.count == 3 && records[1] == "ERROR: 11 SMSGlobalMsgID:")
      #expect(try await sandbox.ledger("global").map { $0.text("id") } == ids(answer.text))
    }
  }

  @Test func aTextLongerThanWhatIsPaidForIsRefused() async throws {
    try await withSandbox { (sandbox) async throws in
      let text = String(repeating: "a", count: 300)
      #expect(try await sandbox.smsglobal("\(to)&text=\(text)").text == "ERROR: 1\r\n")
      #expect(try await sandbox.smsglobal("\(to)&text=\(text)&maxsplit=2").text.hasPrefix("OK: 0;"))
      #expect(try await sandbox.ledger("global").map { $0.number("parts") } == [2])
    }
  }

  @Test func wrongCredentialsAndBrokenRequestsAreRefusedAndNotKept() async throws {
    try await withSandbox { (sandbox) async throws in
      #expect(try await sandbox.smsglobal("\(to)&text=Hi", user: "user=sandbox&password=x").text == "ERROR: 14\r\n")
      #expect(try await sandbox.smsglobal("to=61400000001&text=Hi").text == "ERROR: Missing parameter: from\r\n")
      #expect(try await sandbox.smsglobal("\(to)&text=%zz").text == "ERROR: 3\r\n")
      #expect(try await sandbox.ask("GET", "/http-api.php").text == "ERROR: No action requested\r\n")
      #expect(try await sandbox.ledger("global").isEmpty)
    }
  }

  @Test func aReceiptIsPushedUntilTheClientSaysOK() async throws {
    try await withSandbox { (sandbox) async throws in
      sandbox.answer.withLock { $0 = { _ in HTTPResponse(text: "Thank you") } }
      let id = try #require(ids(try await sandbox.smsglobal("\(to)&text=Hi").text).first)
      let form = try #require(try await sandbox.pushes(1).first)
      // The account's clock is ten hours ahead of UTC.
      #expect(
        form == [
          "path": "/global/receipt", "msgid": id, "dlrstatus": "DELIVRD", "dlr_err": "000", "donedate": "2601011000",
        ])
      sandbox.answer.withLock { $0 = { _ in HTTPResponse(text: "OK") } }
      try await waitUntil {
        try await sandbox.put("/clock", #"{"advanceMs": 100}"#)
        return sandbox.pushed.withLock { $0.count } > 1
      }
      #expect(try await sandbox.pushes(2)[1] == form)
      // Nothing is left to push.
      try await sandbox.put("/clock", #"{"advanceMs": 86400000}"#)
      _ = try await sandbox.smsglobal("\(to)&text=Again")
      #expect(try await sandbox.pushes(3).count == 3)
    }
  }

  @Test func aScheduledTextComesAtItsTime() async throws {
    try await withSandbox { (sandbox) async throws in
      let answer = try await sandbox.smsglobal("\(to)&text=Hi&scheduledatetime=2026-01-01%2010:30:00")
      #expect(answer.text.hasPrefix("SMSGLOBAL DELAY MSGID:") && answer.text.hasSuffix("\r\n"))
      #expect(try await sandbox.messages(of: "61400000001").isEmpty)
      try await sandbox.put("/clock", #"{"advanceMs": 1800000}"#)
      #expect(try await sandbox.messages(of: "61400000001").count == 1)
      #expect(try await sandbox.pushes(1).first?["donedate"] == "2601011030")
    }
  }

  @Test func aSharedNumberBringsTheAnswerBackWithItsUserfield() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await sandbox.smsglobal("\(to)&text=Hi&api=1&userfield=mine")
      let shared = try #require(try await sandbox.messages(of: "61400000001").first?.text("from"))
      #expect(shared.hasPrefix("+61447100") && shared != "+61447100309")
      let sent = try await sandbox.ask(
        "POST", "/sandbox/phones/61400000001/messages", #"{"to": "\#(shared)", "text": "Thanks 😀"}"#)
      #expect(sent.status == 201 && sent.json.text("carrier") == "global")
      let form = try #require(try await sandbox.pushes(2).first { $0["path"] == "/global/incoming" })
      #expect(form["to"] == String(shared.dropFirst()) && form["from"] == "61400000001")
      #expect(form["msg"] == "Thanks 😀" && form["userfield"] == "mine" && form["date"] == "2026-01-01 10:00:00")
    }
  }

  @Test func withoutAnAddressNothingIncomingIsTaken() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      _ = try await sandbox.smsglobal("\(to)&text=Hi")
      let sent = try await sandbox.ask(
        "POST", "/sandbox/phones/61400000001/messages", #"{"to": "61447100309", "text": "Hello"}"#)
      #expect(sent.status == 409 && sent.errorCode == "no-incoming-url")
      #expect(try await sandbox.messages(of: "61400000001", "sent").isEmpty)
    }
  }
}
