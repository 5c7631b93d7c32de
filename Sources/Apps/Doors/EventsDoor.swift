import Contract
package import Database
package import Exchange
import Formats
package import Network
package import Runtime

/// `GET /api/v1/events`: what changes in an account, as server-sent events that can be resumed.
package struct EventsDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let hub: EventHub
  private let clock: any WallClock

  private static let stream = "account"
  private static let page = 100
  /// Shorter than the 15 s that are promised, so that proxies keep the stream open.
  private static let heartbeat: Duration = .seconds(12)

  package init(door: APIDoor, database: any Database, hub: EventHub, clock: any WallClock) {
    self.door = door
    self.database = database
    self.hub = hub
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/events") { request in
      await door.answer(request, scope: .messagesRead) { try await open(request, $0) }
    }
  }

  private func open(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    let query = try request.query(knows: ["streams"])
    if let names = query["streams"], names != Self.stream {
      throw APIError(.invalidField, detail: "streams names one that is not here; there is \(Self.stream)")
    }
    let stream = caller.account.id.value
    let resumed = request.headers["last-event-id"]
    let position: Int64?
    if let resumed {
      position = Self.position(resumed)
    } else {
      position = try await database.read { tx in try EventLog.position(of: stream, tx: tx) }
    }
    return HTTPResponse(eventStream: { writer in try await follow(stream, from: position, for: request, writer) })
  }

  private func follow(
    _ stream: ID128, from start: Int64?, for request: HTTPRequest, _ writer: HTTPBodyWriter
  ) async throws {
    try await hub.following(stream) {
      var position = start ?? -1
      // Headers alone do not open a stream in every client.
      try await writer.write(ServerSentEvent.comment("open"))
      // Its place, so that one that breaks off before the first event can resume, too.
      if let start { try await writer.write(ServerSentEvent(id: Self.id(start), event: "open", data: "{}")) }
      while !Task.isCancelled {
        let mark = hub.mark(of: stream)
        // It ends with the key or the session that opened it.
        do { _ = try await door.authenticator.caller(of: request) } catch is APIError { return }
        let seen = position
        let events = try await database.read { tx in
          try EventLog.events(after: seen, in: stream, limit: Self.page, tx: tx)
        }
        guard let events else {
          position = try await database.read { tx in try EventLog.position(of: stream, tx: tx) }
          try await writer.write(ServerSentEvent(id: Self.id(position), event: "reset", data: "{}"))
          continue
        }
        for event in events {
          try await writer.write(Self.serverSent(event))
          position = event.seq
        }
        if events.isEmpty, await !isSignalled(stream, since: mark) {
          try await writer.write(ServerSentEvent.comment("still here"))
        }
      }
    }
  }

  /// Waits for news, but not longer than a heartbeat.
  private func isSignalled(_ stream: ID128, since mark: UInt64) async -> Bool {
    await withTaskGroup { group in
      group.addTask {
        await hub.wait(on: stream, since: mark)
        return true
      }
      group.addTask {
        try? await clock.sleep(until: clock.now + Self.heartbeat)
        return false
      }
      let isNews = await group.next() ?? false
      group.cancelAll()
      return isNews
    }
  }

  private static func id(_ position: Int64) -> String { "\(stream):\(position)" }

  /// Nil for an id that was never given out; the stream then begins with a reset.
  private static func position(_ id: String) -> Int64? {
    let parts = id.split(separator: ":")
    guard parts.count == 2, parts[0] == stream, let position = Int64(parts[1]), position >= 0 else { return nil }
    return position
  }

  private static func serverSent(_ event: Event) -> ServerSentEvent {
    let data = JSONWriter.object { json in
      json.field("stream", stream)
      json.field("seq", event.seq)
      json.field("type", event.type)
      json.field("at", event.at)
      json.key("data")
      json.raw(event.data)
    }
    return ServerSentEvent(id: id(event.seq), data: String(decoding: data, as: UTF8.self))
  }
}
