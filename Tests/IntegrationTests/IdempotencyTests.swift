import Formats
import Foundation
import Testing

/// A request that is repeated with its key is done once.
@Suite(.serialized, .demo())
struct IdempotencyTests {
  private func send(
    _ demo: Demo, _ body: String, _ key: String, path: String = "/api/v1/messages", as apiKey: String? = nil
  ) async throws -> RawCall.Answer {
    try await demo.raw("POST", path, body, headers: [(name: "Idempotency-Key", value: key)], key: apiKey)
  }

  private func message(_ number: String, _ text: String, _ more: String = "") -> String {
    #"{"to":"\#(number)","text":"\#(text)"\#(more)}"#
  }

  @Test("The same request again gives the first answer again, byte for byte, and the phone one text")
  func repeated() async throws {
    let demo = try Demo.current()
    let body = message("+358401234601", "Once")
    let first = try await send(demo, body, "once")
    #expect(first.status == 202)
    let id = try #require(first.json["id"]?.string)
    _ = try await demo.wait(for: id, in: ["delivered"])
    for _ in 0..<3 {
      let again = try await send(demo, body, "once")
      #expect(again.status == 202)
      #expect(again.body == first.body)
    }
    let phone = try await demo.world("GET", "/phones/+358401234601/messages").json
    #expect(phone.array?.filter { $0["text"]?.string == "Once" }.count == 1)
  }

  @Test("Twenty at the same moment make one message")
  func atOnce() async throws {
    let demo = try Demo.current()
    let before = try await demo.ids("/api/v1/messages").count
    let body = message("+358401234602", "All at once")
    let ids = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await demo.call("POST", "/api/v1/messages", body, headers: ["Idempotency-Key": "at-once"]).json["id"]?
            .string
        }
      }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    #expect(!ids.contains(nil))
    #expect(try await demo.ids("/api/v1/messages").count == before + 1)
  }

  @Test(
    "The same key with another request is refused, and nothing of it is kept",
    arguments: [
      #"{"to":"+358401234603","text":"Two"}"#, #"{"to":"+358401234604","text":"One"}"#,
      #"{"to":"+358401234603","text":"One","class":"bulk"}"#, #"{"to": "+358401234603","text":"One"}"#,
    ])
  func otherBody(_ other: String) async throws {
    let demo = try Demo.current()
    let first = try await send(demo, message("+358401234603", "One"), "other-body")
    #expect(first.status == 202)
    let before = try await demo.ids("/api/v1/messages")
    let answer = try await send(demo, other, "other-body")
    #expect(answer.status == 422)
    #expect(answer.code == "idempotency-key-reused")
    #expect(try await demo.ids("/api/v1/messages") == before)
  }

  @Test("Codes, whose texts are erased, are told apart all the same")
  func codes() async throws {
    let demo = try Demo.current()
    let first = try await send(demo, message("+358401234605", "Code 123456", #","class":"code""#), "code")
    let id = try #require(first.json["id"]?.string)
    try await demo.wait(until: "the code is erased") {
      try await demo.call("GET", "/api/v1/messages/\(id)").json["text"]?.string == nil
    }
    let again = try await send(demo, message("+358401234605", "Code 123456", #","class":"code""#), "code")
    #expect(again.status == 202)
    #expect(again.json["id"]?.string == id)
    #expect(again.json["text"]?.isNull == true)
    let other = try await send(demo, message("+358401234605", "Code 654321", #","class":"code""#), "code")
    #expect(other.code == "idempotency-key-reused")
  }

  @Test("Keys belong to their account")
  func twoAccounts() async throws {
    let demo = try Demo.current()
    let account = try await demo.createAccount("+358401110666", password: "a good long password")
    let key = try await demo.createKey("*", of: account).key
    let ours = try await send(demo, message("+358401234606", "Ours"), "shared")
    let theirs = try await send(demo, message("+358401234607", "Theirs"), "shared", as: key)
    #expect(ours.status == 202)
    #expect(theirs.status == 202)
    #expect(ours.json["id"]?.string != theirs.json["id"]?.string)
  }

  @Test("A request that would come too late now still gets its first answer, since it came in time")
  func lateRepetition() async throws {
    let demo = try Demo.current()
    let expires = Date().addingTimeInterval(2)
    let body = message(
      "+358401234608", "In time",
      #","expiresAt":"\#(expires.formatted(.iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true)))""#
    )
    let batch = #"{"messages":[\#(body),{"to":"+1","text":"bad"}]}"#
    let first = try await send(demo, body, "late")
    let firstBatch = try await send(demo, batch, "late-batch", path: "/api/v1/batches")
    #expect(first.status == 202, "\(first.text)")
    while Date() <= expires { try await Task.sleep(for: .milliseconds(50)) }
    let fresh = try await send(demo, body, "too-late")
    #expect(fresh.code == "invalid-time")
    let again = try await send(demo, body, "late")
    #expect(again.status == 202)
    #expect(again.body == first.body)
    #expect(try await send(demo, batch, "late-batch", path: "/api/v1/batches").body == firstBatch.body)
  }

  @Test("A batch that is repeated sends what was accepted once, and judges the rest as before")
  func batches() async throws {
    let demo = try Demo.current()
    let one = message("+358401234609", "One")
    let body = #"{"messages":[\#(one),{"to":"+1","text":"bad"},\#(one)]}"#
    let first = try await send(demo, body, "batch", path: "/api/v1/batches")
    #expect(first.status == 202)
    let count = try await demo.ids("/api/v1/messages").count
    let again = try await send(demo, body, "batch", path: "/api/v1/batches")
    #expect(again.body == first.body)
    #expect(try await demo.ids("/api/v1/messages").count == count)
    // The same words twice in one batch are two messages.
    let items = try #require(first.json["items"]?.array)
    #expect(Set(items.compactMap { $0["id"]?.string }).count == 2)

    let changed = #"{"messages":[\#(message("+358401234609", "Other")),{"to":"+1","text":"bad"},\#(one)]}"#
    let other = try await send(demo, changed, "batch", path: "/api/v1/batches")
    #expect(other.json["items"]?[0]?["error"]?["code"]?.string == "idempotency-key-reused")
    #expect(other.json["items"]?[2]?["id"]?.string == items[2]["id"]?.string)
    #expect(try await demo.ids("/api/v1/messages").count == count)
  }

  @Test("A message's key and a batch's never meet")
  func batchAndMessage() async throws {
    let demo = try Demo.current()
    let one = message("+358401234610", "Alone")
    for key in ["meet", "meet#0", "meet-0", "meet/0"] { #expect(try await send(demo, one, key).status == 202) }
    let batch = try await send(demo, #"{"messages":[\#(one)]}"#, "meet", path: "/api/v1/batches")
    #expect(batch.json["items"]?[0]?["id"]?.string != nil)
  }

  @Test("A key is used up by an accepted message only")
  func refusedKeepsNoKey() async throws {
    let demo = try Demo.current()
    let bad = try await send(demo, message("+1", "Bad"), "try-again")
    #expect(bad.status == 422)
    let good = try await send(demo, message("+358401234611", "Good"), "try-again")
    #expect(good.status == 202)
  }
}
