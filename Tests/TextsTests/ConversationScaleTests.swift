import Contract
import Database
import Delivery
import Exchange
import Formats
import Foundation
import Runtime
import Testing
import Texts

/// A hundred thousand messages with two thousand peers: no statement of a read may look through more than it must.
/// `Scripts/bench texts` measures how long they take.
@Suite(.serialized)
struct ConversationScaleTests {
  @Test("A hundred thousand messages are listed, paged and searched, and the pages are whole")
  func hundredThousand() async throws {
    let bench = try await TextsBench()
    try await bench.seed(100_000, peers: 2000)
    #expect(try await bench.peers("?limit=1000").count == 1000)
    #expect(try await bench.number("SELECT COUNT(*) FROM conversation_entries") == 100_000)
    let pages = try await bench.pages("/conversations", limit: 700)
    #expect(Set(pages.flatMap(\.self).compactMap { $0["peer"]?.string }).count == 2000)
    #expect(try await bench.peers("?q=needle").count == 1)
    #expect(try await bench.peers("?q=absent").isEmpty)
    let found = try await bench.pages("/conversations?q=message", limit: 900)
    #expect(found.map(\.count) == [900, 900, 200])
    let one = try await bench.pages("/conversations/\(TextsBench.peer(7))/messages", limit: 30)
    #expect(one.map(\.count) == [30, 20])
  }

  @Test("Every statement finds its rows by an index and sorts nothing but counts")
  func plans() async throws {
    let bench = try await TextsBench()
    try await bench.seed(20, peers: 2)
    await bench.database.close()
    let database = try SQLiteConnection(.file(bench.folder + "/texts.db"))
    let spy = Spy(database)
    try database.begin()
    try spy.look(at: bench)
    try database.commit()
    #expect(spy.texts.count > 15)
    for statement in spy.texts.sorted() {
      for step in try database.queryPlan(of: statement) {
        // Accounts with conversations are gone through at a start.
        let isAllowed = statement.contains("FROM conversation_marks ORDER BY account") || !step.contains("SCAN")
        #expect(isAllowed, "\(step)\n\(statement)")
        let counts = statement.contains("GROUP BY sender") && step.contains("COVERING INDEX inbound_unread")
        let sorts = step.contains("TEMP B-TREE") && !statement.contains("GROUP BY sender")
        #expect(!sorts || counts, "\(step)\n\(statement)")
      }
    }
    let unread = try database.queryPlan(of: try #require(spy.texts.first { $0.contains("GROUP BY sender") }))
    #expect(unread.contains { $0.contains("COVERING INDEX inbound_unread (account=?)") }, "\(unread)")
    let search = try database.queryPlan(of: try #require(spy.texts.first { $0.contains("instr(folded, $3)") }))
    #expect(search == ["SEARCH conversation_texts USING PRIMARY KEY (account=? AND id<?)"])
  }
}
