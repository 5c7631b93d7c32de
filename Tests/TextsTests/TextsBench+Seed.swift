import Contract
import Database
import Delivery
import Exchange
import Formats
import GSMText
import Runtime
@testable import Texts

/// Many messages at once, written as the exchange writes them.
extension TextsBench {
  static func peer(_ number: Int) -> String { "+35840\(1_000_000 + number)" }

  /// Alice's messages with `peers` peers by turns, every other one arriving; one of them says "needle".
  func seed(_ count: Int, peers: Int) async throws {
    clock.advance(by: .milliseconds(1))
    let account = alice.id
    let now = clock.now
    try await database.transaction { [ids] tx in
      for number in 0..<count {
        let peer = Self.peer(number % peers)
        let text = number == count / 3 ? "Message with a Needle" : "Message number \(number)"
        // Each peer has both kinds.
        if number / peers % 2 == 0 {
          try Self.insertIncoming(ids.next(at: now), account, from: peer, text: text, number, tx: tx)
        } else {
          try Self.insertOutgoing(ids.next(at: now), account, to: peer, text: text, at: now, tx: tx)
        }
      }
    }
  }

  func insert(_ id: ID128, to peer: String, text: String) async throws {
    let account = alice.id
    let now = clock.now
    try await database.transaction { tx in
      try Self.insertOutgoing(id, account, to: peer, text: text, at: now, tx: tx)
    }
  }

  private static func insertOutgoing(
    _ id: ID128, _ account: AccountID, to peer: String, text: String, at now: Instant, tx: any Transaction
  ) throws {
    try tx.run(
      """
      INSERT INTO deliveries (id, account, channel, lane, address, class, state, carrier, ready, attempt, expires,
        created, updated, body, sealed, events, parts)
      VALUES ($1, $2, 1, 0, $3, 2, 10, 1, $4, 1, $4, $4, $4, $5, 0, 2, 1)
      """,
      [
        .id(id), .id(account), .text(peer), .instant(now),
        .bytes(TextBody(text: text, sender: nil, encoding: .gsm7).bytes),
      ])
  }

  private static func insertIncoming(
    _ id: ID128, _ account: AccountID, from peer: String, text: String, _ number: Int, tx: any Transaction
  ) throws {
    try tx.run(
      """
      INSERT INTO inbound (id, account, channel, carrier, sender, recipient, text, raw, is_read, digest)
      VALUES ($1, $2, 1, 1, $3, '+358457111111', $4, $5, 0, $5)
      """, [.id(id), .id(account), .text(peer), .text(text), .bytes(Array("\(number)".utf8))])
  }

  /// Waits for what a service does by itself. The limit is real time.
  func waitUntil(_ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while try await !isSo() {
      guard ContinuousClock.now < end else { throw Unexpected(description: "it did not come") }
      // Its pauses are on this clock.
      clock.advance(by: .milliseconds(50))
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}

/// Notes the text of every statement.
final class Spy: Transaction {
  private let base: any Transaction
  private(set) var texts: Set<String> = []

  init(_ base: any Transaction) { self.base = base }

  func run(_ sql: SQL, _ values: [Value]) throws -> Int {
    texts.insert("\(sql.text)")
    return try base.run(sql, values)
  }

  func rows(_ sql: SQL, _ values: [Value], _ body: (any Row) throws -> Void) throws {
    texts.insert("\(sql.text)")
    try base.rows(sql, values, body)
  }

  /// Everything that a read of conversations does, once.
  func look(at bench: TextsBench) throws {
    let account = bench.alice.id
    try ConversationIndex.begin(for: account, tx: self)
    _ = try ConversationIndex.accounts(tx: self)
    _ = try ConversationIndex.isCurrent(account, tx: self)
    while try ConversationIndex.goOn(account, tx: self) {}
    try ConversationIndex.setBack(account, tx: self)
    let unread = try bench.inbox.unread(of: account, tx: self)
    let conversations = Conversations(account: account, tx: self)
    for filter in [nil, Conversations.Filter.unread, .unsent] {
      _ = try conversations.list(after: nil, limit: 9, filter: filter, unread: unread)
      guard let query = ConversationQuery("message 7") else { continue }
      _ = try conversations.search(query, after: nil, limit: 9, filter: filter, unread: unread)
    }
    _ = try conversations.entries(with: TextsBench.peer(1), after: nil, limit: 9)
    var events = EventBatch()
    _ = try bench.inbox.markRead(
      from: TextsBench.peer(1), of: account, through: nil, limit: 9, events: &events, tx: self)
    try ConversationIndex.eraseText(of: ID128(high: 0, low: 0), account: account, tx: self)
    try ConversationIndex.eraseConversations(of: account, tx: self)
  }
}
