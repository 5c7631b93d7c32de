import Formats
import Foundation

/// Reads a stream of server-sent events as a browser does, and shows the comments, too.
final class EventReader {
  struct Event {
    var id = ""
    var name = ""
    var data = ""

    var json: JSONValue { (try? JSON.parse(Array(data.utf8))) ?? .null }
    var type: String { json["type"]?.string ?? "" }
    var seq: Int64 { json["seq"]?.integer ?? -1 }
  }

  private let connection: RawConnection
  private var unread = ""
  private(set) var comments: [String] = []
  private(set) var isEnded = false
  /// Where the stream began, to take it up again before anything has happened.
  private(set) var place = ""
  /// Everything as it came.
  private(set) var received = ""

  init(
    _ address: String, key: String? = nil, cookie: String? = nil, lastEventID: String? = nil
  ) throws {
    connection = try RawConnection(address)
    var head = "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(connection.port)\r\n"
    if let key { head += "Authorization: Bearer \(key)\r\n" }
    if let cookie { head += "Cookie: \(cookie)\r\n" }
    if let lastEventID { head += "Last-Event-ID: \(lastEventID)\r\n" }
    connection.send(Array("\(head)\r\n".utf8))
    // What happens once the first comment is there is on the stream.
    let end = ContinuousClock.now + .seconds(20)
    while !comments.contains("open") {
      guard ContinuousClock.now < end, !isEnded else { throw Failure("the stream did not open: \(received)") }
      ready += read()
    }
  }

  private var ready: [Event] = []

  /// All events up to when enough have come.
  func events(within limit: Duration = .seconds(30), until isEnough: ([Event]) -> Bool) async throws -> [Event] {
    let end = ContinuousClock.now + limit
    var events = ready
    ready = []
    while !isEnough(events) {
      guard ContinuousClock.now < end, !isEnded else {
        throw Failure("the events did not come: \(received.suffix(2000))")
      }
      events += read()
      await Task.yield()
    }
    return events
  }

  /// Waits until a comment comes.
  func waitForComment(_ comment: String, within limit: Duration) async throws {
    let end = ContinuousClock.now + limit
    while !comments.contains(comment) {
      guard ContinuousClock.now < end else { throw Failure("no comment came: \(received)") }
      ready += read()
      await Task.yield()
    }
  }

  /// Waits until the server ends the stream.
  func waitForEnd(within limit: Duration) async throws {
    let end = ContinuousClock.now + limit
    while !isEnded {
      guard ContinuousClock.now < end else { throw Failure("the stream did not end: \(received.suffix(500))") }
      ready += read()
      await Task.yield()
    }
  }

  /// The events that are complete by now. The lines of the chunked coding hold neither colon nor comment, and go.
  private func read() -> [Event] {
    guard let bytes = connection.read() else {
      isEnded = true
      return []
    }
    let text = String(decoding: bytes, as: UTF8.self)
    received += text
    unread += text
    if unread.contains("\r\n0\r\n\r\n") { isEnded = true }
    var events: [Event] = []
    while let end = unread.firstRange(of: "\n\n") {
      let block = unread[..<end.lowerBound]
      var event = Event()
      for line in block.split(whereSeparator: \.isNewline) {
        if line.hasPrefix(": ") { comments.append(String(line.dropFirst(2))) }
        if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
      }
      if event.name == "open" {
        place = event.id
      } else if !event.data.isEmpty {
        events.append(event)
      }
      unread = String(unread[end.upperBound...])
    }
    return events
  }
}
