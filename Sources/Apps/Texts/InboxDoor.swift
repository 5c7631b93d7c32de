import Contract
package import Database
package import Doors
package import Exchange
package import Formats
package import Network
package import Runtime

/// `/api/v1/inbox`: what arrived, and whether it was read.
package struct InboxDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let inbox: Inbox
  private let hub: EventHub
  private let clock: any WallClock

  private static let mostTaken = 1000

  package init(door: APIDoor, database: any Database, inbox: Inbox, hub: EventHub, clock: any WallClock) {
    self.door = door
    self.database = database
    self.inbox = inbox
    self.hub = hub
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/inbox") { request in
      await door.answer(request, scope: .inboxRead) { try await list(request, $0) }
    }
    router.on("POST", "/api/v1/inbox/{id}/read") { request in
      await door.answer(request, scope: .inboxRead) { try await markRead(request, $0) }
    }
    router.on("POST", "/api/v1/inbox/take") { request in
      await door.answer(request, scope: .inboxRead) { try await take(request, $0) }
    }
  }

  private func list(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    let paging = try Paging<InboundKind>(request, knows: ["unread"])
    let unread = try request.query(knows: ["unread", "limit", "cursor"])["unread"]
    guard unread == nil || unread == "true" || unread == "false" else {
      throw APIError(.invalidField, detail: "unread is true or false")
    }
    let account = caller.account.id
    let found = try await database.read { [inbox] tx in
      try inbox.entries(
        of: account, unreadOnly: unread == "true", before: paging.cursor, limit: paging.limit + 1, tx: tx)
    }
    return paging.page(found, id: \.id) { $1.write(&$0) }
  }

  private func markRead(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    guard let id = request.parameters["id"].flatMap({ InboundID($0) }) else { throw APIError(.notFound) }
    let account = caller.account.id
    let now = clock.now
    let (record, streams) = try await database.transaction { [inbox] tx in
      var events = EventBatch()
      let record = try inbox.markRead(id, of: account, at: now, events: &events, tx: tx)
      return (record, try events.write(in: tx, at: now))
    }
    hub.signal(streams)
    guard let record else { throw APIError(.notFound) }
    var json = JSONWriter()
    record.write(&json)
    return .json(200, json.bytes)
  }

  /// The unread ones, oldest first, marked read in the same step.
  private func take(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    var sender: String?
    if !request.body.isEmpty {
      sender = try request.jsonObject { fields throws(APIError) in try fields.string("from") }
    }
    let account = caller.account.id
    let now = clock.now
    let (taken, streams) = try await database.transaction { [inbox, sender] tx in
      var events = EventBatch()
      let taken = try inbox.take(of: account, from: sender, limit: Self.mostTaken, events: &events, tx: tx)
      return (taken, try events.write(in: tx, at: now))
    }
    hub.signal(streams)
    return .json(200, JSONWriter.object { json in json.field("items", taken) { $1.write(&$0) } })
  }
}

extension InboundRecord {
  /// As the API shows it.
  package func write(_ json: inout JSONWriter) { json.object { writeFields(&$0) } }

  /// Its fields, into an object that may have others.
  func writeFields(_ json: inout JSONWriter) {
    json.field("id", id)
    json.field("channel", "\(channel)")
    json.field("from", sender)
    json.field("to", recipient)
    json.field("text", text)
    json.field("reference", reference)
    json.field("receivedAt", receivedAt)
    json.field("carrierAt", carrierAt)
    json.field("read", isRead)
    json.field("conversation", sender)
  }
}
