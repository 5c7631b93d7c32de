import Contract
import Database
import Delivery
import Exchange

/// Reads conversations. Whoever reads has brought them up to date before.
struct Conversations {
  let account: AccountID
  let tx: any Transaction

  enum Filter: String, CaseIterable {
    case unread
    /// The newest message to the peer did not arrive, or nobody knows.
    case unsent
  }

  /// One conversation of a list, the place where it stands in that list, and the newest text that a search found.
  struct Found: Sendable, Equatable {
    let row: ConversationRow
    let place: ConversationPlace
    var match: ConversationMatch?
  }

  /// How many rows are looked at in one go where only some are wanted.
  private static let chunk = 500

  // MARK: List

  /// Newest first, after `place`.
  /// - Parameters:
  ///   - peer: only those whose peer has this in its number or name, folded.
  ///   - unread: how many unread texts each peer has.
  func list(
    peer: String? = nil, after place: ConversationPlace?, limit: Int, filter: Filter?, unread: [String: Int]
  ) throws -> [Found] {
    var found: [Found] = []
    var place = place ?? .end
    let chunk = filter == nil ? limit : max(limit, Self.chunk)
    while true {
      let rows = try rows(peer: peer, before: place, limit: chunk)
      for row in rows where found.count < limit {
        place = ConversationPlace(row.last)
        if try isWanted(row, filter, unread) { found.append(Found(row: row, place: place)) }
      }
      if found.count == limit || rows.count < chunk { return found }
    }
  }

  private func rows(peer: String?, before place: ConversationPlace, limit: Int) throws -> [ConversationRow] {
    let values: [Value] = [.id(account), .id(place), .integer(limit)]
    if let peer {
      return try tx.all(
        """
        SELECT peer, last_id, last_kind, last_outgoing FROM conversations
        WHERE account = $1 AND last_id < $2 AND instr(folded_peer, $4) > 0 ORDER BY account, last_id DESC LIMIT $3
        """, values + [.text(peer)], Self.read)
    }
    return try tx.all(
      """
      SELECT peer, last_id, last_kind, last_outgoing FROM conversations WHERE account = $1 AND last_id < $2
      ORDER BY account, last_id DESC LIMIT $3
      """, values, Self.read)
  }

  private func row(_ peer: String) throws -> ConversationRow? {
    try tx.first(
      "SELECT peer, last_id, last_kind, last_outgoing FROM conversations WHERE account = $1 AND peer = $2",
      [.id(account), .text(peer)], Self.read)
  }

  private static func read(_ row: any Row) -> ConversationRow {
    ConversationRow(
      peer: row.text(0), last: row.id(1), lastKind: EntryKind(rawValue: row.int(2)) ?? .outgoing,
      lastOutgoing: row.identifierIfPresent(3))
  }

  private func isWanted(_ row: ConversationRow, _ filter: Filter?, _ unread: [String: Int]) throws -> Bool {
    switch filter {
    case nil: return true
    case .unread: return unread[row.peer, default: 0] > 0
    case .unsent:
      guard let id = row.lastOutgoing else { return false }
      let state = try tx.first("SELECT state FROM deliveries WHERE id = $1", [.id(id)]) {
        DeliveryState(rawValue: $0.int(0))
      }
      switch state {
      case .rejected, .undeliverable, .expired, .unknown: return true
      default: return false
      }
    }
  }

  // MARK: Search

  /// Conversations with a peer whose number or name has what is asked for, and those with a text that has it. The first
  /// stand where their newest message stands, the others where their newest such text stands.
  func search(
    _ query: ConversationQuery, after place: ConversationPlace?, limit: Int, filter: Filter?, unread: [String: Int]
  ) throws -> [Found] {
    var found: [Found] = []
    if let peer = query.peer {
      found = try list(peer: peer, after: place, limit: limit, filter: filter, unread: unread)
    }
    found += try withText(query, after: place ?? .end, limit: limit, filter: filter, unread: unread)
    return Array(found.sorted { $0.place > $1.place }.prefix(limit))
  }

  /// Every page looks from the newest text on, so that a conversation that an earlier page has shown is not shown again.
  private func withText(
    _ query: ConversationQuery, after place: ConversationPlace, limit: Int, filter: Filter?, unread: [String: Int]
  ) throws -> [Found] {
    var found: [Found] = []
    var seen: Set<String> = []
    var from = ConversationPlace.end
    while true {
      let matches = try matches(query.text, before: from)
      for match in matches where found.count < limit {
        from = ConversationPlace(match.id)
        guard seen.insert(match.peer).inserted, from < place, !query.fits(peer: match.peer),
          let row = try row(match.peer), try isWanted(row, filter, unread)
        else { continue }
        found.append(Found(row: row, place: from, match: ConversationMatch(id: match.id, kind: match.kind)))
      }
      if found.count == limit || matches.count < Self.chunk { return found }
    }
  }

  private func matches(
    _ text: String, before place: ConversationPlace
  ) throws -> [(id: ID128, kind: EntryKind, peer: String)] {
    try tx.all(
      """
      SELECT id, kind, peer FROM conversation_texts WHERE account = $1 AND id < $2 AND instr(folded, $3) > 0
      ORDER BY account, id DESC LIMIT $4
      """, [.id(account), .id(place), .text(text), .integer(Self.chunk)]
    ) { ($0.id(0), EntryKind(rawValue: $0.int(1)) ?? .outgoing, $0.text(2)) }
  }

  // MARK: One conversation

  /// What was written with one peer, newest first, after `place`.
  func entries(
    with peer: String, after place: ConversationPlace?, limit: Int
  ) throws -> [(id: ID128, kind: EntryKind)] {
    try tx.all(
      """
      SELECT id, kind FROM conversation_entries WHERE account = $1 AND peer = $2 AND id < $3
      ORDER BY account, peer, id DESC LIMIT $4
      """, [.id(account), .text(peer), .id(place ?? .end), .integer(limit)]
    ) { ($0.id(0), EntryKind(rawValue: $0.int(1)) ?? .outgoing) }
  }
}
