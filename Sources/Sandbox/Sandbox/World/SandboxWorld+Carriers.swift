import Contract
import GSMText
import HTTPSMS
import SMSGlobal

/// The carriers' side of a submission.
extension SandboxWorld {
  /// What a carrier answers, and when.
  struct Reply {
    enum Wait: Equatable {
      case none
      /// Until this hold is released.
      case until(UInt64)
      /// It never answers.
      case forever
    }

    var status: Int
    var body: String
    var wait = Wait.none
    var closes = false

    static let silence = Reply(status: 200, body: "", wait: .forever)
    static let down = Reply(status: 503, body: "The carrier is down.\n", closes: true)
  }

  /// What kind of refusal it is, which each carrier says in its own way.
  fileprivate enum Obstacle {
    case fault(code: Int)
    case throughput
    case disk
  }

  // MARK: - HTTPSMS

  mutating func submit(
    _ submission: Result<HTTPSMSSubmit, HTTPSMSRefusal>, carrier index: Int, at now: Instant
  ) -> Reply {
    if let reply = absence(of: index) { return reply }
    let submit: HTTPSMSSubmit
    switch submission {
    case .failure(let refusal): return refuse(refusal.code, index, now)
    case .success(let read): submit = read
    }
    guard submit.user == carriers[index].user, submit.password == carriers[index].password else {
      return refuse(.badLogin, index, now)
    }
    let from = Sender(
      wire: submit.source, shown: submit.sourceType == .international ? "+\(submit.source)" : submit.source)
    let text = submit.content.text
    var results: [HTTPSMSAnswer.Result] = []
    var texts: [TextInTransit] = []
    let count = submit.destinations.count
    if let obstacle = obstacle(for: count, carrier: index, at: now) { return refuse(.init(obstacle), index, now) }
    for destination in submit.destinations {
      guard let number = destination.number.flatMap({ PhoneNumber($0) }) else {
        results.append(.failed(.destination))
        continue
      }
      let id = carriers[index].takeID()
      results.append(.id(id))
      texts.append(
        TextInTransit(
          id: id, carrier: index, to: number, from: from, text: text ?? "",
          binary: text == nil ? submit.content.hexadecimal : nil, parts: submit.parts, reference: submit.reference,
          wantsReceipt: submit.receipts == .send,
          expires: max(now, submit.notBefore ?? now) + .seconds(60 * submit.validityMinutes)))
    }
    guard let wait = take(texts, notBefore: submit.notBefore, at: now) else {
      return refuse(.init(.disk), index, now)
    }
    let answer = HTTPSMSAnswer.accepted(results, reference: submit.reference)
    return Reply(status: answer.status, body: answer.body, wait: wait)
  }

  private mutating func refuse(_ code: HTTPSMSError, _ index: Int, _ now: Instant) -> Reply {
    carriers[index].counts.refused += 1
    let answer = HTTPSMSAnswer.refused(code)
    return Reply(status: answer.status, body: answer.body, wait: delayed(index, now))
  }

  /// What waits for a client that asks: at most 100 things, which are then the client's.
  mutating func poll(_ poll: Result<HTTPSMSPoll, HTTPSMSRefusal>, carrier index: Int, at now: Instant) -> Reply {
    if let reply = absence(of: index) { return reply }
    if carriers[index].faults.isSilent { return .silence }
    switch poll {
    case .failure(let refusal): return refuse(refusal.code, index, now)
    case .success(let poll):
      guard poll.user == carriers[index].user, poll.password == carriers[index].password else {
        return refuse(.badLogin, index, now)
      }
    }
    let items = carriers[index].polled.prefix(IncomingEnvelope.itemLimit)
    carriers[index].polled.removeFirst(items.count)
    carriers[index].counts.told += items.count
    return Reply(status: 200, body: IncomingEnvelope(items).text, wait: delayed(index, now))
  }

  // MARK: - SMSGlobal

  mutating func submit(
    _ submission: Result<SMSGlobalSubmit, SMSGlobalRefusal>, plan: TextPlan?, carrier index: Int, at now: Instant
  ) -> Reply {
    if let reply = absence(of: index) { return reply }
    let submit: SMSGlobalSubmit
    switch submission {
    case .failure(let refusal): return refuse(refusal, index, now)
    case .success(let read): submit = read
    }
    guard submit.user == carriers[index].user, submit.password == carriers[index].password else {
      return refuse(.code(.badPassword), index, now)
    }
    guard let plan else { return refuse(.code(.badMessageLength), index, now) }
    if let obstacle = obstacle(for: submit.to.count, carrier: index, at: now) {
      return refuse(obstacle, index, now)
    }
    let notBefore = submit.scheduled?.instant(offset: carriers[index].zoneOffset)
    let isScheduled = notBefore.map { $0 > now } ?? false
    var results: [SMSGlobalAnswer.Result] = []
    var texts: [TextInTransit] = []
    for number in submit.to {
      guard let number = number.flatMap({ PhoneNumber($0) }) else {
        results.append(.failed(code: SMSGlobalCode.badDestination.rawValue))
        continue
      }
      let id = carriers[index].takeID()
      results.append(.sent(queueID: id, messageID: id))
      texts.append(
        TextInTransit(
          id: id, carrier: index, to: number, from: sender(of: submit, id: id), text: plan.text,
          parts: plan.partCount, reference: submit.userfield, wantsReceipt: true,
          expires: max(now, notBefore ?? now) + Self.smsglobalValidity))
    }
    guard let wait = take(texts, notBefore: notBefore, at: now) else {
      return refuse(.code(.submitFailed), index, now)
    }
    let answer = isScheduled ? SMSGlobalAnswer.delayed(texts.map(\.id)) : .sent(results)
    return Reply(status: 200, body: answer.body, wait: wait)
  }

