import Contract
import Runtime
import Sandbox
import Testing

@Suite struct HTTPSMSCarrierTests {
  private let to = "DA=358400000001&SA=358401111111&ST=1"

  @Test func aTextReachesItsPhoneAndStandsInTheLedger() async throws {
    try await withSandbox { (sandbox) async throws in
      let answer = try await sandbox.httpsms("\(to)&M=S%E4%E4+%80&DR=1&UR=ref-1")
      #expect(answer.status == 200)
      let words = answer.text.split(separator: " ", omittingEmptySubsequences: false)
      #expect(words.count == 3 && words[0] == "OK" && UInt64(words[1]) != nil && words[2] == "UR:ref-1")
      let messages = try await sandbox.messages(of: "+358400000001")
      #expect(messages.map { $0.text("text") } == ["Sää €"])
      #expect(messages.map { $0.text("from") } == ["+358401111111"])
      let entry = try #require(try await sandbox.ledger("fast").first)
      #expect(entry.text("id") == words[1] && entry.text("reference") == "ref-1")
      #expect(entry.text("to") == "+358400000001" && entry.text("from") == "+358401111111")
      #expect(entry.text("text") == "Sää €" && entry.number("parts") == 1)
      #expect(entry.text("at") == "2026-01-01T00:00:00.000Z")
    }
  }

  @Test func everyCodingOfATextIsRead() async throws {
    try await withSandbox { (sandbox) async throws in
      for fields in ["M=Hi", "M=%00Hi&DC=6", "M=D83DDE000416&DC=4", "M=00480069&DC=5"] {
        #expect(try await sandbox.httpsms("\(to)&\(fields)").text.hasPrefix("OK "))
      }
      let texts = try await sandbox.messages(of: "358400000001").map { $0.text("text") }
      #expect(texts == ["Hi", "@Hi", "😀Ж", "Hi"])
    }
  }

  @Test func aLongTextIsOneMessageOfSeveralParts() async throws {
    try await withSandbox { (sandbox) async throws in
      let text = String(repeating: "a", count: 400)
      _ = try await sandbox.httpsms("\(to)&M=\(text)")
      #expect(try await sandbox.messages(of: "358400000001").first?.number("parts") == 3)
      #expect(try await sandbox.ledger("fast").first?.text("text") == text)
      #expect(try await sandbox.httpsms("\(to)&M=\(text)\(text)").text == "ERR -25")
    }
  }

