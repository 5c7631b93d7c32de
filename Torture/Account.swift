import Contract
import Formats

/// The exchange's own account of what it did, over its API.
struct Account: Sendable {
  let wire: Wire
  let exchange: String
  let key: String

  static let finals: Set<String> = ["delivered", "rejected", "undeliverable", "expired", "cancelled", "unknown"]

  struct Message: Sendable {
    let id: String
    let state: String
    let reference: String?
    let to: String
  }

  struct Step: Sendable {
    let at: Instant
    let event: String
    let attempt: Int?
    let detail: String?
  }

  func messages() async throws -> [Message] {
    var messages: [Message] = []
    var cursor: String?
    repeat {
      let query = "limit=200" + (cursor.map { "&cursor=\($0)" } ?? "")
      let page = try await wire.insist("GET", "\(exchange)/api/v1/messages?\(query)", key: key).json
      for item in page["items"]?.array ?? [] {
        guard let id = item["id"]?.string, let state = item["state"]?.string, let to = item["to"]?.string else {
          throw Failure("a message in the list can not be read")
        }
        messages.append(Message(id: id, state: state, reference: item["reference"]?.string, to: to))
      }
      cursor = page["next"]?.string
    } while cursor != nil
    return messages
  }

  func timeline(of id: String) async throws -> [Step] {
    let message = try await wire.insist("GET", "\(exchange)/api/v1/messages/\(id)", key: key).json
    return try (message["timeline"]?.array ?? []).map { step in
      guard let at = step["at"]?.string.flatMap({ Instant($0) }), let event = step["event"]?.string else {
        throw Failure("the timeline of \(id) can not be read")
      }
      return Step(
        at: at, event: event, attempt: step["attempt"]?.integer.map(Int.init), detail: step["detail"]?.string)
    }
  }

  /// The timelines of all of `ids`, a few at a time.
  func timelines(of ids: [String]) async throws -> [String: [Step]] {
    var timelines: [String: [Step]] = [:]
    try await withThrowingTaskGroup(of: (String, [Step]).self) { group in
      var rest = ids[...]
      for _ in 0..<8 { if let id = rest.popFirst() { group.addTask { (id, try await timeline(of: id)) } } }
      while let (id, steps) = try await group.next() {
        timelines[id] = steps
        if let id = rest.popFirst() { group.addTask { (id, try await timeline(of: id)) } }
      }
    }
    return timelines
  }
}
