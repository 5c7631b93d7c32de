package import Contract
package import Database
import Delivery
import Exchange

/// Conversations as a projection: who an account wrote with, made from its deliveries and its inbox. Accepting a
/// message writes nothing of it; it is brought up to date when somebody looks, and meanwhile by `ConversationIndexer`.
///
/// An id is made inside the transaction that writes its row, each after the one before, so that within one process a
/// row with an id up to the mark can not come later. Another process (`switchboard send`) has ids of its own, and may be
/// behind by as long as a transaction waits: after its writes the marks are set back by more than that. Going through
/// a message again changes nothing.
package enum ConversationIndex {
  /// How many messages of each kind are gone through in one transaction, which nobody should wait for long.
  static let batch = 500
  /// More than the longest that a transaction waits for another process.
  static let lookback: Duration = .seconds(60)

  private struct Marks {
    var outgoing: ID128
    var incoming: ID128
  }

  private static let beginning = ID128(high: 0, low: 0)

  // MARK: Marks

  private static func marks(of account: AccountID, tx: any Transaction) throws -> Marks? {
    try tx.first("SELECT outgoing, incoming FROM conversation_marks WHERE account = $1", [.id(account)]) {
      Marks(outgoing: $0.id(0), incoming: $0.id(1))
    }
  }

  private static func set(_ marks: Marks, of account: AccountID, tx: any Transaction) throws {
    try tx.run(
      "UPDATE conversation_marks SET outgoing = $2, incoming = $3 WHERE account = $1",
      [.id(account), .id(marks.outgoing), .id(marks.incoming)])
  }

  /// From now on the account has conversations.
  static func begin(for account: AccountID, tx: any Transaction) throws {
    try tx.run(
      """
      INSERT INTO conversation_marks (account, outgoing, incoming) VALUES ($1, $2, $2) ON CONFLICT (account) DO NOTHING
      """, [.id(account), .id(beginning)])
  }

  /// Those that have conversations.
  static func accounts(tx: any Transaction) throws -> [AccountID] {
    try tx.all("SELECT account FROM conversation_marks ORDER BY account", []) { $0.identifier(0) }
  }

  /// The last minute is gone through again: another process may have written into it.
  static func setBack(_ account: AccountID, tx: any Transaction) throws {
    guard let marks = try marks(of: account, tx: tx) else { return }
    try set(Marks(outgoing: earlier(marks.outgoing), incoming: earlier(marks.incoming)), of: account, tx: tx)
  }

  private static func earlier(_ id: ID128) -> ID128 {
    ID128(high: UInt64(clamping: (id.instant - lookback).milliseconds) << 16, low: 0)
  }

  /// Whether everything that is there has been gone through; nil where the account has no conversations yet.
  static func isCurrent(_ account: AccountID, tx: any Transaction) throws -> Bool? {
    guard let marks = try marks(of: account, tx: tx) else { return nil }
    let isBehind =
      try tx.first(
        "SELECT 1 FROM deliveries WHERE account = $1 AND id > $2 LIMIT 1", [.id(account), .id(marks.outgoing)]
      ) { _ in true } ?? tx.first(
        "SELECT 1 FROM inbound WHERE account = $1 AND id > $2 LIMIT 1", [.id(account), .id(marks.incoming)]
      ) { _ in true } ?? false
    return !isBehind
  }

  // MARK: Going on

  private struct Message {
    let id: ID128
    let kind: EntryKind
    let peer: String
    /// What a search may find; nil for what is secret or was erased.
    let text: String?
  }

  /// Goes through the next messages, the oldest first.
  /// - Returns: whether there may be more.
  static func goOn(_ account: AccountID, tx: any Transaction) throws -> Bool {
    guard var marks = try marks(of: account, tx: tx) else { return false }
    let sent = try outgoing(of: account, after: marks.outgoing, last: &marks.outgoing, tx: tx)
    let received = try incoming(of: account, after: marks.incoming, last: &marks.incoming, tx: tx)
    let found = sent.messages + received
    guard sent.seen + received.count > 0 else { return false }
    for message in found { try add(message, to: account, tx: tx) }
    try note(found, of: account, tx: tx)
    try set(marks, of: account, tx: tx)
    return sent.seen == batch || received.count == batch
  }

  private static func outgoing(
    of account: AccountID, after mark: ID128, last: inout ID128, tx: any Transaction
  ) throws -> (messages: [Message], seen: Int) {
    var messages: [Message] = []
    var seen = 0
    try tx.rows(
      """
      SELECT id, address, channel, class, body FROM deliveries WHERE account = $1 AND id > $2
      ORDER BY account, id LIMIT $3
      """, [.id(account), .id(mark), .integer(batch)]
    ) { row in
      seen += 1
      last = row.id(0)
      guard row.int(2) == Channel.sms.rawValue else { return }
      // A code stays encrypted, and is erased when it has ended: it is never copied.
      let body = row.int(3) == DeliveryClass.code.rawValue ? nil : row.bytesIfPresent(4)
      messages.append(
        Message(id: row.id(0), kind: .outgoing, peer: row.text(1), text: body.flatMap(TextBody.init(bytes:))?.text))
    }
    return (messages, seen)
  }

  private static func incoming(
    of account: AccountID, after mark: ID128, last: inout ID128, tx: any Transaction
  ) throws -> [Message] {
    var messages: [Message] = []
    try tx.rows(
      "SELECT id, sender, text FROM inbound WHERE account = $1 AND id > $2 ORDER BY account, id LIMIT $3",
      [.id(account), .id(mark), .integer(batch)]
    ) { row in
      last = row.id(0)
      messages.append(Message(id: row.id(0), kind: .incoming, peer: row.text(1), text: row.text(2)))
    }
    return messages
  }

  private static func add(_ message: Message, to account: AccountID, tx: any Transaction) throws {
    try tx.run(
      """
      INSERT INTO conversation_entries (account, peer, id, kind) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account, peer, id) DO NOTHING
      """, [.id(account), .text(message.peer), .id(message.id), .integer(message.kind.rawValue)])
    guard let text = message.text else { return }
    try tx.run(
      """
      INSERT INTO conversation_texts (account, id, kind, peer, folded) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (account, id) DO NOTHING
      """,
      [
        .id(account), .id(message.id), .integer(message.kind.rawValue), .text(message.peer),
        .text(FoldedText.fold(text)),
      ])
  }

  /// What is newest with each peer: one write for each, however many messages there are.
  private static func note(_ messages: [Message], of account: AccountID, tx: any Transaction) throws {
    var newest: [String: (last: Message, outgoing: ID128?)] = [:]
    for message in messages {
      var entry = newest[message.peer] ?? (message, nil)
      if message.id > entry.last.id { entry.last = message }
      if message.kind == .outgoing { entry.outgoing = max(message.id, entry.outgoing ?? message.id) }
      newest[message.peer] = entry
    }
    for (peer, entry) in newest.sorted(by: { $0.key < $1.key }) {
      try tx.run(
        """
        INSERT INTO conversations (account, peer, folded_peer, last_id, last_kind, last_outgoing)
        VALUES ($1, $2, $6, $3, $4, $5)
        ON CONFLICT (account, peer) DO UPDATE SET
          last_kind = CASE WHEN $3 > conversations.last_id THEN $4 ELSE conversations.last_kind END,
          last_id = CASE WHEN $3 > conversations.last_id THEN $3 ELSE conversations.last_id END,
          last_outgoing = CASE WHEN $5 IS NULL OR $5 < conversations.last_outgoing THEN conversations.last_outgoing
            ELSE $5 END
        """,
        [
          .id(account), .text(peer), .id(entry.last.id), .integer(entry.last.kind.rawValue), .id(entry.outgoing),
          .text(FoldedText.fold(peer)),
        ])
    }
  }

  // MARK: Erasing

  /// Erases all of an account's conversations, as part of erasing what they were made from. Nothing comes back unless
  /// the account asks for conversations again.
  /// - Parameter limit: rows of each table that go at once; where there is much, call it again, in a transaction of its
  ///   own each time, until it returns 0.
  /// - Returns: how many rows went.
  @discardableResult
  package static func eraseConversations(
    of account: AccountID, atMost limit: Int = .max, tx: any Transaction
  ) throws -> Int {
    var erased = try tx.run("DELETE FROM conversation_marks WHERE account = $1", [.id(account)])
    let values: [Value] = [.id(account), .integer(limit)]
    erased += try tx.run(
      """
      DELETE FROM conversation_texts WHERE account = $1
        AND id IN (SELECT id FROM conversation_texts WHERE account = $1 ORDER BY account, id LIMIT $2)
      """, values)
    erased += try tx.run(
      """
      DELETE FROM conversation_entries WHERE account = $1 AND (peer, id) IN (
        SELECT peer, id FROM conversation_entries WHERE account = $1 ORDER BY account, peer, id LIMIT $2)
      """, values)
    erased += try tx.run(
      """
      DELETE FROM conversations WHERE account = $1
        AND peer IN (SELECT peer FROM conversations WHERE account = $1 ORDER BY account, peer LIMIT $2)
      """, values)
    return erased
  }

  /// Erases what a search could find of one message, as part of erasing its text.
  package static func eraseText(of message: ID128, account: AccountID, tx: any Transaction) throws {
    try tx.run("DELETE FROM conversation_texts WHERE account = $1 AND id = $2", [.id(account), .id(message)])
  }
}
