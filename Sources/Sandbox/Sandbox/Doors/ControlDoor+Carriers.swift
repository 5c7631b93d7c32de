import Contract
import Formats
import Network

extension ControlDoor {
  func carriers(_: HTTPRequest) -> HTTPResponse {
    core.change { world, _ in
      Self.json(200) { json in
        json.field("items", world.carriers.indices) { json, index in
          json.object { json in world.write(carrier: index, to: &json) }
        }
      }
    }
  }

  func carrier(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    try change(request) { (world, index, _) in Self.json(200) { json in world.write(carrier: index, to: &json) } }
  }

  /// What is left out stays as it is; null takes an address away.
  func setCarrier(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let (receipts, incoming, numbers) = try SandboxFields.read(request) { (fields) throws(SandboxRefusal) in
      (
        try Self.url("receiptURL", &fields), try Self.url("incomingURL", &fields),
        try Self.numbers(&fields)
      )
    }
    return try change(request) { (world, index, _) in
      if let receipts { world.carriers[index].receiptURL = receipts }
      if let incoming { world.carriers[index].incomingURL = incoming }
      if let numbers { world.carriers[index].numbers = numbers }
      return Self.json(200) { json in world.write(carrier: index, to: &json) }
    }
  }

  /// nil when the field is not there.
  private static func url(_ name: String, _ fields: inout SandboxFields) throws(SandboxRefusal) -> String?? {
    guard fields.contains(name) else { return nil }
    guard let url = try fields.string(name) else { return .some(nil) }
    let isWeb = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) && url.utf8.count > $0.utf8.count }
    guard isWeb, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw fields.invalid(name, "must be an http or https address")
    }
    return url
  }

  private static func numbers(_ fields: inout SandboxFields) throws(SandboxRefusal) -> Set<String>? {
    guard let numbers = try fields.strings("numbers", limit: 10_000)?.map(CarrierState.digits) else { return nil }
    guard numbers.allSatisfy(Sender.isDigits) else { throw fields.invalid("numbers", "must be phone numbers") }
    return Set(numbers)
  }

  // MARK: - Ledger

  func ledger(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let pieces = try change(request) { (world, index, _) in world.carriers[index].ledger.pieces() }
    return HTTPResponse(contentType: "application/x-ndjson") { writer in
      var pieces = pieces
      while let piece = pieces.next() { try await writer.write(piece) }
      // Cut, so that it does not look whole.
      guard pieces.isComplete else { throw CancellationError() }
    }
  }

  // MARK: - Faults

  func faults(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let faults = try change(request) { (world, index, _) in world.carriers[index].faults }
    return Self.json(200) { json in faults.write(to: &json) }
  }

  func setFaults(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let (kind, seed) = try change(request) { (world, index, _) in
      (world.carriers[index].kind, world.carriers[index].faults.seed)
    }
    let faults = try SandboxFields.read(request) { (fields) throws(SandboxRefusal) in
      try CarrierFaults(&fields, kind: kind, seed: seed)
    }
    try change(request) { (world, index, now) in world.carriers[index].set(faults, now: now) }
    return Self.json(200) { json in faults.write(to: &json) }
  }

  private func change<Result>(
    _ request: HTTPRequest, _ body: (inout SandboxWorld, Int, Instant) -> Result
  ) throws(SandboxRefusal) -> Result {
    try core.change { (world, now) throws(SandboxRefusal) in
      guard let index = world.carrier(named: request.parameters["name"] ?? "") else { throw .notFound("carrier") }
      return body(&world, index, now)
    }
  }
}

extension SandboxWorld {
  func write(carrier index: Int, to json: inout JSONWriter) {
    let carrier = carriers[index]
    json.field("name", carrier.name)
    json.field("kind", carrier.kind.rawValue)
    json.field("user", carrier.user)
    json.field("receiptURL", carrier.receiptURL.map(withoutSecret))
    json.field("incomingURL", carrier.incomingURL.map(withoutSecret))
    json.field("numbers", carrier.numbers.sorted()) { $0.string("+\($1)") }
    json.object("counts") { json in
      json.field("accepted", carrier.counts.accepted)
      json.field("refused", carrier.counts.refused)
      json.field("told", carrier.counts.told)
      json.field("untold", carrier.counts.untold)
      json.field("toPush", lanes.count(ofCarrier: index))
      json.field("toPoll", carrier.polled.count)
    }
    json.object("faults") { json in carrier.faults.write(to: &json) }
  }

  /// The last part of a callback address is usually what proves that its caller is the carrier.
  private func withoutSecret(_ url: String) -> String {
    let path = url.prefix { $0 != "?" }
    guard let slash = path.lastIndex(of: "/"), slash > path.index(path.startIndex, offsetBy: 8) else { return url }
    return path[...slash] + "…"
  }
}
