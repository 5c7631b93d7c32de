import Contract
package import Database
import Delivery
package import Doors
package import Exchange
import Formats
package import Network
package import Runtime

/// `/api/v1/conversations`: what was written with whom, newest first, searched, and marked read.
package struct ConversationsDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let outbox: Outbox
  private let inbox: Inbox
  private let indexer: ConversationIndexer
  private let dispatcher: Dispatcher
  private let hub: EventHub
  private let clock: any WallClock

  /// How many are marked read in one transaction, and named by one event.
  private static let mostReadAtOnce = 1000

  package init(
    door: APIDoor, database: any Database, outbox: Outbox, inbox: Inbox, indexer: ConversationIndexer,
    dispatcher: Dispatcher, hub: EventHub, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.outbox = outbox
    self.inbox = inbox
    self.indexer = indexer
    self.dispatcher = dispatcher
    self.hub = hub
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/conversations") { request in
      await door.answer(request, scope: .messagesRead) { try await list(request, $0) }
    }
    router.on("GET", "/api/v1/conversations/{peer}/messages") { request in
      await door.answer(request, scope: .messagesRead) { try await messages(request, $0) }
    }
    router.on("POST", "/api/v1/conversations/{peer}/read") { request in
      await door.answer(request, scope: .inboxRead) { try await markRead(request, $0) }
    }
  }

  // MARK: List

  private func list(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try caller.require(.inboxRead)
    let paging = try Paging<ConversationPlaceKind>(request, knows: ["q", "filter"])
    let asked = try request.query(knows: ["q", "filter", "limit", "cursor"])
    let filter = try asked["filter"].map { name throws(APIError) in
      guard let filter = Conversations.Filter(rawValue: name) else {
        throw APIError(.invalidField, detail: "filter is one of unread, unsent")
      }
      return filter
    }
    let query = try asked["q"].map { text throws(APIError) in
      guard let query = ConversationQuery(text) else {
        throw APIError(.invalidField, detail: "q has from 1 to \(ConversationQuery.longest) characters")
      }
      return query
    }
    let account = caller.account.id
    try await indexer.bringUpToDate(account)
    let (views, more, unread) = try await database.read { [outbox, inbox] tx in
      let conversations = Conversations(account: account, tx: tx)
      let unread = try inbox.unread(of: account, tx: tx)
      let limit = paging.limit + 1
      let found =
        if let query {
          try conversations.search(query, after: paging.cursor, limit: limit, filter: filter, unread: unread)
        } else {
          try conversations.list(after: paging.cursor, limit: limit, filter: filter, unread: unread)
        }
      let shown = found.prefix(paging.limit)
      let views = try shown.map { found in
        try ConversationView(found, unread[found.row.peer] ?? 0, account, outbox, inbox, tx: tx)
      }
      return (views, found.count > paging.limit ? shown.last?.place : nil, unread.values.reduce(0, +))
    }
    return .json(
      200,
      JSONWriter.object { json in
        json.field("items", views) { $1.write(&$0) }
        json.field("next", more)
        json.field("unread", unread)
      })
  }

  // MARK: One conversation

  private enum Entry: Sendable {
    case outgoing(DeliveryRecord)
    case incoming(InboundRecord)
  }

  private func messages(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try caller.require(.inboxRead)
    let paging = try Paging<ConversationPlaceKind>(request)
    guard let peer = request.parameters["peer"] else { throw APIError(.notFound) }
    let account = caller.account.id
    try await indexer.bringUpToDate(account)
    let (entries, next) = try await database.read { [outbox, inbox] tx in
      let found = try Conversations(account: account, tx: tx)
        .entries(with: peer, after: paging.cursor, limit: paging.limit + 1)
      let shown = found.prefix(paging.limit)
      let entries = try shown.compactMap { entry -> Entry? in
        switch entry.kind {
        case .outgoing: try outbox.delivery(DeliveryID(entry.id), of: account, tx: tx).map { .outgoing($0) }
        case .incoming: try inbox.entry(InboundID(entry.id), of: account, tx: tx).map { .incoming($0) }
        }
      }
      return (entries, found.count > paging.limit ? shown.last.map { ConversationPlace($0.id) } : nil)
    }
    let routes = dispatcher.routes
    return .json(
      200,
      JSONWriter.object { json in
        json.field("items", entries) { json, entry in
          json.object { json in
            switch entry {
            case .outgoing(let record):
              json.field("kind", EntryKind.outgoing.name)
              MessageView(record, body: outbox.openedText(of: record), routes: routes).writeFields(&json)
            case .incoming(let record):
              json.field("kind", EntryKind.incoming.name)
              record.writeFields(&json)
            }
          }
        }
        json.field("next", next)
      })
  }

  /// All that is unread of the peer, or all up to one text.
  private func markRead(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    guard let peer = request.parameters["peer"] else { throw APIError(.notFound) }
    var last: InboundID?
    if !request.body.isEmpty {
      last = try request.jsonObject { fields throws(APIError) in
        try fields.string("through").map { text throws(APIError) in
          guard let id = InboundID(text) else { throw fields.invalid("through", "is the id of a text of the inbox") }
          return id
        }
      }
    }
    let account = caller.account.id
    let through = last
    var read = 0
    while true {
      let now = clock.now
      let (count, streams) = try await database.transaction { [inbox] tx in
        var events = EventBatch()
        let count = try inbox.markRead(
          from: peer, of: account, through: through, limit: Self.mostReadAtOnce, events: &events, tx: tx)
        return (count, try events.write(in: tx, at: now))
      }
      hub.signal(streams)
      read += count
      if count < Self.mostReadAtOnce { break }
    }
    let unread = try await database.read { [inbox] tx in try inbox.unread(of: account, tx: tx).values.reduce(0, +) }
    return .json(
      200,
      JSONWriter.object { [read] json in
        json.field("read", read)
        json.field("unread", unread)
      })
  }
}

extension Outbox {
  /// The text that a delivery carries; nil once erased.
  func openedText(of record: DeliveryRecord) -> TextBody? { openedBody(of: record).flatMap(TextBody.init(bytes:)) }
}
