import Contract
import Database
import Delivery
import Exchange
import Formats
import Foundation
import Runtime
import Testing
import Texts

/// The projection: behind, ahead, interrupted, restarted, erased, and asked to hold whatever a text may be.
struct ConversationIndexTests {
  private let bench: TextsBench

  init() async throws { bench = try await TextsBench() }

  @Test("Accepting a message writes nothing of conversations, and an account that never looks has none")
  func nothingWhileAccepting() async throws {
    try await bench.send("Hello")
    try await bench.receive("Hi")
    _ = try await bench.peers(key: bench.bob.key)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_entries") == 0)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_marks") == 1)
  }

  @Test("More than one batch is caught up with, and twice is no more than once")
  func catchUp() async throws {
    try await bench.seed(1234, peers: 7)
    #expect(try await bench.peers().count == 7)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_entries") == 1234)
    bench.hub.signalAll()
    #expect(try await bench.peers().count == 7)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_entries") == 1234)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_texts") == 1234)
  }

  @Test("A process that dies between a commit and the catching up leaves nothing out")
  func restart() async throws {
    try await bench.send("Before")
    #expect(try await bench.peers() == [TextsBench.peer])
    try await bench.send("Accepted, and then the power went", to: TextsBench.other)
    await bench.database.close()
    let copy = NSTemporaryDirectory() + "switchboard-texts-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: bench.folder, toPath: copy)
    let next = try await TextsBench(folder: copy)
    #expect(try await next.peers() == [TextsBench.other, TextsBench.peer])
    #expect(try await next.number("SELECT COUNT(*) FROM conversation_entries") == 2)
  }

  @Test("What another process wrote with an earlier id is found")
  func anotherProcess() async throws {
    let early = IdentifierSource(random: SeededRandom(seed: 9)).next(at: bench.clock.now)
    bench.clock.advance(by: .seconds(4))
    try await bench.send("Hello")
    #expect(try await bench.peers() == [TextsBench.peer])
    try await bench.insert(early, to: TextsBench.other, text: "from the command line")
    bench.hub.signalAll()
    #expect(try await bench.peers() == [TextsBench.peer, TextsBench.other])
    #expect(try await bench.peers("?q=command") == [TextsBench.other])
  }

  @Test("The service keeps them up to date without anybody looking, and ends when it is told to")
  func service() async throws {
    _ = try await bench.peers()
    let running = Task { [indexer = bench.indexer] in try await indexer.run() }
    try await bench.send("Hello")
    try await bench.waitUntil { try await bench.number("SELECT COUNT(*) FROM conversation_entries") == 1 }
    try await bench.receive("Hi")
    try await bench.waitUntil { try await bench.number("SELECT COUNT(*) FROM conversation_entries") == 2 }
    running.cancel()
    try await running.value
  }

  @Test("Erased is erased: nothing comes back by itself, and other accounts keep theirs")
  func erase() async throws {
    try await bench.seed(30, peers: 3)
    try await bench.send("Bob's", key: bench.bob.key)
    _ = try await bench.peers()
    #expect(try await bench.peers(key: bench.bob.key).count == 1)
    var rounds = 0
    while try await bench.database.transaction({ [alice = bench.alice.id] tx in
      try ConversationIndex.eraseConversations(of: alice, atMost: 20, tx: tx)
    }) > 0 { rounds += 1 }
    #expect(rounds == 2)
    let running = Task { [indexer = bench.indexer] in try await indexer.run() }
    bench.hub.signalAll()
    try await bench.send("Bob's, too", key: bench.bob.key)
    try await bench.waitUntil { try await bench.number("SELECT COUNT(*) FROM conversation_entries") == 2 }
    running.cancel()
    try await running.value
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_texts") == 2)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_marks") == 1)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversations") == 1)
    // Whoever asks again has them again.
    #expect(try await bench.peers().count == 3)
  }

  @Test("One text is erased from what can be found")
  func eraseText() async throws {
    let id = try #require(MessageID(try await bench.send("forget me")))
    #expect(try await bench.peers("?q=forget").count == 1)
    try await bench.database.transaction { [alice = bench.alice.id] tx in
      try tx.run("UPDATE deliveries SET body = NULL WHERE id = $1", [.id(id)])
      try ConversationIndex.eraseText(of: id.value, account: alice, tx: tx)
    }
    #expect(try await bench.peers("?q=forget").isEmpty)
    #expect(try await bench.items("/conversations").first?["last"]?["text"]?.isNull == true)
  }

  // MARK: Hostile texts

  static let hostile = [
    "\u{202E}txet\u{202C} \u{2066}isolated\u{2069}", "a" + String(repeating: "\u{301}", count: 10_000),
    "\u{FEFF}\u{200B}\u{200D}\u{2028}\u{2029}\u{85}", "</script><!--]]>&amp;'\"\\", "\u{1}\u{7F}\u{9F}\r\n\t",
    "𝕳👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", String(repeating: "ﷺ", count: 20_000), "\u{0}before and after\u{0}",
    String(repeating: "x", count: 1_000_000),
  ]

  @Test("What arrives comes back as it came, whatever it is", arguments: hostile)
  func hostileIncoming(text: String) async throws {
    try await bench.receive(text)
    let texts = try await bench.items("/conversations/\(TextsBench.peer)/messages")
    #expect(texts.first?["text"]?.string.map { Array($0.utf8) } == Array(text.utf8))
    let shown = try #require(try await bench.items("/conversations").first?["last"]?["text"]?.string)
    #expect(text.utf8.starts(with: shown.utf8) && shown.unicodeScalars.count <= 1000)
    #expect(try await bench.peers("?q=nothing").isEmpty)
  }

  @Test("What is sent comes back as it was sent, or is refused as ever")
  func hostileOutgoing() async throws {
    for text in Self.hostile {
      let body = JSONWriter.object { json in
        json.field("to", TextsBench.peer)
        json.field("text", text)
      }
      let answer = try await bench.call("POST", "/messages", String(decoding: body, as: UTF8.self))
      guard answer.status == 202 else {
        #expect(answer.status == 422)
        continue
      }
      let back = try await bench.items("/conversations/\(TextsBench.peer)/messages?limit=1").first
      #expect(back?["text"]?.string.map { Array($0.utf8) } == Array(text.utf8))
    }
    #expect(try await bench.items("/messages").count == 5)
  }
}
