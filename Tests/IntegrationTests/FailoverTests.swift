import Formats
import Foundation
import Testing

/// One carrier refuses, throttles, is silent or down: the message goes by the other, and the timeline says why.
@Suite struct FailoverTests {
  private static let phone = "+358401110001"

  /// Sends a text that the first carrier will not take, and gives the delivered message.
  private func sent(_ demo: Demo, _ text: String = "Hello") async throws -> JSONValue {
    let id = try await demo.text(Self.phone, text)
    return try await demo.wait(for: id, in: ["delivered", "rejected", "unknown"])
  }

  @Test("A carrier that refuses a message is passed over, and its reason is told")
  func refusing() async throws {
    let demo = try await Demo()
    try await demo.faults("fast", #"{"refuse":{"code":-15,"share":1}}"#)
    let message = try await sent(demo)
    #expect(message["state"]?.string == "delivered")
    #expect(message["carrier"]?.string == "global")
    #expect(message.says("refused", by: "fast"), "\(message)")
    #expect(message.steps("attempt").compactMap { $0["carrier"]?.string } == ["fast", "global"])
    #expect(try await demo.ledger("fast") == [])
    #expect(try await demo.phone(Self.phone) == ["Hello"])
  }

  @Test("A carrier that throttles is passed over")
  func throttling() async throws {
    let demo = try await Demo()
    // One message in a quarter of an hour: the first takes it.
    try await demo.faults("fast", #"{"throttle":{"perSecond":0.001}}"#)
    #expect(try await sent(demo, "First")["carrier"]?.string == "fast")
    let message = try await sent(demo, "Second")
    #expect(message["state"]?.string == "delivered")
    #expect(message["carrier"]?.string == "global")
    #expect(message.says("throttled", by: "fast"), "\(message)")
    // The next does not even try it.
    let third = try await sent(demo, "Third")
    #expect(third["carrier"]?.string == "global")
    #expect(third.steps("attempt").first?["detail"]?.string == "fast is throttled", "\(third)")
  }

  @Test("A carrier that says it is down is passed over")
  func down() async throws {
    let demo = try await Demo()
    try await demo.faults("fast", #"{"down":true}"#)
    let message = try await sent(demo)
    #expect(message["state"]?.string == "delivered")
    #expect(message["carrier"]?.string == "global")
    #expect(message.says("unavailable", by: "fast"), "\(message)")
    #expect(try await demo.phone(Self.phone) == ["Hello"])
  }

  @Test("A carrier that can not be reached is passed over, and soon not tried any more")
  func unreachable() async throws {
    let demo = try await Demo()
    // Port 1 is nobody's.
    _ = try await demo.commandJSON([
      "carrier", "create", "gone", "--profile", "httpsms", "--set", "url=http://127.0.0.1:1", "--set", "user=a",
      "--set",
      "password=b", "--set", "sender=Gone", "--rank", "1", "--allow-private",
    ])
    try await demo.wait(until: "a message was tried with the new carrier") {
      try await sent(demo).says("unavailable", by: "gone")
    }
    try await demo.wait(until: "the carrier counts as down") {
      try await sent(demo).steps("attempt").first?["detail"]?.string == "gone is down"
    }
  }

  @Test("A carrier that never answers may have taken the message: it goes by the other, marked as a possible double")
  func silent() async throws {
    let demo = try await Demo()
    try await demo.createQuickCarrier()
    try await demo.faults("fast", #"{"silent":true}"#)
    let message = try await sent(demo)
    #expect(message["state"]?.string == "delivered")
    #expect(message["carrier"]?.string == "global")
    #expect(message.says("uncertain", by: "quick"), "\(message)")
    #expect(message.steps("attempt").compactMap { $0["carrier"]?.string } == ["quick", "global"])
  }

  @Test("A silent carrier's receipt in time ends the attempt without a second send")
  func receiptInsteadOfAnswer() async throws {
    let demo = try await Demo()
    try await demo.createQuickCarrier(timeout: "3s")
    let before = try await demo.ledger("global").count
    try await demo.faults("fast", #"{"silent":true,"silentTakes":true,"receipts":{"delayMs":200}}"#)
    let id = try await demo.text(Self.phone, "Only once")
    let message = try await demo.wait(for: id, in: ["delivered"])
    #expect(message["carrier"]?.string == "quick")
    // Also when the attempt itself has ended without an answer.
    try await demo.wait(until: "the attempt's end is written down") {
      try await !demo.message(id).steps("uncertain").isEmpty
    }
    #expect(try await demo.message(id)["state"]?.string == "delivered")
    #expect(try await demo.ledger("fast").filter { $0 == "Only once" }.count == 1)
    #expect(try await demo.ledger("global").count == before)
    #expect(try await demo.phone(Self.phone) == ["Only once"])
  }

  @Test("When all carriers are down a message waits, and is delivered once one is back")
  func allDown() async throws {
    let demo = try await Demo()
    for carrier in ["fast", "global"] { try await demo.faults(carrier, #"{"down":true}"#) }
    let id = try await demo.text(Self.phone, "Patience")
    try await demo.wait(until: "both carriers were tried") {
      try await demo.message(id).steps("unavailable").count >= 2
    }
    let waiting = try await demo.message(id)
    #expect(waiting["state"]?.string == "queued")
    #expect(waiting.says("unavailable", by: "fast"))
    #expect(waiting.says("unavailable", by: "global"))
    for carrier in ["fast", "global"] { try await demo.faults(carrier, "{}") }
    let message = try await demo.wait(for: id, in: ["delivered", "unknown", "expired"], within: .seconds(60))
    #expect(message["state"]?.string == "delivered")
    #expect(try await demo.phone(Self.phone) == ["Patience"])
  }

  @Test("When every carrier refuses a message it is rejected, with the reason")
  func allRefuse() async throws {
    let demo = try await Demo()
    try await demo.faults("fast", #"{"refuse":{"code":-15,"share":1}}"#)
    try await demo.faults("global", #"{"refuse":{"code":102,"share":1}}"#)
    let message = try await sent(demo)
    #expect(message["state"]?.string == "rejected")
    #expect(message.says("refused", by: "fast"))
    #expect(message.says("refused", by: "global"))
    #expect(message["error"]?["message"]?.string?.contains("carrier") == true, "\(message)")
    #expect(try await demo.phone(Self.phone) == [])
  }

  @Test("A carrier that is disabled while messages wait for it hands them to the other")
  func disabledWhileWaiting() async throws {
    let demo = try await Demo()
    _ = try await demo.commandJSON(["carrier", "disable", "global"])
    try await demo.faults("fast", #"{"down":true}"#)
    let other = "+358401110002"
    let ids = [
      try await demo.text(Self.phone, "One"), try await demo.text(Self.phone, "Two"),
      try await demo.text(other, "Three"),
    ]
    try await demo.wait(until: "the carrier was tried") {
      try await !demo.message(ids[0]).steps("unavailable").isEmpty
    }
    _ = try await demo.commandJSON(["carrier", "enable", "global"])
    _ = try await demo.commandJSON(["carrier", "disable", "fast"])
    for id in ids {
      let message = try await demo.wait(for: id, in: ["delivered"], within: .seconds(60))
      #expect(message["carrier"]?.string == "global")
    }
    #expect(try await demo.phone(Self.phone) == ["One", "Two"])
    #expect(try await demo.phone(other) == ["Three"])
  }
}
