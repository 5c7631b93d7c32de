import Database
import Formats
import Foundation
import Testing

/// What comes in at the carriers' door: doubled, forged, unreadable, or about nothing of ours.
@Suite(.serialized, .demo())
struct CallbackTests {
  private static let form = (name: "Content-Type", value: "application/x-www-form-urlencoded")

  private func call(_ path: String, _ form: String) async throws -> RawCall.Answer {
    try await RawCall(method: "POST", path: path, headers: [Self.form], body: Array(form.utf8))
      .send(to: Demo.current().address)
  }

  /// A text that its carrier took, and whose receipt the sandbox keeps to itself.
  private func submitted(_ demo: Demo) async throws -> (id: String, carrierID: String) {
    try await demo.faults("global", #"{"receipts":{"lost":1}}"#)
    let id = try await demo.text("+358401239999", "Did it arrive?", #","carrier":"global""#)
    let message = try await demo.wait(for: id, in: ["submitted"])
    let step = message["timeline"]?.array?.first { $0["event"]?.string == "submitted" }
    return (id, try #require(step?["carrierID"]?.string))
  }

  @Test("The same receipt twice has one effect: one event, and no second line in the timeline")
  func doubledReceipt() async throws {
    let demo = try Demo.current()
    let (id, carrierID) = try await submitted(demo)
    let path = try await demo.callback(of: "global")
    let events = try EventReader(demo.address, key: demo.key)
    let receipt = "msgid=\(carrierID)&dlrstatus=DELIVRD&dlr_err=000&donedate=2611300600"
    for _ in 0..<3 {
      let answer = try await call(path, receipt)
      #expect(answer.status == 200)
      #expect(answer.text == "OK")
    }
    let message = try await demo.wait(for: id, in: ["delivered"])
    #expect(message.timeline == ["accepted", "attempt", "submitted", "delivered"])
    // What comes after it on the stream says that no second one came before.
    let marker = try await demo.text("+358401239998", "Marker", #","carrier":"global""#)
    let seen = try await events.events { $0.contains { $0.json["data"]?["id"]?.string == marker } }
    let delivered = seen.filter { $0.type == "message.delivered" && $0.json["data"]?["id"]?.string == id }
    #expect(delivered.count == 1)
  }

  @Test("A receipt that says otherwise later corrects nothing that was delivered, and stands in the timeline once")
  func contradictingReceipt() async throws {
    let demo = try Demo.current()
    let (id, carrierID) = try await submitted(demo)
    let path = try await demo.callback(of: "global")
    _ = try await call(path, "msgid=\(carrierID)&dlrstatus=DELIVRD&dlr_err=000&donedate=2611300600")
    for _ in 0..<2 {
      let answer = try await call(path, "msgid=\(carrierID)&dlrstatus=UNDELIV&dlr_err=001&donedate=2611300601")
      #expect(answer.status == 200)
    }
    let message = try await demo.wait(for: id, in: ["delivered"])
    #expect(message.timeline.filter { $0 == "receipt" }.count == 1)
  }

  @Test("The same incoming text twice is in the inbox once; another with the same words is another")
  func doubledText() async throws {
    let demo = try Demo.current()
    let path = try await demo.callback(of: "global")
    let before = try await demo.ids("/api/v1/inbox").count
    let text = "from=358401238888&to=447700900123&msg=Is+it+warm%3F&date=2026-11-30+12:00:00"
    for _ in 0..<3 { #expect(try await call(path, text).status == 200) }
    #expect(try await demo.ids("/api/v1/inbox").count == before + 1)
    let later = "from=358401238888&to=447700900123&msg=Is+it+warm%3F&date=2026-11-30+12:05:00"
    #expect(try await call(path, later).status == 200)
    #expect(try await demo.ids("/api/v1/inbox").count == before + 2)
  }

  @Test("A wrong secret, an unknown carrier and no secret get the same answer, and nothing is kept")
  func forged() async throws {
    let demo = try Demo.current()
    let path = try await demo.callback(of: "global")
    let text = "from=358401238888&to=447700900123&msg=Forged&date=2026-11-30+13:00:00"
    let inbox = try await demo.ids("/api/v1/inbox").count
    let unread = try demo.number("SELECT COUNT(*) FROM unread_callbacks")
    let receipts = try demo.number("SELECT COUNT(*) FROM receipts")
    let secret = try #require(path.split(separator: "/").last)
    var answers: [[UInt8]] = []
    for forged in [
      "/hooks/global/wrong", "/hooks/nobody/\(secret)", "/hooks/fast/\(secret)", "/hooks/global/\(secret.dropLast())",
      "/hooks/global/\(secret)x", "/hooks/global/%00", "/hooks/GLOBAL/\(secret)",
    ] {
      let answer = try await call(forged, text)
      #expect(answer.status == 404, "\(forged)")
      if !forged.contains("%00") { answers.append(answer.body) }
    }
    #expect(Set(answers).count == 1)
    #expect(try await demo.ids("/api/v1/inbox").count == inbox)
    #expect(try demo.number("SELECT COUNT(*) FROM unread_callbacks") == unread)
    #expect(try demo.number("SELECT COUNT(*) FROM receipts") == receipts)
  }

  @Test(
    "What can not be read is kept as it came and answered with an error, so that the carrier sends it again",
    arguments: [
      "hello=1", "", "msgid=abc&dlrstatus=DELIVRD", "msg=%ff%fe", "%zz=1", String(repeating: "a=1&", count: 2000),
    ])
  func unreadable(_ form: String) async throws {
    let demo = try Demo.current()
    let path = try await demo.callback(of: "global")
    let before = try demo.number("SELECT COUNT(*) FROM unread_callbacks")
    let inbox = try await demo.ids("/api/v1/inbox")
    let answer = try await call(path, form)
    #expect(answer.status == 400)
    #expect(answer.text == "NOT UNDERSTOOD")
    #expect(try demo.number("SELECT COUNT(*) FROM unread_callbacks") == before + 1)
    let kept = try demo.inDatabase { tx in
      try tx.first("SELECT raw FROM unread_callbacks ORDER BY id DESC LIMIT 1", []) { $0.bytes(0) } ?? []
    }
    #expect(String(decoding: kept, as: UTF8.self).hasSuffix(form))
    #expect(try await demo.ids("/api/v1/inbox") == inbox)
  }

  @Test("A callback over 256 KiB is refused and not kept")
  func tooLarge() async throws {
    let demo = try Demo.current()
    let before = try demo.number("SELECT COUNT(*) FROM unread_callbacks")
    let answer = try await call(try await demo.callback(of: "global"), String(repeating: "a", count: 262_145))
    #expect(answer.status == 413)
    #expect(try demo.number("SELECT COUNT(*) FROM unread_callbacks") == before)
  }

  @Test("A receipt for an id that is not ours is kept and harms nothing")
  func unknownReceipt() async throws {
    let demo = try Demo.current()
    let path = try await demo.callback(of: "global")
    let messages = try await demo.call("GET", "/api/v1/messages").bytes
    let receipts = try demo.number("SELECT COUNT(*) FROM receipts")
    for number in ["1", "99999999999999999999", "0000000000000000000000000000000000000000001"] {
      let answer = try await call(path, "msgid=\(number)&dlrstatus=DELIVRD&dlr_err=000&donedate=2611300600")
      #expect(answer.status == 200)
    }
    #expect(try demo.number("SELECT COUNT(*) FROM receipts") == receipts + 3)
    #expect(try await demo.call("GET", "/api/v1/messages").bytes == messages)
    #expect(try await demo.call("GET", "/health/ready").status == 200)
  }

  @Test("A carrier that posts is not heard with GET, and is told so")
  func wrongMethod() async throws {
    let demo = try Demo.current()
    let answer = try await RawCall(method: "GET", path: try await demo.callback(of: "fast")).send(to: demo.address)
    #expect(answer.status == 405)
    #expect(answer.all("allow") == ["POST"])
  }
}
