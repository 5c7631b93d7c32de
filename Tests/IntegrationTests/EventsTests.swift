import Database
import Formats
import Foundation
import Testing

/// The stream of what happens: it can be left and taken up again.
@Suite(.serialized, .demo())
struct EventsTests {
  @Test("After a break the stream goes on behind the last event that was seen: nothing is missed, nothing comes twice")
  func resumes() async throws {
    let demo = try Demo.current()
    var before: [EventReader.Event] = []
    do {
      let stream = try EventReader(demo.address, key: demo.key)
      let id = try await demo.text("+358401234501", "First")
      before = try await stream.events { events in
        events.contains { $0.type == "message.delivered" && $0.json["data"]?["id"]?.string == id }
      }
    }
    // While nobody listens.
    var ids: [String] = []
    for number in 0..<5 { ids.append(try await demo.text("+35840123452\(number)", "While away")) }
    for id in ids { _ = try await demo.wait(for: id, in: ["delivered"]) }

    let last = try #require(before.last)
    let stream = try EventReader(demo.address, key: demo.key, lastEventID: last.id)
    let marker = try await demo.text("+358401234502", "Back again")
    let after = try await stream.events { events in
      events.contains { $0.type == "message.queued" && $0.json["data"]?["id"]?.string == marker }
    }
    let numbers = (before + after).map(\.seq)
    #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + Int64(numbers.count)))
    for id in ids {
      let states = after.filter { $0.json["data"]?["id"]?.string == id }.map(\.type)
      #expect(states.filter { $0 == "message.delivered" }.count == 1)
      #expect(states.first == "message.queued")
    }
    #expect(after.allSatisfy { $0.id == "account:\($0.seq)" && $0.name.isEmpty })
  }

  @Test("A stream that breaks off before anything has happened can be taken up where it began")
  func openingPlace() async throws {
    let demo = try Demo.current()
    let broken = try EventReader(demo.address, key: demo.key)
    let id = try await demo.text("+358401234503", "Between two lines")
    let isIt = { (event: EventReader.Event) in event.json["data"]?["id"]?.string == id }
    let seen = try await broken.events { $0.contains(where: isIt) }
    let again = try EventReader(demo.address, key: demo.key, lastEventID: broken.place)
    let resumed = try await again.events { $0.contains(where: isIt) }
    #expect(resumed.first?.seq == seen.first?.seq)
  }

  @Test("The same position can be taken up again and again, by two at once")
  func severalReaders() async throws {
    let demo = try Demo.current()
    let first = try EventReader(demo.address, key: demo.key, lastEventID: "account:0")
    let second = try EventReader(demo.address, key: demo.key, lastEventID: "account:0")
    let known = try await first.events { $0.count >= 3 }
    let same = try await second.events { $0.count >= 3 }
    #expect(known.prefix(3).map(\.data) == same.prefix(3).map(\.data))
    #expect(known.prefix(3).map(\.seq) == [1, 2, 3])
  }

  @Test(
    "An id that was never given out begins with a reset, and then goes on",
    arguments: [
      "account:999999999", "account:-1", "account:18446744073709551616", "lines:1", "17", "account:", "x", "a:b:c",
    ])
  func neverGiven(_ id: String) async throws {
    let demo = try Demo.current()
    let stream = try EventReader(demo.address, key: demo.key, lastEventID: id)
    let reset = try await stream.events { !$0.isEmpty }
    #expect(reset.map(\.name) == ["reset"])
    let position = try #require(reset.first?.id)
    #expect(position.firstMatch(of: /^account:[0-9]+$/) != nil)
    let sent = try await demo.text("+358401234503", "Go on")
    let next = try await stream.events { $0.contains { $0.json["data"]?["id"]?.string == sent } }
    #expect(next.first { $0.json["data"]?["id"]?.string == sent }?.type == "message.queued")
    #expect(!next.contains { $0.name == "reset" })
  }

  @Test("A position whose events are no longer kept begins with a reset; the oldest that is kept does not")
  func tooOld() async throws {
    let demo = try Demo.current()
    let account = try await demo.account()
    let stream = String(account.dropFirst(4))
    // As housekeeping does after a week.
    let pruned = try demo.inDatabase { tx in
      try tx.run("DELETE FROM events WHERE hex(stream) = upper($1) AND seq <= 4", [.text(stream)])
      return try tx.run("UPDATE streams SET pruned = 4 WHERE hex(stream) = upper($1)", [.text(stream)])
    }
    #expect(pruned == 1)
    let late = try EventReader(demo.address, key: demo.key, lastEventID: "account:3")
    #expect(try await late.events { !$0.isEmpty }.first?.name == "reset")
    let early = try EventReader(demo.address, key: demo.key, lastEventID: "account:4")
    #expect(try await early.events { !$0.isEmpty }.first?.seq == 5)
  }

  @Test("A quiet stream says that it lives before fifteen seconds have passed")
  func heartbeat() async throws {
    let demo = try Demo.current()
    let quiet = try await demo.createAccount("+358401110555", password: "a good long password")
    let stream = try EventReader(demo.address, key: try await demo.createKey("messages:read", of: quiet).key)
    // The limit is for a slow machine; the promise is 15 s.
    try await stream.waitForComment("still here", within: .seconds(25))
  }

  @Test("Whoever follows a stream hears only of the own account, and never a text")
  func onlyOnesOwn() async throws {
    let demo = try Demo.current()
    let other = try await demo.createAccount("+358401110556", password: "a good long password")
    let key = try await demo.createKey("*", of: other).key
    let theirs = try EventReader(demo.address, key: key)
    let ours = try EventReader(demo.address, key: demo.key)
    let id = try await demo.text(Demo.phone, "Between us XQZZY")
    let seen = try await ours.events { events in events.contains { $0.type == "inbox.received" } }
    #expect(seen.contains { $0.type == "message.delivered" && $0.json["data"]?["id"]?.string == id })
    #expect(!ours.received.contains("XQZZY"))
    let sent = try await demo.call("POST", "/api/v1/messages", #"{"to":"+358401234505","text":"Theirs"}"#, key: key)
    let first = try await theirs.events { !$0.isEmpty }
    #expect(first.first?.json["data"]?["id"]?.string == sent.json["id"]?.string)
  }

  @Test("A stream ends when its key is removed")
  func endsWithItsKey() async throws {
    let demo = try Demo.current()
    let (id, key) = try await demo.createKey("messages:read")
    let stream = try EventReader(demo.address, key: key)
    let removed = try await demo.command(["key", "remove", id])
    #expect(removed.status == 0, "\(removed.printed)")
    try await stream.waitForEnd(within: .seconds(20))
    #expect(try await demo.raw("GET", "/api/v1/messages", key: key).status == 401)
  }
}
