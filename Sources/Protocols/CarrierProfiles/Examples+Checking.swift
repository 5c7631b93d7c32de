import Contract
import Formats

extension CarrierProfile {
  /// Reads a profile and runs its examples; empty when all is well.
  package static func check(json5: [UInt8], file: String) -> [ProfileProblem] {
    do {
      return try CarrierProfile(json5: json5, file: file).examplesProblems()
    } catch {
      return [error]
    }
  }

  /// Runs the examples; a sentence for each that comes out otherwise.
  package func examplesProblems() -> [ProfileProblem] {
    var problems = problems(withSettings: examples.settings).map { problem(0, "examples.settings: \($0)") }
    for example in examples.requests {
      if let sentence = difference(example) { problems.append(problem(example.line, sentence)) }
    }
    if let (line, expected) = examples.poll {
      let sentence = pollCall(settings: examples.settings).map { expected.difference($0) } ?? "There is no poll."
      if let sentence { problems.append(problem(line, sentence)) }
    }
    if let submission = examples.requests.first?.submission {
      for example in examples.answers {
        let outcome = outcome(status: example.status, body: example.body, for: submission)
        if let sentence = Self.difference(outcome, example) { problems.append(problem(example.line, sentence)) }
      }
    }
    for example in examples.calls {
      if let sentence = difference(example) { problems.append(problem(example.line, sentence)) }
    }
    return problems
  }

  private func problem(_ line: Int, _ sentence: String) -> ProfileProblem {
    ProfileProblem(file: file, line: line, sentence: sentence)
  }

  private func difference(_ example: Examples.Request) -> String? {
    let call: CarrierCall
    do {
      call = try request(for: example.submission, settings: examples.settings)
    } catch {
      return error.code == example.refusal ? nil : "The message is refused (\(error.code)): \(error.sentence)"
    }
    guard let expected = example.expected else { return "The message is not refused." }
    return expected.difference(call)
  }

  private static func difference(_ outcome: SubmitOutcome, _ example: Examples.Answer) -> String? {
    var scope: RefusalScope?
    var ids: [String]?
    let kind: Verdict.Kind
    let code: String?
    switch outcome {
    case .accepted(let found, _): (kind, ids, code) = (.accepted, found, nil)
    case .refused(.carrier, let found, _): (kind, code) = (.misconfigured, found)
    case .refused(let found, let number, _): (kind, scope, code) = (.refused, found, number)
    case .throttled(let found, _, _): (kind, code) = (.throttled, found)
    case .unavailable(let found, _): (kind, code) = (.unavailable, found)
    case .uncertain(let found, _): (kind, code) = (.unclear, found)
    }
    if kind != example.kind { return "The outcome is \(kind.rawValue) (\(code ?? "no code"))." }
    if let expected = example.ids, expected != ids { return "The ids are \(ids ?? [])." }
    if let expected = example.code, expected != code { return "The code is \(code ?? "missing")." }
    if let expected = example.scope, expected != scope { return "The scope is \(scope?.rawValue ?? "missing")." }
    return nil
  }

  private func difference(_ example: Examples.Call) -> String? {
    // Late enough for every time in an example to have been.
    let now = Instant(milliseconds: 32_503_680_000_000)
    let reading =
      switch example.input {
      case .callback(let callback): readCallback(callback, settings: examples.settings, now: now)
      case .polled(let status, let body): readPoll(status: status, body: body, settings: examples.settings, now: now)
      }
    if example.isRefused { return reading.refusal == nil ? "It is not refused." : nil }
    if let refusal = reading.refusal { return "It is refused: \(refusal)" }
    if reading.unread.count != example.unread { return "\(reading.unread.count) records are not read." }
    return Self.difference("receipt", reading.receipts.map(\.asExample), example.receipts)
      ?? Self.difference("message", reading.inbound.map(\.asExample), example.messages)
  }

  /// Only what an example names is compared.
  private static func difference(_ what: String, _ found: [JSONValue], _ expected: [JSONValue]) -> String? {
    guard found.count == expected.count else { return "There are \(found.count) \(what)s." }
    for (found, expected) in zip(found, expected) {
      for member in expected.object ?? [] where found[member.key] != member.value {
        return "The \(what)'s \(Shown.text(member.key, limit: 40)) is \(found[member.key]?.scalarText ?? "missing")."
      }
    }
    return nil
  }
}

extension Receipt {
  fileprivate var asExample: JSONValue {
    var members: [JSONValue.Member] = [.init("id", .string(carrierID)), .init("status", .string(status.rawValue))]
    if let code { members.append(.init("code", .string(code))) }
    if let reference { members.append(.init("reference", .string(reference))) }
    if let at { members.append(.init("at", .string(at.description))) }
    return .object(members)
  }
}

extension InboundText {
  fileprivate var asExample: JSONValue {
    var members: [JSONValue.Member] = [
      .init("from", .string(from)), .init("to", .string(to)), .init("text", .string(text)),
    ]
    if let carrierID { members.append(.init("id", .string(carrierID))) }
    if let reference { members.append(.init("reference", .string(reference))) }
    if let at { members.append(.init("at", .string(at.description))) }
    if let part { members.append(.init("part", .string("\(part.number)/\(part.total) of \(part.reference)"))) }
    return .object(members)
  }
}
