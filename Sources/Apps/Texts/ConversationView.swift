import Contract
import Database
import Delivery
import Exchange
import Formats

/// A conversation as the API lists it.
struct ConversationView: Sendable {
  /// One message of it, shortened.
  private struct Message: Sendable {
    let kind: EntryKind
    let id: ID128
    let text: String?
    var record: DeliveryRecord?

    /// As the API writes its id.
    var name: String {
      switch kind {
      case .outgoing: MessageID(id).description
      case .incoming: InboundID(id).description
      }
    }
  }

  private let peer: String
  private let unread: Int
  private let last: Message
  private let match: Message?

  /// How much of a text a list shows.
  private static let mostShown = 200
  /// One character can be as long as a text.
  private static let mostScalars = 1000

  init(
    _ found: Conversations.Found, _ unread: Int, _ account: AccountID, _ outbox: Outbox, _ inbox: Inbox,
    tx: any Transaction
  ) throws {
    peer = found.row.peer
    self.unread = unread
    last = try Self.message(found.row.last, found.row.lastKind, account, outbox, inbox, tx: tx)
    match = try found.match.map { try Self.message($0.id, $0.kind, account, outbox, inbox, tx: tx) }
  }

  private static func message(
    _ id: ID128, _ kind: EntryKind, _ account: AccountID, _ outbox: Outbox, _ inbox: Inbox, tx: any Transaction
  ) throws -> Message {
    switch kind {
    case .outgoing:
      let record = try outbox.delivery(DeliveryID(id), of: account, tx: tx)
      return Message(kind: kind, id: id, text: record.flatMap { outbox.openedText(of: $0) }?.text, record: record)
    case .incoming:
      return Message(kind: kind, id: id, text: try inbox.entry(InboundID(id), of: account, tx: tx)?.text)
    }
  }

  func write(_ json: inout JSONWriter) {
    json.object { json in
      json.field("peer", peer)
      json.field("at", last.id.instant)
      json.field("unread", unread)
      json.object("last") { json in
        json.field("kind", last.kind.name)
        json.field("id", last.name)
        json.field("text", last.text.map(Self.shortened))
        json.field("state", last.record?.state.name)
        if let record = last.record { record.writeError(&json) } else { json.field("error", nil as String?) }
        json.field("at", last.id.instant)
        json.field("notBefore", last.record?.notBefore)
      }
      guard let match else { return json.field("match", nil as String?) }
      json.object("match") { json in
        json.field("kind", match.kind.name)
        json.field("id", match.name)
        json.field("text", match.text)
        json.field("at", match.id.instant)
      }
    }
  }

  private static func shortened(_ text: String) -> String {
    String(String(text.unicodeScalars.prefix(mostScalars)).prefix(mostShown))
  }
}
