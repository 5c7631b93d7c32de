import Contract
import Database
import Delivery
import Exchange
import Formats
import Runtime
import Testing
import Texts

/// Conversations by the API: the list, one of them, reading, and who may see what.
struct ConversationsTests {
  private let bench: TextsBench

  init() async throws { bench = try await TextsBench() }

  @Test("Both ways stand in one conversation, the newest conversation first")
  func list() async throws {
    #expect(try await bench.peers().isEmpty)
    let first = try await bench.send("Hello")
    try await bench.receive("Hi", from: "INFO")
    #expect(try await bench.peers() == ["INFO", TextsBench.peer])
    try await bench.receive("Hello yourself")
    let items = try await bench.items("/conversations")
    #expect(items.compactMap { $0["peer"]?.string } == [TextsBench.peer, "INFO"])
    #expect(items[0]["last"]?["kind"]?.string == "in")
    #expect(items[0]["last"]?["text"]?.string == "Hello yourself")
    #expect(items[0]["last"]?["state"]?.isNull == true)
    #expect(items[0]["unread"]?.integer == 1)
    #expect(items[0]["match"]?.isNull == true)

    let messages = try await bench.items("/conversations/%2B358401112223/messages")
    #expect(messages.compactMap { $0["kind"]?.string } == ["in", "out"])
    #expect(messages[1]["id"]?.string == first)
    // The same fields as everywhere else.
    let alone = try await bench.call("GET", "/messages").json["items"]?.array?.first?.object
    #expect(messages[1].object?.dropFirst().map(\.key) == alone?.map(\.key))
    #expect(messages[1]["conversation"]?.string == TextsBench.peer)
    let inbox = try await bench.items("/inbox")
    #expect(messages[0].object?.dropFirst().map(\.key) == inbox[0].object?.map(\.key))
  }

  @Test("A peer that is in no conversation has an empty one, and a plus sign may stand as it is")
  func paths() async throws {
    try await bench.receive("Is it?", from: "A B/C?&%ä")
    #expect(try await bench.items("/conversations/A%20B%2FC%3F%26%25%C3%A4/messages").count == 1)
    #expect(try await bench.items("/conversations/nobody/messages").isEmpty)
    try await bench.send("Hello")
    #expect(try await bench.items("/conversations/+358401112223/messages").count == 1)
    #expect(try await bench.call("GET", "/conversations/%ff/messages").status == 404)
  }

