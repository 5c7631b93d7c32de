import Contract
import Network
import Runtime
import Sandbox
import Testing

@Suite struct HostileInputTests {
  @Test func damagedRequestsAreRefusedAndTheSandboxGoesOn() async throws {
    try await withSandbox { (sandbox) async throws in
      var random = SeededRandom(seed: 11)
      let whole: [(String, String)] = [
        ("/HTTPSMS", "S=H&UN=sandbox&P=sandbox&DA=358400000001&SA=Info&M=D83DDE00&DC=4&DR=1&V=10&UR=a&DU=1767225660"),
        ("/ClientDR/ClientDR", "UN=sandbox&P=sandbox"),
        (
          "/http-api.php",
          "action=sendsms&user=sandbox&password=sandbox&from=Info&to=1234567,7654321&text=Hi%F0%9F%98%80&maxsplit=3&"
            + "scheduledatetime=2026-01-01%2010:30:00"
        ),
        (
          "/sandbox/carriers/fast/faults",
          #"{"delayMs": 0, "refuse": {"code": -5, "share": 0}, "receipts": {"lost": 0}}"#
        ),
        ("/sandbox/phones/358400000001/messages", #"{"to": "358401111111", "text": "Hi"}"#),
        ("/sandbox/clock", #"{"advanceMs": 10}"#),
      ]
      for round in 0..<300 {
        let (path, body) = whole[round % whole.count]
        var bytes = Array(body.utf8)
        for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0...2, using: &random) {
          case 0: bytes.remove(at: place)
          case 1: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
          default: bytes.insert(contentsOf: [0x39, 0x39, 0x39, 0x39, 0x39, 0x39], at: place)
          }
        }
        let method = path == "/sandbox/clock" || path.hasSuffix("faults") ? "PUT" : "POST"
        // `silent` is the one fault after which no answer would come.
        let text = String(decoding: bytes, as: UTF8.self).replacing("silent", with: "")
        let answer = try await sandbox.ask(method, path, text)
        #expect((200..<504).contains(answer.status))
        if path.hasPrefix("/sandbox"), answer.status >= 400 { #expect(answer.errorCode?.isEmpty == false) }
        // A delay that was made by chance.
        try await sandbox.put("/carriers/fast/faults", "{}")
      }
      #expect(try await sandbox.ask("GET", "/sandbox/carriers").status == 200)
    }
  }

  @Test func whatIsTooLargeIsRefused() async throws {
    try await withSandbox { (sandbox) async throws in
      let long = String(repeating: "9", count: 70_000)
      #expect(try await sandbox.httpsms("DA=358400000001&SA=Info&M=\(long)").status == 413)
      #expect(try await sandbox.smsglobal("to=358400000001&from=Info&text=\(long)&maxsplit=255").text == "ERROR: 1\r\n")
      #expect(try await sandbox.ask("PUT", "/sandbox/clock", #"{"advanceMs": \#(long)}"#).status == 413)
      let numbers = (0..<1001).map { "35840000\($0 + 1000)" }.joined(separator: ",")
      #expect(
        try await sandbox.smsglobal("to=\(numbers)&from=Info&text=Hi").text == "ERROR: Invalid parameter: to\r\n")
      let text = String(repeating: "a", count: 29_000)
      try await sandbox.put("/carriers/fast", #"{"numbers": ["358401111111"]}"#)
      let sent = try await sandbox.ask(
        "POST", "/sandbox/phones/358400000001/messages", #"{"to": "358401111111", "text": "\#(text)"}"#)
      #expect(sent.status == 422 && sent.errorCode == "text-too-long")
    }
  }

  @Test func twoThatAnswerEachOtherDoNotGrowForEver() async throws {
    try await withSandbox { (sandbox) async throws in
      let text = String(repeating: "a", count: 400)
      try await sandbox.put("/phones/358400000001", #"{"answers": "{text}{text}{text}{text}"}"#)
      _ = try await sandbox.httpsms("DA=358400000001&SA=358401111111&M=\(text)")
      let answer = try #require(try await sandbox.messages(of: "358400000001", "sent").first)
      #expect(answer.text("text").count == 1000 && answer.text("text").hasSuffix("…"))
    }
  }
}
