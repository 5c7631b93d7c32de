import Formats
import Foundation
import Testing

/// Conversations and the operator's routes of the real program, with a phone that answers.
@Suite struct ConversationsTests {
  @Test("What goes out and what comes back is one conversation, across commands, a kill and a restart")
  func conversation() async throws {
    let demo = try await Demo()
    let id = try await demo.text(Demo.phone, "Räksmörgås?")
    _ = try await demo.wait(for: id, in: ["delivered"])
    let list = try await demo.until("/api/v1/conversations") { $0["items"]?[0]?["last"]?["kind"]?.string == "in" }
    let item = try #require(list["items"]?[0])
    #expect(item["peer"]?.string == Demo.phone)
    #expect(item["unread"]?.integer == 1)
    #expect(list["unread"]?.integer == 1)
    let found = try await demo.call("GET", "/api/v1/conversations?q=R%C3%84KSM%C3%96RG%C3%85S").json
    #expect(found["items"]?[0]?["match"]?["text"]?.string?.contains("Räksmörgås") == true)

    let path = "/api/v1/conversations/%2B358401234567"
    #expect(try await demo.call("POST", path + "/read", "{}").json["unread"]?.integer == 0)
    #expect(try await demo.call("GET", "/api/v1/conversations").json["unread"]?.integer == 0)

    // Another process writes into the same database.
    let sent = try await demo.commandJSON(["send", "--to", "+358401230001", "--text", "From a command"])
    let other = try #require(sent["id"]?.string)
    _ = try await demo.until("/api/v1/conversations") { $0["items"]?.array?.count == 2 }

    demo.program.kill(SIGKILL)
    _ = try await demo.program.waitForEnd()
    let again = try await Demo(folder: demo.folder, data: demo.data)
    let after = try await again.until("/api/v1/conversations") { $0["items"]?.array?.count == 2 }
    #expect(after["items"]?.array?.contains { $0["last"]?["id"]?.string == other } == true)
    let messages = try await again.call("GET", path + "/messages").json["items"]?.array ?? []
    #expect(messages.contains { $0["id"]?.string == id && $0["kind"]?.string == "out" })
  }

  @Test("The operator sees what a carrier did, tries it, and finds a message by the carrier's id")
  func operators() async throws {
    let demo = try await Demo()
    let answer = try await demo.call(
      "POST", "/api/v1/operator/carriers/fast/test", #"{"to":"\#(Demo.phone)"}"#, headers: ["Idempotency-Key": "one"])
    #expect(answer.status == 202)
    let id = try #require(answer.json["id"]?.string)
    let message = try await demo.wait(for: id, in: ["delivered"])
    let again = try await demo.call(
      "POST", "/api/v1/operator/carriers/fast/test", #"{"to":"\#(Demo.phone)"}"#, headers: ["Idempotency-Key": "one"])
    #expect(again.json["id"]?.string == id)
    let carrierID = try #require(message["timeline"]?.array?.compactMap { $0["carrierID"]?.string }.first)
    let found = try await demo.call("GET", "/api/v1/operator/messages/\(carrierID)").json
    #expect(found["id"]?.string == id)
    #expect(found["timeline"]?.array?.count == message["timeline"]?.array?.count)

    let carriers = try await demo.until("/api/v1/operator/carriers") {
      $0["items"]?.array?.first { $0["name"]?.string == "fast" }?["sentToday"]?.integer == 1
    }
    let fast = try #require(carriers["items"]?.array?.first { $0["name"]?.string == "fast" })
    #expect(fast["health"]?.string == "up")
    #expect(fast["numbers"]?[0]?.string == "+358457000001")
    #expect(fast["failedToday"]?.integer == 0)
  }
}

extension Demo {
  /// Asks until the answer is as it should become.
  func until(
    _ path: String, within limit: Duration = .seconds(20), _ isSo: (JSONValue) -> Bool
  ) async throws -> JSONValue {
    let end = ContinuousClock.now + limit
    while true {
      let answer = try await call("GET", path).json
      if isSo(answer) { return answer }
      guard ContinuousClock.now < end else { throw Failure("\(path) did not become what it should") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
