import Contract
import Cryptography
import Formats
import GSMText

/// How a callback or the answer to a poll is cut into records, and those are read.
struct IncomingReader: Sendable {
  enum Source: Sendable {
    /// One field of the form, or of the query.
    case field(String)
    case body
    /// The fields themselves are the record.
    case fields
    case json
  }

  struct Split: Sendable {
    let separator: [UInt8]
    /// The first piece is the number of the others.
    let hasCount: Bool
  }

  let split: Split?
  /// Where the records stand in JSON.
  let each: JSONPath?
  let records: [RecordRule]
  let zone: Zone
  let identifiers: IdentifierStyle

  enum Zone: Sendable {
    case fixed(Duration)
    case setting(String)
  }

  /// Records in one call.
  static let limit = 1000
  /// A time further in the future than this is no time: the zone is wrong, or the clock.
  private static let tolerance = Duration.seconds(600)

  /// Nothing could be read at all.
  struct Failure: Error { var sentence: String }

  /// The records of a call, and what is wrong with it though they can be read.
  struct Cut {
    var records: [Record]
    var complaint: String?
  }

  func cut(_ callback: Callback, by source: Source) throws(Failure) -> Cut {
    switch source {
    case .fields: return Cut(records: [.fields(callback.fields)])
    case .field(let name):
      guard let field = callback.fields.first(where: { $0.name == name }) else {
        throw Failure(sentence: "The call has no field \(name).")
      }
      return try cut(field.value)
    case .body: return try cut(callback.body)
    case .json:
      let value: JSONValue
      do {
        value = try JSON.parse(callback.body)
      } catch {
        throw Failure(sentence: "The body is not JSON.")
      }
      guard let each else { return Cut(records: [.json(value)]) }
      return Cut(records: each.all(in: value).prefix(Self.limit).map { .json($0) })
    }
  }

  private func cut(_ text: [UInt8]) throws(Failure) -> Cut {
    guard let split else { return Cut(records: text.isEmpty ? [] : [.text(text)]) }
    var pieces = text.pieces(at: split.separator, limit: Self.limit + 2)
    guard split.hasCount else {
      return Cut(records: pieces.filter { !$0.isEmpty }.prefix(Self.limit).map { .text(Array($0)) })
    }
    guard let first = pieces.first, (1...4).contains(first.count), first.allSatisfy(\.isDigit), pieces.count >= 2,
      let count = Int(String(decoding: first, as: UTF8.self))
    else { throw Failure(sentence: "The text does not begin with the number of its records.") }
    pieces.removeFirst()
    if pieces.last?.isEmpty == true { pieces.removeLast() }
    // A poll is answered once: what is there is read, however many there should have been.
    let complaint = pieces.count == count ? nil : "The text says that it has \(count) records and has \(pieces.count)."
    return Cut(records: pieces.prefix(Self.limit).map { .text(Array($0)) }, complaint: complaint)
  }

  /// Reads the records into `reading`.
  func read(_ cut: Cut, settings: [String: String], now: Instant, into reading: inout CallbackReading) {
    let offset =
      switch zone {
      case .fixed(let offset): offset
      case .setting(let name): settings[name].flatMap { TimeFormat.offset($0) }
      }
    var seen: [String: Int] = [:]
    var isKnown = false
    for record in cut.records {
      var isRead = false
      for rule in self.records {
        guard let captures = rule.captures(record) else { continue }
        let at = captures.text("time").flatMap { text -> Instant? in
          guard let time = rule.time, let offset = time.needsZone ? offset : .zero,
            let at = time.instant(text, offset: offset), at <= now + Self.tolerance
          else { return nil }
          return at
        }
        switch rule.kind {
        case .ignored: isRead = true
        case .receipt(let statuses):
          guard let receipt = receipt(captures, rule, statuses, at, record) else { continue }
          reading.receipts.append(receipt)
          isRead = true
        case .inbound(let coding):
          guard let inbound = inbound(captures, coding, at, record, &seen) else { continue }
          reading.inbound.append(inbound)
          isRead = true
        }
        break
      }
      if isRead { isKnown = true } else { reading.unread.append(record.shown) }
    }
    reading.refusal = cut.complaint
    if !cut.records.isEmpty, !isKnown { reading.refusal = "No rule of the profile reads what came." }
  }

