import Contract
import Formats
import Network

extension ControlDoor {
  private static let pageLimit = 1000

  /// Phones in the order of their numbers: `?limit=` (at most 1,000) and `?cursor=` turn the pages.
  func phones(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let query = try Self.query(request, known: ["limit", "cursor"])
    let limit = try Self.limit(query)
    let cursor = query["cursor"].flatMap { PhoneNumber($0) }
    guard cursor != nil || query["cursor"] == nil else { throw .invalidField("cursor", "is none that was given out") }
    return core.change { world, _ in
      let numbers = world.phones.numbers(after: cursor, limit: limit)
      return Self.json(200) { json in
        json.field("items", numbers) { json, number in
          json.object { json in world.write(phone: number, to: &json) }
        }
        json.field("next", numbers.count < limit ? nil : numbers.last?.digits)
      }
    }
  }

  func phone(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let number = try Self.numberOrDefault(request)
    return core.change { world, _ in Self.json(200) { json in world.write(phone: number, to: &json) } }
  }

  /// The whole behaviour: what is left out is as it is at first. The number may be `default`.
  func setPhone(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let number = try Self.numberOrDefault(request)
    let behaviour = try SandboxFields.read(request) { (fields) throws(SandboxRefusal) in
      var behaviour = PhoneBehaviour()
      behaviour.answers = try fields.string("answers")
      behaviour.answerDelay = try fields.milliseconds("answerDelayMs") ?? .zero
      if let name = try fields.string("receipt") {
        guard let receipt = PhoneBehaviour.Receipt(rawValue: name) else {
          throw fields.invalid("receipt", "must be delivered, failed, expired or none")
        }
        behaviour.receipt = receipt
      }
      return behaviour
    }
    return try core.change { (world, _) throws(SandboxRefusal) in
      if let number {
        guard world.phones.setBehaviour(behaviour, of: number) else { throw .tooManyBehaviours }
      } else {
        world.phones.defaultBehaviour = behaviour
      }
      return Self.json(200) { json in world.write(phone: number, to: &json) }
    }
  }

  // MARK: - Messages

  /// The oldest first. `?direction=` is `received` (the default), `sent` or `all`; `?limit=` takes the newest ones.
  func messages(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let number = try Self.number(request)
    let query = try Self.query(request, known: ["limit", "direction"])
    let limit = try Self.limit(query)
    let direction = query["direction"] ?? "received"
    guard ["received", "sent", "all"].contains(direction) else {
      throw .invalidField("direction", "must be received, sent or all")
    }
    let messages = core.change { world, _ in world.phones[number]?.messages.suffix(.max) ?? [] }
    let shown = messages.map(\.message).filter { direction == "all" || $0.isSent == (direction == "sent") }
    var json = JSONWriter()
    json.beginArray()
    for message in shown.suffix(limit) { json.object { json in message.write(to: &json) } }
    json.endArray()
    return Self.json(200, json.bytes)
  }

  func send(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let number = try Self.number(request)
    let (to, text) = try SandboxFields.read(request) { (fields) throws(SandboxRefusal) in
      (try fields.required("to"), try fields.required("text", limit: 30_000))
    }
    let (message, carrier) = try core.change { (world, now) throws(SandboxRefusal) in
      try world.send(from: number, to: to, text: text, at: now)
    }
    return Self.json(201) { json in
      message.write(to: &json)
      json.field("carrier", carrier)
    }
  }

  // MARK: - Paths and queries

  private static func number(_ request: HTTPRequest) throws(SandboxRefusal) -> PhoneNumber {
    guard let number = PhoneNumber(request.parameters["number"] ?? "") else { throw .notFound("phone") }
    return number
  }

  private static func numberOrDefault(_ request: HTTPRequest) throws(SandboxRefusal) -> PhoneNumber? {
    request.parameters["number"] == "default" ? nil : try number(request)
  }

  private static func query(
    _ request: HTTPRequest, known: Set<String>
  ) throws(SandboxRefusal) -> [String: String] {
    guard let items = request.queryItems() else { throw .invalidField("query", "can not be read") }
    if let unknown = items.first(where: { !known.contains($0.name) }) {
      throw .unknownField(String(unknown.name.prefix(60)))
    }
    return Dictionary(items.map { ($0.name, $0.value) }) { $1 }
  }

  private static func limit(_ query: [String: String]) throws(SandboxRefusal) -> Int {
    guard let text = query["limit"] else { return pageLimit }
    guard let limit = Int(text), (1...pageLimit).contains(limit) else {
      throw .invalidField("limit", "must be a number from 1 to \(pageLimit)")
    }
    return limit
  }
}

extension PhoneMessage {
  func write(to json: inout JSONWriter) {
    json.field("id", String(id))
    json.field("at", at)
    json.field("to", to)
    json.field("from", from)
    json.field("text", text)
    if let binary { json.field("binary", binary) }
    json.field("parts", parts)
  }
}

extension SandboxWorld {
  /// - Parameter number: nil for how phones behave of which nothing else was said.
  func write(phone number: PhoneNumber?, to json: inout JSONWriter) {
    let behaviour = number.map { phones.behaviour(of: $0) } ?? phones.defaultBehaviour
    json.field("number", number?.description)
    if let number { json.field("messages", phones[number]?.messages.count ?? 0) }
    json.field("receipt", behaviour.receipt.rawValue)
    json.field("answers", behaviour.answers)
    json.field("answerDelayMs", behaviour.answerDelay.inMilliseconds)
  }
}
