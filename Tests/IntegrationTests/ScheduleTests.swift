import Contract
import Formats
import Foundation
import Testing

/// Messages with a time of their own.
@Suite struct ScheduleTests {
  private static let phone = "+358401110003"

  private func inSeconds(_ seconds: Int64) -> String {
    (Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) + .seconds(seconds)).description
  }

  @Test("A message for later is scheduled, and goes when its time comes, not before")
  func later() async throws {
    let demo = try await Demo()
    let time = inSeconds(3)
    let id = try await demo.text(Self.phone, "Later", #","notBefore":"\#(time)""#)
    #expect(try await demo.message(id)["state"]?.string == "scheduled")
    let message = try await demo.wait(for: id, in: ["delivered"])
    #expect(message.timeline.first == "scheduled")
    let attempt = try #require(message.steps("attempt").first?["at"]?.string.flatMap { Instant($0) })
    #expect(attempt >= (try #require(Instant(time))))
    #expect(try await demo.phone(Self.phone) == ["Later"])
  }

  @Test("A scheduled message can be called back, and then never goes")
  func calledBack() async throws {
    let demo = try await Demo()
    let id = try await demo.text(Self.phone, "Never", #","notBefore":"\#(inSeconds(3600))""#)
    let cancelled = try await demo.call("DELETE", "/api/v1/messages/\(id)")
    #expect(cancelled.status == 200)
    #expect(cancelled.json["state"]?.string == "cancelled")
    // Calling it back again changes nothing, and one that is delivered can not be called back.
    #expect(try await demo.call("DELETE", "/api/v1/messages/\(id)").status == 200)
    let sent = try await demo.text(Self.phone, "Now")
    _ = try await demo.wait(for: sent, in: ["delivered"])
    let late = try await demo.call("DELETE", "/api/v1/messages/\(sent)")
    #expect(late.status == 409)
    #expect(late.json["error"]?["code"]?.string == "too-late")
    #expect(try await demo.message(id)["state"]?.string == "cancelled")
    #expect(try await demo.phone(Self.phone) == ["Now"])
  }

  @Test("A message that nobody takes in its time expires, and is not sent afterwards")
  func expiry() async throws {
    let demo = try await Demo()
    for carrier in ["fast", "global"] { try await demo.faults(carrier, #"{"down":true}"#) }
    let id = try await demo.text(Self.phone, "Too late", #","expiresAt":"\#(inSeconds(2))""#)
    let message = try await demo.wait(for: id, in: ["expired", "delivered", "unknown"])
    #expect(message["state"]?.string == "expired")
    #expect(message["error"]?["code"]?.string == "expired")
    #expect(message["error"]?["message"]?.string?.isEmpty == false)
    for carrier in ["fast", "global"] { try await demo.faults(carrier, "{}") }
    let next = try await demo.text(Self.phone, "In time")
    _ = try await demo.wait(for: next, in: ["delivered"])
    #expect(try await demo.phone(Self.phone) == ["In time"])
  }
}
