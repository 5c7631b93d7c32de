import Contract
import Database
import Delivery
import Exchange
import Formats
import Runtime
import Testing
import Texts

/// Searching, and pages that hold still.
struct ConversationSearchTests {
  private let bench: TextsBench

  init() async throws { bench = try await TextsBench() }

  private func found(_ query: String) async throws -> [String] {
    let escaped = query.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return try await bench.items("/conversations?q=\(escaped)").map { $0["match"]?["text"]?.string ?? "-" }
  }

  @Test("Capital letters and small ones are the same, in every script; marks count; a letter may be composed or not")
  func folding() async throws {
    try await bench.send("Kylmä yö ÄÖÅ", to: "+358401110101")
    try await bench.send("Ωραία ΠΌΛΗ", to: "+358401110102")
    try await bench.send("ЖУРНАЛ", to: "+358401110103")
    #expect(try await found("äöå") == ["Kylmä yö ÄÖÅ"])
    #expect(try await found("KYLMÄ YÖ") == ["Kylmä yö ÄÖÅ"])
    #expect(try await found("yo\u{308}") == ["Kylmä yö ÄÖÅ"])
    #expect(try await found("yo").isEmpty)
    #expect(try await found("πόλη") == ["Ωραία ΠΌΛΗ"])
    #expect(try await found("журнал") == ["ЖУРНАЛ"])
    #expect(try await found("nothing like it").isEmpty)
    #expect(try await found("%").isEmpty)
  }

  @Test("Each conversation stands once, at its newest text that fits")
  func newest() async throws {
    try await bench.send("bread one")
    try await bench.receive("bread two", from: TextsBench.other)
    try await bench.receive("bread three")
    try await bench.receive("nothing")
    #expect(try await found("BREAD") == ["bread three", "bread two"])
    let item = try #require(try await bench.items("/conversations?q=bread").first)
    #expect(item["last"]?["text"]?.string == "nothing")
    #expect(item["match"]?["kind"]?.string == "in")
    #expect(try await bench.peers("?q=bread&filter=unread&limit=1") == [TextsBench.peer])
  }

  @Test("A peer is found by its number, however it is written, and by its name")
  func peers() async throws {
    try await bench.send("Hello")
    try await bench.receive("Your parcel", from: "Åland Post")
    #expect(try await bench.peers("?q=0401112223") == [TextsBench.peer])
    #expect(try await bench.peers("?q=%2B358%2040%20111%202223") == [TextsBench.peer])
    #expect(try await bench.peers("?q=%C3%A5land") == ["Åland Post"])
    // Found by both, it stands once.
    try await bench.receive("call 1112223 now")
    #expect(try await bench.peers("?q=1112223") == [TextsBench.peer])
  }

  @Test("A code is found by nobody, before it has ended and after")
  func codes() async throws {
    let id = try await bench.send("Your code is 271828", more: #","class":"code""#)
    #expect(try await bench.peers() == [TextsBench.peer])
    #expect(try await bench.peers("?q=code").isEmpty)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_texts") == 0)
    try await bench.end(id, as: .delivered)
    #expect(try await bench.peers("?q=271828").isEmpty)
  }

  @Test("Pages of the list neither repeat nor skip a conversation that stays where it was, whatever arrives meanwhile")
  func stableList() async throws {
    let peers = (10..<40).map { "+3584011100\($0)" }
    for peer in peers { try await bench.receive("Hello", from: peer) }
    var arrived = 0
    let pages = try await bench.pages("/conversations", limit: 7) {
      arrived += 1
      try await bench.receive("New", from: "new-\(arrived)")
      // One that stood on the first page moves up again, which it does without coming twice.
      try await bench.receive("Again", from: "+358401110039")
    }
    #expect(pages.flatMap(\.self).compactMap { $0["peer"]?.string } == peers.reversed())
  }

  @Test("Pages of a search and of one conversation hold still, too")
  func stablePages() async throws {
    for number in 0..<25 {
      try await bench.receive("apple \(number)", from: "peer-\(number)")
      try await bench.receive("apple in one \(number)")
    }
    let found = try await bench.pages("/conversations?q=apple", limit: 4) {
      try await bench.receive("apple again")
      try await bench.receive("apple", from: "newer")
    }
    let peers = found.flatMap(\.self).compactMap { $0["peer"]?.string }
    #expect(peers == [TextsBench.peer] + (0..<25).reversed().map { "peer-\($0)" })
    let before = try await bench.items("/conversations/\(TextsBench.peer)/messages?limit=1000")
    let pages = try await bench.pages("/conversations/\(TextsBench.peer)/messages", limit: 4) {
      try await bench.receive("meanwhile")
    }
    #expect(pages.flatMap(\.self).compactMap { $0["id"]?.string } == before.compactMap { $0["id"]?.string })
  }

  @Test("Filters find what is far down")
  func filtersFarDown() async throws {
    let id = try await bench.send("It failed", to: TextsBench.other)
    try await bench.end(id, as: .rejected)
    try await bench.database.transaction { [alice = bench.alice.id, ids = bench.ids, now = bench.clock.now] tx in
      for number in 0..<1200 {
        try tx.run(
          """
          INSERT INTO inbound (id, account, channel, carrier, sender, recipient, text, raw, is_read, digest)
          VALUES ($1, $2, 1, 1, $3, '+3', 'x', $4, 1, $4)
          """,
          [.id(ids.next(at: now)), .id(alice), .text("peer-\(number)"), .bytes(Array("\(number)".utf8))])
      }
    }
    #expect(try await bench.peers("?filter=unsent&limit=3") == [TextsBench.other])
    #expect(try await bench.peers("?filter=unread&limit=3").isEmpty)
    #expect(try await bench.pages("/conversations", limit: 100).flatMap(\.self).count == 1201)
  }
}
