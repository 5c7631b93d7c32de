import Contract
import Formats
import HTTPSMS
import Runtime
import SMSGlobal

/// What becomes of a text that a carrier has accepted.
extension SandboxWorld {
  /// Writes texts into their carrier's ledger.
  /// - Returns: false when the disk does not take them; then nothing has happened.
  mutating func record(_ texts: [TextInTransit], at now: Instant) -> Bool {
    guard let first = texts.first else { return true }
    json.removeAll()
    var lines: [UInt8] = []
    for text in texts {
      LedgerEntry(
        id: text.id, at: now, to: text.to, from: text.from.shown, text: text.text, binary: text.binary,
        parts: text.parts, reference: text.reference
      ).append(to: &json)
      lines += json.bytes
      lines.append(0x0A)
      json.removeAll()
    }
    guard carriers[first.carrier].ledger.append(lines) else { return false }
    carriers[first.carrier].counts.accepted += texts.count
    return true
  }

  /// The text reaches its phone, or does not.
  /// - Parameters:
  ///   - isSubmission: whether this happens while it is being submitted.
  ///   - hold: what the answer to the submission can wait for.
  /// - Returns: whether that answer must wait for the receipt.
  mutating func arrive(
    _ text: TextInTransit, at now: Instant, isSubmission: Bool = false, hold: UInt64? = nil
  ) -> Bool {
    let behaviour = phones.behaviour(of: text.to)
    switch behaviour.receipt {
    case .failed:
      return giveReceipt(text, .failed, at: now, isSubmission: isSubmission, hold: hold)
    case .expired:
      if text.wantsReceipt { agenda.add(.receipt(text, .expired), at: max(now, text.expires)) }
      return false
    case .delivered, .none: break
    }
    let message = PhoneMessage(
      id: text.id, at: now, to: text.to.description, from: text.from.shown, text: text.text, binary: text.binary,
      parts: text.parts, isSent: false)
    let userfield = carriers[text.carrier].kind == .smsglobal ? text.reference : nil
    phones.add(
      message, to: text.to,
      from: Phone.Route(from: text.from.wire, carrier: text.carrier, userfield: userfield))
    if text.from.isDigits, text.binary == nil, let answer = behaviour.answer(to: text.text), !answer.isEmpty {
      agenda.add(
        .answer(from: text.to, to: text.from.wire, text: answer),
        at: now + (isSubmission ? carriers[text.carrier].faults.delay : .zero) + behaviour.answerDelay)
    }
    return behaviour.receipt == .delivered
      && giveReceipt(text, .delivered, at: now, isSubmission: isSubmission, hold: hold)
  }

  /// Tells the client what became of a text, with the carrier's faults.
  /// - Returns: whether the answer `hold` must wait for it.
  mutating func giveReceipt(
    _ text: TextInTransit, _ outcome: ReceiptOutcome, at now: Instant, isSubmission: Bool = false, hold: UInt64? = nil
  ) -> Bool {
    guard text.wantsReceipt else { return false }
    let faults = carriers[text.carrier].faults
    var due = now + faults.receipts.delay
    var copies = 1
    var waits = false
    if faults.receipts != CarrierFaults.Receipts() {
      // Each is drawn whatever the others say, so that one share does not change what another does.
      let isLost = carriers[text.carrier].happens(faults.receipts.lost)
      let isDoubled = carriers[text.carrier].happens(faults.receipts.doubled)
      let isEarly = carriers[text.carrier].happens(faults.receipts.beforeAnswer)
      let isShuffled = carriers[text.carrier].happens(faults.receipts.shuffled)
      let lateness = Duration.milliseconds(1 + Int64(carriers[text.carrier].random.next() % 1000))
      if isLost { return false }
      if isDoubled { copies = 2 }
      waits = isEarly && hold != nil
      if isShuffled { due = due + lateness }
    }
    // Otherwise it comes after the answer, which is late itself.
    if waits { due = now } else if isSubmission { due = due + faults.delay }
    var item = PushItem(content: receipt(text, outcome, at: due), phone: text.to, awaitedBy: waits ? hold : nil)
    for _ in 0..<copies {
      if due <= now {
        tell(item, carrier: text.carrier)
      } else {
        agenda.add(.push(item, carrier: text.carrier), at: due)
      }
      item.awaitedBy = nil
    }
    return waits
  }

  private func receipt(_ text: TextInTransit, _ outcome: ReceiptOutcome, at now: Instant) -> PushItem.Content {
    let carrier = carriers[text.carrier]
    switch carrier.kind {
    case .httpsms:
      let status: HTTPSMSReceipt.Status =
        switch outcome {
        case .delivered: .delivered
        case .failed: .failed
        case .expired: .expired
        }
      return .httpsms(
        .receipt(
          HTTPSMSReceipt(
            id: text.id, source: text.from.wire, destination: text.to.digits, status: status,
            error: outcome == .failed ? Self.absentSubscriber : nil, at: now, reference: text.reference)))
    case .smsglobal:
      let status: SMSGlobalReceipt.Status =
        switch outcome {
        case .delivered: .delivered
        case .failed: .undeliverable
        case .expired: .expired
        }
      return .receipt(
        SMSGlobalReceipt(
          messageID: text.id, status: status, error: outcome == .failed ? "027" : "000",
          done: SMSGlobalTime(now, offset: carrier.zoneOffset)))
    }
  }

  /// 27, "absent subscriber" (3GPP TS 29.002), in hexadecimal digits.
  private static let absentSubscriber = "1B"
}