  @Test func aBinaryMessageIsKeptAsDigits() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await sandbox.httpsms("\(to)&M=CAFE&DC=2&UD=0401020304")
      let message = try #require(try await sandbox.messages(of: "358400000001").first)
      #expect(message.text("text").isEmpty && message.text("binary") == "0401020304CAFE")
    }
  }

  @Test func severalNumbersGetAnIDEachInTheirOrder() async throws {
    try await withSandbox { (sandbox) async throws in
      let answer = try await sandbox.httpsms("DA=358400000001,12,358400000002&SA=Info&M=Hi")
      let words = answer.text.split(separator: " ").map(String.init)
      #expect(words.count == 4 && words[2] == "-15")
      let ids = try await sandbox.ledger("fast").map { $0.text("id") }
      #expect(ids == [words[1], words[3]])
      let ascending = ids.compactMap { UInt64($0) }
      #expect(ascending == ascending.sorted() && Set(ids).count == 2)
    }
  }

  @Test func wrongCredentialsAndBrokenRequestsAreRefusedAndNotKept() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = try await sandbox.httpsms("\(to)&M=Hi", user: "UN=sandbox&P=Sandbox")
      #expect(login.status == 401 && login.text == "ERR -10")
      #expect(try await sandbox.httpsms("\(to)&M=Hi", user: "UN=nobody&P=sandbox").text == "ERR -10")
      let request = try await sandbox.httpsms("DA=358400000001&M=Hi")
      #expect(request.status == 400 && request.text == "ERR -25")
      #expect(try await sandbox.httpsms("\(to)&M=%zz").text == "ERR -25")
      #expect(try await sandbox.httpsms("DA=12&SA=Info&M=Hi").text == "ERR -15")
      #expect(try await sandbox.ask("HEAD", "/HTTPSMS?S=H&UN=sandbox&P=sandbox&\(to)&M=Hi").status == 400)
      #expect(try await sandbox.ledger("fast").isEmpty)
      #expect(try await sandbox.ask("GET", "/HTTPSMS?S=H&UN=sandbox&P=sandbox&\(to)&M=Hi").text.hasPrefix("OK "))
      #expect(try await sandbox.ledger("fast").count == 1)
    }
  }

  @Test func receiptsArePushedToTheClient() async throws {
    try await withSandbox { (sandbox) async throws in
      let id = try await sandbox.httpsms("\(to)&M=Hi&DR=1&UR=r1").text.split(separator: " ")[1]
      let form = try #require(try await sandbox.pushes(1).first)
      #expect(form["path"] == "/fast/receipt")
      #expect(form["INCOMING"] == "1#\(id):358401111111:358400000001:1::1767225600:r1:")
    }
  }

  @Test func receiptsWaitForAPollWhereNoAddressIsKnown() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      #expect(try await sandbox.poll() == "0#")
      let id = try await sandbox.httpsms("\(to)&M=Hi&DR=1").text.split(separator: " ")[1]
      _ = try await sandbox.httpsms("\(to)&M=Hi")
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=2")
      #expect(try await sandbox.poll() == "1#\(id):358401111111:358400000001:1::1767225600::")
      #expect(try await sandbox.poll() == "0#")
      let answer = try await sandbox.ask("POST", "/ClientDR/ClientDR", "UN=sandbox&P=wrong")
      #expect(answer.status == 401 && answer.text == "ERR -10")
    }
  }

  @Test func aPollBringsAHundredAtATime() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      for _ in 0..<11 {
        let numbers = (0..<10).map { "35840000000\($0)" }.joined(separator: ",")
        _ = try await sandbox.httpsms("DA=\(numbers)&SA=Info&M=Hi&DR=1")
      }
      #expect(try await sandbox.poll().hasPrefix("100#"))
      #expect(try await sandbox.poll().hasPrefix("10#"))
      #expect(try await sandbox.poll() == "0#")
    }
  }

  @Test func whatWaitsForAPollIsKeptWhenAnAddressIsTakenAway() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast", #"{"receiptURL": null}"#)
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=1")
      #expect(try await sandbox.poll().hasPrefix("1#"))
    }
  }

  @Test func aPhoneOutOfReachExpiresWhenTheClockSaysSo() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      try await sandbox.put("/phones/358400000001", #"{"receipt": "expired"}"#)
      try await sandbox.put("/phones/358400000002", #"{"receipt": "failed"}"#)
      try await sandbox.put("/phones/358400000003", #"{"receipt": "none"}"#)
      _ = try await sandbox.httpsms("DA=358400000001,358400000002,358400000003&SA=Info&M=Hi&DR=1&V=60")
      #expect(try await sandbox.messages(of: "358400000001").isEmpty)
      #expect(try await sandbox.messages(of: "358400000002").isEmpty)
      #expect(try await sandbox.messages(of: "358400000003").count == 1)
      let failed = try await sandbox.poll()
      #expect(failed.hasPrefix("1#") && failed.contains(":358400000002:3:1B:"))
      try await sandbox.put("/clock", #"{"advanceMs": 3599999}"#)
      #expect(try await sandbox.poll() == "0#")
      try await sandbox.put("/clock", #"{"advanceMs": 1}"#)
      let expired = try await sandbox.poll()
      #expect(expired.hasPrefix("1#") && expired.contains(":358400000001:5::1767229200:"))
    }
  }

  @Test func aTextForLaterComesLater() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=1&DU=1767225660")
      #expect(try await sandbox.messages(of: "358400000001").isEmpty)
      #expect(try await sandbox.ledger("fast").count == 1)
      try await sandbox.put("/clock", #"{"now": "2026-01-01T00:01:00Z"}"#)
      let message = try #require(try await sandbox.messages(of: "358400000001").first)
      #expect(message.text("at") == "2026-01-01T00:01:00.000Z")
      #expect(try await sandbox.poll().contains(":1::1767225660::"))
    }
  }
}
