import Formats
import Foundation
import Testing

/// What a newcomer does in the first two minutes.
@Suite struct FirstTextTests {
  @Test("The printed command sends a text, shows its life, and the phone's answer is in the inbox and on the stream")
  func firstText() async throws {
    let demo = try await Demo()
    let events = try RawEventStream(demo.address, key: demo.key)
    let sent = try await RunningProgram.run(
      ["send", "--to", Demo.phone, "--text", "Hello", "--wait", "--data", demo.data], folder: demo.folder)
    #expect(sent.status == 0, "\(sent.printed)")
    let steps = sent.printed.split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst().first.map(String.init)
    }
    #expect(
      steps.suffix(4).map { String($0.prefix { $0 != ":" }) } == ["accepted", "attempt", "submitted", "delivered"],
      "\(sent.printed)")

    let seen = try await events.events(until: { $0.contains("inbox.received") })
    #expect(seen.contains("message.queued"))
    #expect(seen.contains("message.delivered"))

    let inbox = try await demo.call("GET", "/api/v1/inbox?unread=true").json
    let answer = try #require(inbox["items"]?.array?.first)
    #expect(answer["from"]?.string == Demo.phone)
    #expect(answer["text"]?.string?.contains("Hello") == true)

    let phone = try await demo.world("GET", "/phones/\(Demo.phone)/messages").json
    #expect(phone.array?.first?["text"]?.string == "Hello")
  }

  @Test("The metrics count what was accepted, tried and reported")
  func metrics() async throws {
    let demo = try await Demo()
    _ = try await demo.wait(for: try await demo.text(Demo.phone, "Counted"), in: ["delivered"])
    let expected: Set = [
      #"switchboard_messages_accepted_total{class="normal"} 1"#,
      #"switchboard_attempts_total{carrier="fast",outcome="accepted"} 1"#,
      #"switchboard_carrier_reports_total{carrier="fast",kind="delivered"} 1"#,
      #"switchboard_carrier_open{carrier="fast"} 1"#,
      #"switchboard_queue_oldest_due_seconds{carrier="fast"} 0"#,
    ]
    // A receipt may be quicker than the answer to its attempt.
    var missing = expected
    for _ in 0..<500 where !missing.isEmpty {
      let shown = try await demo.send("GET", demo.address + "/metrics", nil, [:])
      missing = expected.subtracting(
        String(decoding: shown.bytes, as: UTF8.self).split(separator: "\n").map(String.init))
      if !missing.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    }
    #expect(missing.isEmpty)
  }
}