  @Test("A scheduled message stands with its time, and a failed one with its error")
  func states() async throws {
    let later = bench.clock.now + .seconds(3600)
    let id = try await bench.send("Later", more: #","notBefore":"\#(later)""#)
    var last = try #require(try await bench.items("/conversations").first?["last"])
    #expect(last["state"]?.string == "scheduled")
    #expect(last["notBefore"]?.string == later.description)
    #expect(last["kind"]?.string == "out")
    try await bench.end(id, as: .undeliverable, code: "no-phone")
    last = try #require(try await bench.items("/conversations").first?["last"])
    #expect(last["state"]?.string == "undeliverable")
    #expect(last["error"]?["code"]?.string == "no-phone")
  }

  @Test("Unread ones are counted at once after reading and taking, in the list and in all")
  func unread() async throws {
    for number in 1...3 { try await bench.receive("\(number)") }
    try await bench.receive("other", from: TextsBench.other)
    let answer = try await bench.call("GET", "/conversations").json
    #expect(answer["unread"]?.integer == 4)
    #expect(try await bench.peers("?filter=unread").count == 2)
    let newest = try await bench.items("/conversations/\(TextsBench.peer)/messages")
    let second = try #require(newest[1]["id"]?.string)
    let read = try await bench.call("POST", "/conversations/\(TextsBench.peer)/read", #"{"through":"\#(second)"}"#)
    #expect(read.json["read"]?.integer == 2)
    #expect(read.json["unread"]?.integer == 2)
    #expect(try await bench.items("/conversations").map { $0["unread"]?.integer } == [1, 1])
    let all = try await bench.call("POST", "/conversations/\(TextsBench.peer)/read")
    #expect(all.json["read"]?.integer == 1)
    #expect(try await bench.peers("?filter=unread") == [TextsBench.other])
    _ = try await bench.call("POST", "/inbox/take")
    #expect(try await bench.call("GET", "/conversations").json["unread"]?.integer == 0)
    #expect(try await bench.peers("?filter=unread").isEmpty)
    #expect(try await bench.call("POST", "/conversations/\(TextsBench.peer)/read").json["read"]?.integer == 0)
    let events = try await bench.database.read { [alice = bench.alice.id.value] tx in
      try EventLog.events(after: 0, in: alice, limit: 99, tx: tx)?.map(\.type)
    }
    #expect(events?.filter { $0 == "inbox.read" }.count == 3)
  }

  @Test(
    "Only a newest message that did not arrive counts as unsent",
    arguments: [
      (DeliveryState.rejected, true), (.undeliverable, true), (.expired, true), (.unknown, true), (.delivered, false),
      (.cancelled, false), (.submitted, false),
    ])
  func unsent(state: DeliveryState, isShown: Bool) async throws {
    let id = try await bench.send("Hello")
    try await bench.receive("An answer changes nothing")
    try await bench.end(id, as: state)
    #expect(try await bench.peers("?filter=unsent").count == (isShown ? 1 : 0))
    try await bench.send("Again")
    #expect(try await bench.peers("?filter=unsent").isEmpty)
  }

  @Test("What belongs to another account is not there")
  func foreign() async throws {
    try await bench.send("Alice's secret")
    try await bench.receive("For Alice")
    let key = bench.bob.key
    #expect(try await bench.peers(key: key).isEmpty)
    #expect(try await bench.peers("?q=secret", key: key).isEmpty)
    #expect(try await bench.items("/conversations/\(TextsBench.peer)/messages", key: key).isEmpty)
    let read = try await bench.call("POST", "/conversations/\(TextsBench.peer)/read", key: key)
    #expect(read.json["read"]?.integer == 0)
    #expect(try await bench.call("GET", "/conversations").json["unread"]?.integer == 1)
    // The same peer writes with both: each sees its own.
    try await bench.receive("For Bob", for: bench.bob.id)
    let texts = try await bench.items("/conversations/\(TextsBench.peer)/messages", key: key)
    #expect(texts.compactMap { $0["text"]?.string } == ["For Bob"])
  }

  @Test(
    "What can not be asked for is refused by name",
    arguments: [
      ("GET", "/conversations?filter=all", "filter"), ("GET", "/conversations?q=", "q has"),
      ("GET", "/conversations?q=a%00", "q has"), ("GET", "/conversations?limit=0", "limit"),
      ("GET", "/conversations?peer=1", "peer"), ("GET", "/conversations/x/messages?q=a", "q"),
      ("GET", "/senders?a=1", "a"), ("GET", "/conversations?q=" + String(repeating: "a", count: 101), "q has"),
    ])
  func refused(method: String, path: String, names: String) async throws {
    let answer = try await bench.call(method, path)
    #expect(answer.status == 422)
    #expect(answer.json["error"]?["detail"]?.string?.contains(names) == true, "\(answer.text)")
  }

  @Test("A cursor that was never given out, and an id that is none, are refused")
  func refusedIDs() async throws {
    #expect(try await bench.call("GET", "/conversations?cursor=x").json["error"]?["code"]?.string == "invalid-cursor")
    let path = "/conversations/x/read"
    for body in [#"{"through":"msg_1"}"#, #"{"through":1}"#, #"{"until":null}"#] {
      #expect(try await bench.call("POST", path, body).status == 422)
    }
  }

  @Test("The numbers to send from are those of carriers in service")
  func senders() async throws {
    #expect(try await bench.call("GET", "/senders").json["items"]?.strings == ["+358457000001"])
    try await bench.receive("makes a number of Alice's own")
    #expect(
      try await bench.call("GET", "/senders").json["items"]?.strings == ["+358457111111", "+358457000001"])
    #expect(
      try await bench.call("GET", "/senders", key: bench.bob.key).json["items"]?.strings == ["+358457000001"])
  }

  @Test("A preview says whom the text goes to, or why to nobody, and counts all the same")
  func preview() async throws {
    let good = try await bench.call("POST", "/messages/preview", #"{"text":"Hi","to":"040 1112223"}"#).json
    #expect(good["to"]?["e164"]?.string == TextsBench.peer)
    #expect(good["to"]?["country"]?.string == "FI")
    #expect(good["to"]?["national"]?.string == "040 1112223")
    #expect(good["error"]?.isNull == true)
    let bad = try await bench.call("POST", "/messages/preview", #"{"text":"Hi","to":"040"}"#)
    #expect(bad.status == 200)
    #expect(bad.json["to"]?.isNull == true)
    #expect(bad.json["error"]?["code"]?.string == "invalid-number")
    #expect(bad.json["units"]?.integer == 2)
    let none = try await bench.call("POST", "/messages/preview", #"{"text":"Hi"}"#).json
    #expect(none["to"]?.isNull == true && none["error"]?.isNull == true)
  }
}