  private static let smsglobalValidity = Duration.seconds(86_400)

  /// With `api=1` the carrier puts one of its own numbers there, so that answers come back to it.
  private func sender(of submit: SMSGlobalSubmit, id: UInt64) -> Sender {
    if submit.wantsReplies {
      let digits = String(61_447_100_000 + id % 10_000)
      return Sender(wire: digits, shown: "+\(digits)")
    }
    return Sender(wire: submit.from, shown: PhoneNumber(submit.from)?.description ?? submit.from)
  }

  private mutating func refuse(_ obstacle: Obstacle, _ index: Int, _ now: Instant) -> Reply {
    switch obstacle {
    case .fault(let code): refuse(.refused("\(code)"), index, now)
    case .throughput: refuse(.code(.overLimit), index, now)
    case .disk: refuse(.code(.submitFailed), index, now)
    }
  }

  private mutating func refuse(_ refusal: SMSGlobalRefusal, _ index: Int, _ now: Instant) -> Reply {
    refuse(SMSGlobalAnswer(refusal), index, now)
  }

  private mutating func refuse(_ answer: SMSGlobalAnswer, _ index: Int, _ now: Instant) -> Reply {
    carriers[index].counts.refused += 1
    return Reply(status: 200, body: answer.body, wait: delayed(index, now))
  }

  // MARK: - Both

  /// The reply of a carrier that is down, or silent without taking anything.
  private func absence(of index: Int) -> Reply? {
    let faults = carriers[index].faults
    if faults.isDown { return .down }
    return faults.isSilent && !faults.silentTakes ? .silence : nil
  }

  private mutating func obstacle(for count: Int, carrier index: Int, at now: Instant) -> Obstacle? {
    if let refusal = carriers[index].faults.refuse, carriers[index].happens(refusal.share) {
      return .fault(code: refusal.code)
    }
    return carriers[index].isThrottled(count, at: now) || isOverloaded ? .throughput : nil
  }

  /// Writes the texts down and sends them on their way.
  /// - Returns: how long the answer waits; nil when they could not be written down, and nothing has happened.
  private mutating func take(_ texts: [TextInTransit], notBefore: Instant?, at now: Instant) -> Reply.Wait? {
    guard record(texts, at: now) else { return nil }
    guard let index = texts.first?.carrier else { return Reply.Wait.none }
    let faults = carriers[index].faults
    let hold = !faults.isSilent && faults.receipts.beforeAnswer > 0 ? makeHold() : nil
    var waits = false
    for text in texts {
      if let notBefore, notBefore > now {
        agenda.add(.arrival(text), at: notBefore)
      } else if arrive(text, at: now, isSubmission: true, hold: hold) {
        waits = true
      }
    }
    if faults.isSilent { return .forever }
    if let hold, waits {
      agenda.add(.release(hold), at: now + max(faults.delay, Self.receiptPatience))
      return .until(hold)
    }
    forget(hold)
    return delayed(index, now)
  }

  /// How long an answer waits for a client that does not take the receipt that should come before it.
  private static let receiptPatience = Duration.seconds(5)

  private mutating func delayed(_ index: Int, _ now: Instant) -> Reply.Wait {
    let delay = carriers[index].faults.delay
    guard delay > .zero else { return .none }
    let hold = makeHold()
    agenda.add(.release(hold), at: now + delay)
    return .until(hold)
  }
}

extension HTTPSMSError {
  fileprivate init(_ obstacle: SandboxWorld.Obstacle) {
    switch obstacle {
    case .fault(let code): self = HTTPSMSError(rawValue: code) ?? .system
    case .throughput: self = .throughput
    case .disk: self = .system
    }
  }
}

extension HTTPSMSSubmit.Content {
  /// Header and octets of a binary message.
  fileprivate var hexadecimal: String? {
    guard case .binary(let octets, let header) = self else { return nil }
    return (header + octets).map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined().uppercased()
  }
}