  private func receipt(
    _ captures: Captures, _ rule: RecordRule, _ statuses: [String: RecordRule.ReportedStatus], _ at: Instant?,
    _ record: Record
  ) -> Receipt? {
    guard let id = captures["id"].flatMap({ identifiers.normalized($0) }), let status = captures.nonEmpty("status")
    else { return nil }
    let code = captures.nonEmpty("code").map { Shown.text($0, limit: 40) }
    let reported =
      statuses[status]
      ?? RecordRule.ReportedStatus(
        status: .unknown, sentence: "The carrier reports \"\(Shown.text(status, limit: 40))\", which is not known here."
      )
    var sentence = reported.sentence
    if let code, let reason = rule.reasons[code] { sentence += " " + reason }
    return Receipt(
      carrierID: id, status: reported.status, code: code, sentence: sentence,
      reference: captures.nonEmpty("reference").map { Shown.text($0, limit: 100) }, at: at, raw: record.shown)
  }

  private func inbound(
    _ captures: Captures, _ coding: InboundCoding, _ at: Instant?, _ record: Record, _ seen: inout [String: Int]
  ) -> InboundText? {
    guard let from = captures.nonEmpty("from"), let text = captures["text"],
      let content = coding.content(text, coding: captures.text("coding"))
    else { return nil }
    let carrierID = captures["id"].flatMap { identifiers.normalized($0) }
    let part = part(captures)
    let identity: String
    if let carrierID {
      identity = part.map { "\(carrierID)/\($0.number)" } ?? carrierID
    } else {
      let digest = digest(captures)
      let place = seen[digest, default: 0] + 1
      seen[digest] = place
      identity = place == 1 ? digest : "\(digest)/\(place)"
    }
    return InboundText(
      carrierID: carrierID, identity: identity, from: Shown.text(from, limit: 40),
      to: Shown.text(captures.text("to") ?? "", limit: 40), content: content,
      reference: captures.nonEmpty("reference").map { Shown.text($0, limit: 255) }, at: at, part: part,
      raw: record.shown)
  }

  private func part(_ captures: Captures) -> InboundPart? {
    if let header = captures["udh"].flatMap({ Hex.octets($0) }), let header = UserDataHeader(parsing: header),
      let part = header.concatenation
    {
      return part.total > 1
        ? InboundPart(reference: Int(part.reference), total: Int(part.total), number: Int(part.sequence)) : nil
    }
    func number(_ name: String) -> Int? { captures.text(name).flatMap { $0.utf8.count <= 9 ? Int($0) : nil } }
    guard let reference = number("partReference"), let total = number("partTotal"), let number = number("partNumber"),
      reference >= 0, (2...255).contains(total), (1...total).contains(number)
    else { return nil }
    return InboundPart(reference: reference, total: total, number: number)
  }

  /// SHA-256 of all that was captured, each name and value with its length.
  private func digest(_ captures: Captures) -> String {
    var octets: [UInt8] = []
    for (name, value) in captures.values.sorted(by: { $0.name < $1.name }) {
      octets += "\(name):\(value.count):".utf8
      octets += value
    }
    return Hex.text(SHA256.hash(octets).prefix(16)).lowercased()
  }
}

extension [UInt8] {
  /// What stands between the separators; the last piece has the rest when there are too many.
  fileprivate func pieces(at separator: [UInt8], limit: Int) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index + separator.count <= count, pieces.count + 1 < limit {
      if self[index..<index + separator.count].elementsEqual(separator) {
        pieces.append(self[start..<index])
        index += separator.count
        start = index
      } else {
        index += 1
      }
    }
    pieces.append(self[start...])
    return pieces
  }
}
