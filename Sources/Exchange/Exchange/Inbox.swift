package import Contract
package import Database
package import Delivery
import Formats

/// A text that came to us, as its carrier's profile read it.
package struct IncomingText: Sendable, Equatable {
  package var sender: String
  package var recipient: String
  package var text: String
  /// What we gave along with a message and the carrier gave back with its answer.
  package var reference: String?
  package var at: Instant?
  /// Which part of a longer text it is.
  package var part: Part?
  /// The same for the same text sent by the carrier again, and for no other.
  package var digest: [UInt8]
  /// As it came, before it was understood; bounded.
  package var raw: [UInt8]

  package struct Part: Sendable, Equatable {
    package var reference: Int
    package var total: Int
    package var number: Int
    /// What it carries, undecoded: a cut may fall into a character.
    package var content: Content

    package init(reference: Int, total: Int, number: Int, content: Content) {
      self.reference = reference
      self.total = total
      self.number = number
      self.content = content
    }
  }

  /// Octets, and how the channel says that they are to be read.
  package struct Content: Sendable, Equatable {
    package var coding: String
    package var octets: [UInt8]

    package init(coding: String, octets: [UInt8]) {
      self.coding = coding
      self.octets = octets
    }
  }

  package init(
    sender: String, recipient: String, text: String, reference: String?, at: Instant?, part: Part?, digest: [UInt8],
    raw: [UInt8]
  ) {
    self.sender = sender
    self.recipient = recipient
    self.text = text
    self.reference = reference
    self.at = at
    self.part = part
    self.digest = digest
    self.raw = raw
  }
}

/// One entry of an account's inbox.
package struct InboundRecord: Sendable, Equatable {
  package let id: InboundID
  package let account: AccountID
  package let channel: Channel
  package let sender: String
  package let recipient: String
  package let text: String
  package let reference: String?
  package let carrierAt: Instant?
  package let isRead: Bool

  /// When it was stored.
  package var receivedAt: Instant { id.value.instant }

  init(_ row: any Row) {
    id = row.identifier(0)
    account = row.identifier(1)
    channel = Channel(rawValue: row.int(2)) ?? .sms
    sender = row.text(3)
    recipient = row.text(4)
    text = row.text(5)
    reference = row.textIfPresent(6)
    carrierAt = row.instantIfPresent(7)
    isRead = row.bool(8)
  }
}

