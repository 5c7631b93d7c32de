import Formats

/// One way to read the answer to a submission.
struct AnswerRule: Sendable {
  /// Empty for any.
  let statuses: [ClosedRange<Int>]
  let text: TextPattern?
  /// Every value found must fit, and there must be one.
  let conditions: [(path: JSONPath, fits: ValuePattern)]
  let take: [(name: String, path: JSONPath)]
  /// By the captured `code`.
  let table: [String: Verdict]?
  /// nil leaves the answer to the next rule when the table has nothing for it.
  let verdict: Verdict?

  /// Names that may be captured.
  static let names: Set<String> = ["id", "ids", "code", "text", "detail", "retryAfter"]

  var needsJSON: Bool { !conditions.isEmpty || !take.isEmpty }

  /// nil when the rule does not fit.
  func outcome(_ answer: inout CarrierAnswer, _ identifiers: IdentifierStyle) -> SubmitOutcome? {
    guard statuses.isEmpty || statuses.contains(where: { $0.contains(answer.status) }) else { return nil }
    var captures = Captures()
    if let text {
      guard text.match(answer.body, into: &captures) else { return nil }
    }
    if needsJSON {
      guard let json = answer.json else { return nil }
      for (path, fits) in conditions {
        let found = path.all(in: json)
        guard !found.isEmpty else { return nil }
        for value in found {
          guard let text = value.scalarText, fits.match(text, into: &captures) else { return nil }
        }
      }
      for (name, path) in take {
        for value in path.all(in: json) {
          if let text = value.scalarText { captures.add(name, Array(text.utf8)) }
        }
      }
    }
    if let table, let code = captures.text("code"), let found = table[code] {
      return found.outcome(captures, answer, identifiers)
    }
    return verdict?.outcome(captures, answer, identifiers)
  }
}

/// What an answer means.
struct Verdict: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case accepted, refused, throttled, unavailable, misconfigured, unclear
  }

  let kind: Kind
  /// Of a refusal.
  let scope: RefusalScope
  let sentence: CaptureTemplate?
  let retryAfter: Duration?
  /// The carrier gives no id, and so no receipt can be told to belong to the message.
  let hasNoID: Bool

  func outcome(_ captures: Captures, _ answer: CarrierAnswer, _ identifiers: IdentifierStyle) -> SubmitOutcome {
    let captured = captures["code"].flatMap { $0.isEmpty ? nil : $0 }
    let code = captured.map { answer.shown($0, limit: 40) } ?? "HTTP \(answer.status)"
    let sentence = sentence?.filled(captures) { answer.shown($0) } ?? ""
    switch kind {
    case .accepted:
      guard let ids = identifiers.ids(in: captures), hasNoID || !ids.isEmpty else {
        return .uncertain(
          code: code, sentence: "The carrier took the message, it seems, and gave no id that can be read.")
      }
      return .accepted(ids: ids, detail: captures["detail"].map { answer.shown($0) })
    case .refused: return .refused(scope: scope, code: code, sentence: sentence)
    case .misconfigured: return .refused(scope: .carrier, code: code, sentence: sentence)
    case .throttled:
      let seconds = captures.text("retryAfter").flatMap { $0.utf8.count <= 6 ? Int($0) : nil }
      let wait = seconds.flatMap { $0 >= 0 ? Duration.seconds($0) : nil }
      return .throttled(code: code, sentence: sentence, retryAfter: wait ?? retryAfter)
    case .unavailable: return .unavailable(code: code, sentence: sentence)
    case .unclear: return .uncertain(code: code, sentence: sentence)
    }
  }
}

/// An answer while rules look at it; read as JSON once, when the first rule asks.
struct CarrierAnswer {
  let status: Int
  let body: [UInt8]
  /// The text of the message, which some carriers repeat when they refuse it; empty where it says too little to be told
  /// from other words.
  private let message: [UInt8]
  private var parsed: JSONValue??

  /// Octets that rules look at.
  static let limit = 64 * 1024

  init(status: Int, body: [UInt8], message: String = "") {
    self.status = status
    self.body = body.count > Self.limit ? Array(body.prefix(Self.limit)) : body
    self.message = message.utf8.count >= 8 ? Array(message.utf8) : []
  }

  /// Octets of the answer as a sentence may repeat them: short, on one line, without the message.
  func shown(_ octets: [UInt8], limit: Int = Shown.limit) -> String {
    guard !message.isEmpty, octets.count >= message.count else { return Shown.octets(octets, limit: limit) }
    return Shown.octets(octets.replacing(message, with: Array("…".utf8)), limit: limit)
  }

  var json: JSONValue? {
    mutating get {
      if let parsed { return parsed }
      let value = try? JSON.parse(body)
      parsed = .some(value)
      return value
    }
  }
}

/// How a carrier's ids are compared: some write the same id in one way in answers and in another in receipts.
enum IdentifierStyle: String, Sendable, CaseIterable {
  case exact
  case lowercase
  /// Digits, without the zeros before them.
  case number

  /// The id in the form that is stored; nil for what can be none.
  func normalized(_ octets: [UInt8]) -> String? {
    guard (1...128).contains(octets.count), octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    switch self {
    case .exact: return String(decoding: octets, as: UTF8.self)
    case .lowercase: return String(decoding: octets, as: UTF8.self).lowercased()
    case .number:
      guard octets.allSatisfy(\.isDigit) else { return nil }
      let digits = octets.drop { $0 == 0x30 }
      return digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self)
    }
  }

  /// `id` as often as it was captured, then `ids` taken apart at commas and spaces; nil when one of them is none.
  func ids(in captures: Captures) -> [String]? {
    var ids: [String] = []
    let lists = captures.all("ids").flatMap { list in
      list.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 <= 0x20 }.map { Array($0) }
    }
    for octets in captures.all("id") + lists {
      guard let id = normalized(octets) else { return nil }
      if !ids.contains(id) { ids.append(id) }
      guard ids.count <= 300 else { return nil }
    }
    return ids
  }
}
