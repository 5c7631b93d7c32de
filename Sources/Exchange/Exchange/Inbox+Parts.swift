package import Contract
package import Database

/// Texts that come in parts. A part stays for a while after its text was put together, so that it is known when the
/// carrier sends it again.
extension Inbox {
  func receive(
    part: IncomingText.Part, of incoming: IncomingText, from carrier: Int, at now: Instant,
    events: inout EventBatch, tx: any Transaction
  ) throws -> Bool {
    let set = PartSet(incoming, part, carrier)
    if let before = try stored(part.number, of: set, tx: tx) {
      if before.digest == incoming.digest { return false }
      // The phone has come round to the same reference number: this is the next text.
      try close(set, at: now, &events, tx: tx)
    }
    try tx.run(
      """
      INSERT INTO inbound_parts (carrier, sender, recipient, reference, total, number, coding, content, raw, carrier_at,
        received, digest, joined)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0)
      """,
      set.key + [
        .integer(part.number), .text(part.content.coding), .bytes(part.content.octets), .bytes(incoming.raw),
        .instant(incoming.at), .instant(now), .bytes(incoming.digest),
      ])
    let parts = try parts(of: set, tx: tx)
    if parts.count == part.total {
      try join(parts, of: set, reference: incoming.reference, digest: incoming.digest, at: now, &events, tx: tx)
      try tx.run(
        """
        UPDATE inbound_parts SET joined = 1
        WHERE carrier = $1 AND sender = $2 AND recipient = $3 AND reference = $4 AND total = $5
        """, set.key)
    }
    return true
  }

  /// Texts whose missing parts did not come in time are given to their owner as they are, and the parts of whole ones
  /// are forgotten.
  package func releaseIncomplete(at now: Instant, events: inout EventBatch, tx: any Transaction) throws {
    let stale = try tx.all(
      """
      SELECT carrier, sender, recipient, reference, total FROM inbound_parts
      WHERE received <= $1 ORDER BY received LIMIT 500
      """, [.instant(now - Self.partsLimit)], PartSet.init)
    var closed: Set<PartSet> = []
    for set in stale where closed.insert(set).inserted { try close(set, at: now, &events, tx: tx) }
  }

  // MARK: One text's parts

  /// What the parts of one text have in common.
  private struct PartSet: Hashable {
    let carrier: Int
    let sender: String
    let recipient: String
    let reference: Int
    let total: Int

    init(_ incoming: IncomingText, _ part: IncomingText.Part, _ carrier: Int) {
      self.carrier = carrier
      sender = incoming.sender
      recipient = incoming.recipient
      reference = part.reference
      total = part.total
    }

    init(_ row: any Row) {
      carrier = row.int(0)
      sender = row.text(1)
      recipient = row.text(2)
      reference = row.int(3)
      total = row.int(4)
    }

    var key: [Value] { [.integer(carrier), .text(sender), .text(recipient), .integer(reference), .integer(total)] }
  }

  private struct StoredPart {
    let number: Int
    let content: IncomingText.Content
    let raw: [UInt8]
    let carrierAt: Instant?
    let digest: [UInt8]
    let isJoined: Bool

    init(_ row: any Row) {
      number = row.int(0)
      content = IncomingText.Content(coding: row.text(1), octets: row.bytes(2))
      raw = row.bytes(3)
      carrierAt = row.instantIfPresent(4)
      digest = row.bytes(5)
      isJoined = row.bool(6)
    }
  }

  private func stored(_ number: Int, of set: PartSet, tx: any Transaction) throws -> StoredPart? {
    try tx.first(
      """
      SELECT number, coding, content, raw, carrier_at, digest, joined FROM inbound_parts
      WHERE carrier = $1 AND sender = $2 AND recipient = $3 AND reference = $4 AND total = $5 AND number = $6
      """, set.key + [.integer(number)], StoredPart.init)
  }

  private func parts(of set: PartSet, tx: any Transaction) throws -> [StoredPart] {
    try tx.all(
      """
      SELECT number, coding, content, raw, carrier_at, digest, joined FROM inbound_parts
      WHERE carrier = $1 AND sender = $2 AND recipient = $3 AND reference = $4 AND total = $5 ORDER BY number
      """, set.key, StoredPart.init)
  }

  /// Ends a text: what came of it is given to its owner, if it was not before.
  private func close(_ set: PartSet, at now: Instant, _ events: inout EventBatch, tx: any Transaction) throws {
    let parts = try parts(of: set, tx: tx).filter { !$0.isJoined }
    if let first = parts.first {
      try join(parts, of: set, reference: nil, digest: first.digest, at: now, &events, tx: tx)
    }
    try tx.run(
      """
      DELETE FROM inbound_parts
      WHERE carrier = $1 AND sender = $2 AND recipient = $3 AND reference = $4 AND total = $5
      """, set.key)
  }

  /// A missing part shows as an ellipsis in brackets; nothing that came is thrown away.
  private func join(
    _ parts: [StoredPart], of set: PartSet, reference: String?, digest: [UInt8], at now: Instant,
    _ events: inout EventBatch, tx: any Transaction
  ) throws {
    var text = ""
    var run: [IncomingText.Content] = []
    var next = 1
    for stored in parts {
      if stored.number > next {
        text += join(run) + "[…]"
        run = []
      }
      run.append(stored.content)
      next = stored.number + 1
    }
    text += join(run) + (next <= set.total ? "[…]" : "")
    let whole = IncomingText(
      sender: set.sender, recipient: set.recipient, text: text, reference: reference,
      at: parts.compactMap(\.carrierAt).min(), part: nil, digest: digest,
      raw: Array(parts.map(\.raw).joined(separator: [0x0A])))
    _ = try store(whole, from: set.carrier, at: now, events: &events, tx: tx)
  }
}