/// Everything that arrives, stored before it is understood.
package struct Inbox: Sendable {
  let ids: IdentifierSource
  /// Reads consecutive parts of a text together; the channel knows their codings.
  let join: @Sendable ([IncomingText.Content]) -> String

  /// Nobody's: what came before there was an operator. The first operator gets it.
  package static let unowned = AccountID(ID128(high: 0, low: 0))
  /// How long an answer on a shared number belongs to whoever wrote last.
  package static let conversationWindow: Duration = .seconds(72 * 3600)
  /// How long the missing parts of a longer text are awaited.
  package static let partsLimit: Duration = .seconds(3600)

  package init(ids: IdentifierSource, join: @escaping @Sendable ([IncomingText.Content]) -> String) {
    self.ids = ids
    self.join = join
  }

  /// Stores a text, gives it to its owner, and tells the owner.
  /// - Returns: false where it was there already.
  package func receive(
    _ incoming: IncomingText, from carrier: Int, at now: Instant, events: inout EventBatch, tx: any Transaction
  ) throws -> Bool {
    // A part that can be none of its text is a text by itself.
    if let part = incoming.part, (2...255).contains(part.total), (1...part.total).contains(part.number) {
      return try receive(part: part, of: incoming, from: carrier, at: now, events: &events, tx: tx)
    }
    return try store(incoming, from: carrier, at: now, events: &events, tx: tx)
  }

  func store(
    _ incoming: IncomingText, from carrier: Int, at now: Instant, events: inout EventBatch, tx: any Transaction
  ) throws -> Bool {
    let owner = try owner(of: incoming, at: now, tx: tx)
    let id = InboundID(ids.next(at: now))
    let inserted = try tx.run(
      """
      INSERT INTO inbound (id, account, channel, carrier, sender, recipient, text, raw, reference, carrier_at, is_read,
        digest)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11)
      ON CONFLICT (carrier, digest) DO NOTHING
      """,
      [
        .id(id), .id(owner), .integer(Channel.sms.rawValue), .integer(carrier), .text(incoming.sender),
        .text(incoming.recipient), .text(incoming.text), .bytes(incoming.raw), .text(incoming.reference),
        .instant(incoming.at), .bytes(incoming.digest),
      ])
    guard inserted > 0 else { return false }
    events.add(
      to: owner.value, "inbox.received",
      JSONWriter.object { json in
        json.field("id", id)
        json.field("channel", "sms")
        json.field("from", incoming.sender)
        json.field("to", incoming.recipient)
        json.field("receivedAt", now)
      })
    return true
  }

  // MARK: Owner

  /// The owner of the number of ours that it came to; else whoever's message it answers; on a shared number whoever
  /// last wrote to that peer; else the operator.
  private func owner(of incoming: IncomingText, at now: Instant, tx: any Transaction) throws -> AccountID {
    let number = try tx.first(
      "SELECT account FROM carrier_numbers WHERE address = $1", [.text(incoming.recipient)]
    ) { row -> AccountID? in row.identifierIfPresent(0) }
    if let number, let owner = number { return owner }
    // What the exchange itself sent, a code, nobody waits for an answer to: a conversation goes on past it.
    if let range = incoming.reference.flatMap(ID128.range(shortReference:)) {
      let answered: AccountID? = try tx.first(
        "SELECT account FROM deliveries WHERE id BETWEEN $1 AND $2 AND address = $3 AND account <> $4 LIMIT 1",
        [.id(range.lowerBound), .id(range.upperBound), .text(incoming.sender), .id(AccountID.exchange)]
      ) { $0.identifier(0) }
      if let answered { return answered }
    }
    let writer: AccountID? = try tx.first(
      """
      SELECT account FROM deliveries WHERE address = $1 AND leased >= $2 AND account <> $3
      ORDER BY address, leased DESC LIMIT 1
      """, [.text(incoming.sender), .instant(now - Self.conversationWindow), .id(AccountID.exchange)]
    ) { $0.identifier(0) }
    if let writer { return writer }
    let operatorAccount: AccountID? = try tx.first(
      "SELECT id FROM accounts WHERE role = 'admin' ORDER BY id LIMIT 1"
    ) { $0.identifier(0) }
    return operatorAccount ?? Self.unowned
  }

  // MARK: Reading

  /// An account's inbox, newest first, older than `cursor`.
  package func entries(
    of account: AccountID, unreadOnly: Bool, before cursor: InboundID?, limit: Int, tx: any Transaction
  ) throws -> [InboundRecord] {
    let values: [Value] = [
      .id(account), .id(cursor?.value ?? ID128(high: .max, low: .max)), .integer(limit),
    ]
    return unreadOnly
      ? try tx.all(
        """
        SELECT id, account, channel, sender, recipient, text, reference, carrier_at, is_read FROM inbound
        WHERE account = $1 AND id < $2 AND is_read = 0 ORDER BY account, id DESC LIMIT $3
        """, values, InboundRecord.init)
      : try tx.all(
        """
        SELECT id, account, channel, sender, recipient, text, reference, carrier_at, is_read FROM inbound
        WHERE account = $1 AND id < $2 ORDER BY account, id DESC LIMIT $3
        """, values, InboundRecord.init)
  }

  package func entry(_ id: InboundID, of account: AccountID, tx: any Transaction) throws -> InboundRecord? {
    try tx.first(
      """
      SELECT id, account, channel, sender, recipient, text, reference, carrier_at, is_read FROM inbound
      WHERE id = $1 AND account = $2
      """, [.id(id), .id(account)], InboundRecord.init)
  }

  /// - Returns: the entry, read now; nil where there is none of this account.
  package func markRead(
    _ id: InboundID, of account: AccountID, at now: Instant, events: inout EventBatch, tx: any Transaction
  ) throws -> InboundRecord? {
    let changed = try tx.run(
      "UPDATE inbound SET is_read = 1 WHERE id = $1 AND account = $2 AND is_read = 0", [.id(id), .id(account)])
    if changed > 0 { announceRead([id], account, &events) }
    return try entry(id, of: account, tx: tx)
  }

  /// The unread ones, oldest first, marked read in the same step.
  /// - Parameter sender: only this peer's.
  package func take(
    of account: AccountID, from sender: String?, limit: Int, events: inout EventBatch, tx: any Transaction
  ) throws -> [InboundRecord] {
    let taken = try tx.all(
      """
      SELECT id, account, channel, sender, recipient, text, reference, carrier_at, 1 FROM inbound
      WHERE account = $1 AND is_read = 0 AND ($2 IS NULL OR sender = $2) ORDER BY account, id LIMIT $3
      """, [.id(account), .text(sender), .integer(limit)], InboundRecord.init)
    for record in taken {
      try tx.run("UPDATE inbound SET is_read = 1 WHERE id = $1", [.id(record.id)])
    }
    if !taken.isEmpty { announceRead(taken.map(\.id), account, &events) }
    return taken
  }

  func announceRead(_ ids: [InboundID], _ account: AccountID, _ events: inout EventBatch) {
    events.add(
      to: account.value, "inbox.read",
      JSONWriter.object { json in json.field("ids", ids) { $0.string($1.description) } })
  }

  /// Gives what came before there was an operator to the first one.
  package static func adopt(by account: AccountID, tx: any Transaction) throws {
    try tx.run("UPDATE inbound SET account = $2 WHERE account = $1", [.id(unowned), .id(account)])
  }

  /// For how long, and how many, callbacks that nobody could read are kept: a carrier sends them again and again.
  package static let unreadLimit: Duration = .seconds(30 * 24 * 3600)
  package static let mostUnread = 2000

  /// Removes callbacks that nobody could read, the oldest first.
  package func forgetUnread(at now: Instant, tx: any Transaction) throws {
    let oldest = ID128(high: UInt64(clamping: (now - Self.unreadLimit).milliseconds) << 16, low: 0)
    try tx.run("DELETE FROM unread_callbacks WHERE id < $1", [.id(oldest)])
    try tx.run(
      "DELETE FROM unread_callbacks WHERE id <= (SELECT id FROM unread_callbacks ORDER BY id DESC LIMIT 1 OFFSET $1)",
      [.integer(Self.mostUnread)])
  }

  /// Keeps a callback that nobody could read.
  package func keepUnread(
    _ raw: [UInt8], reason: String, from carrier: Int, at now: Instant, tx: any Transaction
  ) throws {
    try tx.run(
      "INSERT INTO unread_callbacks (id, carrier, reason, raw) VALUES ($1, $2, $3, $4)",
      [.id(ids.next(at: now)), .integer(carrier), .text(reason), .bytes(Array(raw.prefix(65_536)))])
  }
}
