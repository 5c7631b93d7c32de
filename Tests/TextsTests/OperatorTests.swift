import Contract
import Database
import Delivery
import Exchange
import Formats
import Runtime
import Testing
import Texts

/// What the operator sees and may do, and nobody else.
struct OperatorTests {
  private let bench: TextsBench

  init() async throws { bench = try await TextsBench() }

  @Test(
    "Nobody but an admin gets in",
    arguments: [
      ("GET", "/operator/carriers"), ("POST", "/operator/carriers/north/test"), ("GET", "/operator/messages/msg_1"),
    ])
  func adminsOnly(method: String, path: String) async throws {
    let answer = try await bench.call(method, path, method == "POST" ? "{}" : nil, key: bench.bob.key)
    #expect(answer.status == 403)
    #expect(answer.json["error"]?["code"]?.string == "scope-missing")
    #expect(try await bench.call(method, path, method == "POST" ? "{}" : nil, key: "sb_none").status == 401)
  }

  @Test("Carriers stand with their numbers and their health, and without their secrets")
  func carriers() async throws {
    try await bench.send("waits")
    let answer = try await bench.call("GET", "/operator/carriers")
    let items = try #require(answer.json["items"]?.array)
    #expect(items.compactMap { $0["name"]?.string } == ["north", "south"])
    #expect(items[0]["health"]?.string == "up")
    #expect(items[1]["health"]?.string == "disabled")
    #expect(items[0]["numbers"]?.strings == ["+358457000001"])
    #expect(items[0]["queued"]?.integer == 1)
    #expect(items[0]["sentToday"]?.integer == 0)
    #expect(items[0]["lastError"]?.isNull == true)
    #expect(!answer.text.contains("secret") && !answer.text.contains("hook"))
    _ = try await bench.database.transaction { [carriers = bench.carriers, now = bench.clock.now] tx in
      try carriers.retire(name: "south", at: now, tx: tx)
    }
    #expect(try await bench.items("/operator/carriers").count == 1)
  }

  @Test("A test goes by that carrier and no other, once for each key")
  func test() async throws {
    let body = #"{"to":"+358401112223"}"#
    let answer = try await bench.call("POST", "/operator/carriers/north/test", body)
    #expect(answer.status == 202)
    #expect(answer.json["text"]?.string == "Test message from Switchboard")
    #expect(answer.json["carrier"]?.string == "north")
    #expect(answer.json["class"]?.string == "normal")
    #expect(try await bench.items("/messages").count == 1)
    #expect(try await bench.call("POST", "/operator/carriers/west/test", body).status == 404)
    #expect(try await bench.call("POST", "/operator/carriers/south/test", body).status == 422)
    #expect(try await bench.call("POST", "/operator/carriers/north/test", "{}").status == 422)
    #expect(try await bench.call("POST", "/operator/carriers/north/test", #"{"to":"1"}"#).status == 422)
    #expect(try await bench.items("/messages").count == 1)
  }

  @Test("Any message is found by its id and by its carrier's, with its life, and without what somebody else wrote")
  func message() async throws {
    let id = try await bench.send("Bob's secret", key: bench.bob.key)
    let delivery = try #require(MessageID(id))
    try await bench.database.transaction { tx in
      try tx.run(
        """
        INSERT INTO attempts (delivery, number, part, parts, carrier, carrier_id, started, ended, outcome,
          carrier_refused) VALUES ($1, 1, 1, 1, 1, 'c-77/x', 1, 2, 1, 0)
        """, [.id(delivery)])
    }
    for name in [id, "c-77%2Fx"] {
      let answer = try await bench.call("GET", "/operator/messages/\(name)")
      #expect(answer.json["id"]?.string == id)
      #expect(answer.json["account"]?.string == bench.bob.id.description)
      #expect(answer.json["text"]?.isNull == true)
      #expect(answer.json["textHidden"]?.bool == true)
      #expect(answer.json["timeline"]?.array?.count == 3)
      #expect(!answer.text.contains("secret"))
    }
    let own = try await bench.send("My own")
    let answer = try await bench.call("GET", "/operator/messages/\(own)").json
    #expect(answer["text"]?.string == "My own")
    #expect(answer["textHidden"]?.bool == false)
    for name in ["msg_00000000000000000000000000000000", "c-78", String(repeating: "9", count: 300)] {
      #expect(try await bench.call("GET", "/operator/messages/\(name)").status == 404)
    }
  }
}
