import Contract
import Database
import Delivery
import Exchange

/// The other side: carriers that take messages, or say that they do not, or say nothing; phones; and reports.
extension World {
  // MARK: An attempt

  func call(_ epoch: Int, _ lease: Lease) throws {
    guard epoch == self.epoch, server != nil else { return }
    if mayCrash() { return crash("between a lease and its call") }
    let index = ledger.calls.count
    if ledger.calls.contains(where: { $0.lease.delivery == lease.delivery && $0.lease.attempt == lease.attempt }) {
      throw Failure("\(ledger.name(lease.delivery)) was sent twice as attempt \(lease.attempt).")
    }
    ledger.calls.append(.init(lease: lease, epoch: epoch))
    counts.calls += 1
    // By no dice: the seeds that once showed a fault are to stay what they were.
    if index % 5 == 2, !regressions.contains(where: { $0.seed == seed }) { later(1, .callBack(call: index)) }
    let carrier = scenario.carriers[lease.carrier - 1]
    later(Self.answerLimit, .timeLimit(call: index))
    switch carrier.mood(at: now) {
    case .down:
      later(
        dice.number(1...50), .answer(call: index, outcome: .unavailable(code: "refused", detail: "Connection refused."))
      )
    case .slow: later(dice.number(100...20 * .second), .arrive(call: index))
    case .well, .silent, .throttling, .withoutCredit, .erratic: later(dice.number(1...100), .arrive(call: index))
    }
  }

  /// The request has reached its carrier, which decides, and says so or not.
  func arrive(_ index: Int) {
    let lease = ledger.calls[index].lease
    let carrier = scenario.carriers[lease.carrier - 1]
    let mood = carrier.mood(at: now)
    if lease.address == "+35840999999" {
      return say(index, .refused(scope: .message, code: "invalid", detail: "No such number."))
    }
    if carrier.refusedAddresses.contains(lease.address) {
      return say(index, .refused(scope: .route, code: "no-route", detail: "Not served."))
    }
    switch mood {
    case .well, .slow:
      if dice.chance(0.02) { return say(index, .unavailable(code: "503", detail: "Overloaded.")) }
      take(index)
    case .silent:
      if dice.chance(0.5) { take(index, answers: false) }
    case .throttling:
      if dice.chance(0.4) { return take(index) }
      let wait: Duration? = dice.chance(0.5) ? .milliseconds(dice.number(0...5000)) : nil
      say(index, .throttled(code: "429", detail: "Too fast.", retryAfter: wait))
    case .down:
      say(index, .unavailable(code: "503", detail: "Going down."))
    case .withoutCredit:
      say(index, .refused(scope: .carrier, code: "no-credit", detail: "No credit."))
    case .erratic:
      switch dice.number(0...5) {
      case 0: take(index, answers: false)
      case 1:
        take(index, answers: false)
        say(index, .uncertain(code: "unreadable", detail: "The answer could not be read."))
      case 2: say(index, .uncertain(code: "unreadable", detail: "The answer could not be read."))
      case 3: say(index, .unavailable(code: "500", detail: "Error."))
      default: take(index)
      }
    }
  }

  private func say(_ index: Int, _ outcome: AttemptOutcome) {
    let slow = scenario.carriers[ledger.calls[index].lease.carrier - 1].mood(at: now) == .slow
    later(slow ? dice.number(100...15 * .second) : dice.number(1...300), .answer(call: index, outcome: outcome))
  }

  private func take(_ index: Int, answers: Bool = true) {
    let lease = ledger.calls[index].lease
    let carrier = scenario.carriers[lease.carrier - 1]
    let number = ledger.acceptances.count
    let parts = lease.parts
    // Numbers that other carriers give, too.
    let serial = ledger.acceptances.count { $0.carrier == lease.carrier } + 1000
    let ids: [String] =
      switch carrier.naming {
      case .oneID, .idAndReference: ["\(serial)"]
      case .idForEachPart, .idForEachPartAndReference: (1...parts).map { "\(serial)-\($0)" }
      case .reference: []
      }
    ledger.acceptances.append(
      .init(
        call: index, delivery: lease.delivery, attempt: lease.attempt, carrier: lease.carrier,
        order: ledger.nextOrder(), ids: ids, parts: parts, namesReference: carrier.naming.namesReference))
    ledger.calls[index].taken = number
    trace(
      "carrier \(lease.carrier) takes \(ledger.name(lease.delivery)) (attempt \(lease.attempt)\(ledger.calls[index].isOver ? ", nobody waits any more" : ""))"
    )
    if answers, !dice.chance(0.02) { say(index, .accepted(ids: ids)) }
    planPhone(number, carrier)
  }

  func answer(_ index: Int, _ outcome: AttemptOutcome) {
    let call = ledger.calls[index]
    guard !call.isOver, call.epoch == epoch, server != nil else { return }
    if mayCrash() { return crash("between a carrier's acceptance and its answer") }
    ledger.calls[index].isOver = true
    trace("\(ledger.name(call.lease.delivery)) attempt \(call.lease.attempt): \(outcome.kind.name)")
    if case .uncertain = outcome { counts.uncertain += 1 }
    server?.underWay -= 1
    server?.machine.answered(call.lease.delivery, outcome, at: clock)
    wake()
    if mayCrash() { crash("between an answer and its settlement") }
  }

  func timeLimit(_ index: Int) {
    answer(index, .uncertain(code: "timeout", detail: "The carrier did not answer in time."))
  }

  // MARK: Phones

  private func planPhone(_ number: Int, _ carrier: CarrierScenario) {
    let acceptance = ledger.acceptances[number]
    if dice.chance(carrier.reportsEarly ? 0.1 : 0.05) {
      report(number, part: 0, .buffered, in: dice.number(0...3000))
    }
    if dice.chance(0.08) {
      // It can not be delivered.
      let status = dice.pick([ReceiptStatus.failed, .expired, .rejected])
      let delay = carrier.reportsEarly ? dice.number(0...100) : dice.number(.second...2 * .hour)
      ledger.acceptances[number].hasFailed = true
      for part in reportedParts(acceptance, carrier) { report(number, part: part, status, in: delay) }
      return
    }
    if dice.chance(carrier.reportContradicts) {
      ledger.acceptances[number].hasFailed = true
      for part in reportedParts(acceptance, carrier) { report(number, part: part, .failed, in: dice.number(0...9000)) }
    }
    for part in 1...acceptance.parts {
      // Some are switched off for days, and some never hear of it.
      let delay: Int64 = dice.pick([
        (60, carrier.reportsEarly ? dice.number(0...200) : dice.number(500...30 * .second)),
        (6, dice.number(.second ... .hour)), (3, dice.number(.hour...5 * .day)), (2, -1),
      ])
      if delay >= 0 { later(delay, .phone(acceptance: number, part: part)) }
    }
  }

  private func reportedParts(_ acceptance: Ledger.Acceptance, _ carrier: CarrierScenario) -> [Int] {
    carrier.naming.namesParts && acceptance.parts > 1 ? Array(1...acceptance.parts) : [0]
  }

  /// A part has arrived.
  func ring(_ number: Int, _ part: Int) {
    ledger.acceptances[number].arrived.insert(part)
    let acceptance = ledger.acceptances[number]
    let carrier = scenario.carriers[acceptance.carrier - 1]
    trace("the phone has \(ledger.name(acceptance.delivery)) part \(part) (carrier \(acceptance.carrier))")
    let delay: Int64 = carrier.reportsEarly ? dice.number(0...20) : dice.number(10...2000)
    if carrier.naming.namesParts, acceptance.parts > 1 {
      report(number, part: part, .delivered, in: delay)
    } else if acceptance.arrived.count == acceptance.parts {
      report(number, part: 0, .delivered, in: delay)
    }
  }

  // MARK: Reports

  private func report(_ number: Int, part: Int, _ status: ReceiptStatus, in delay: Int64) {
    let acceptance = ledger.acceptances[number]
    let carrier = scenario.carriers[acceptance.carrier - 1]
    guard !dice.chance(carrier.reportLost) else { return }
    let id: String? = acceptance.ids.isEmpty ? nil : acceptance.ids[max(0, part - 1)]
    let receipt = IncomingReceipt(
      carrierID: id, reference: carrier.naming.namesReference ? acceptance.delivery.value.shortReference : nil,
      status: status, code: status == .delivered ? nil : "e\(status.rawValue)",
      detail: status == .delivered ? nil : "It did not arrive.", at: clock,
      raw: "\(id ?? "-") \(ledger.acceptances.count) \(ledger.reports.count)")
    for _ in 0..<(dice.chance(carrier.reportDoubled) ? 2 : 1) {
      ledger.reports.append(.init(acceptance: number, part: part, receipt: receipt))
      let more: Int64 = dice.chance(carrier.reportDelayed) ? dice.number(0 ... .hour) : 0
      later(delay + more, .report(ledger.reports.count - 1))
    }
  }

  /// A report reaches the exchange, or is sent again a few times.
  func deliver(_ index: Int) throws {
    ledger.reports[index].tries += 1
    let report = ledger.reports[index]
    let acceptance = ledger.acceptances[report.acceptance]
    guard let server else { return reportAgain(index) }
    let at = clock
    let fate = try transact("a report") { tx in
      var events = EventBatch()
      let fate = try server.outbox.receive(
        report.receipt, from: acceptance.carrier, at: at, events: &events, tx: tx)
      _ = try events.write(in: tx, at: at)
      return fate
    }
    switch fate {
    case .failed, .crashed: reportAgain(index)
    case .committed(let fate):
      ledger.acceptances[report.acceptance].acknowledged[report.part, default: []].insert(report.receipt.status)
      trace(
        "carrier \(acceptance.carrier) reports \(ledger.name(acceptance.delivery)) "
          + "\(report.receipt.status.name)\(report.part > 0 ? " part \(report.part)" : ""): \(fate)")
      wake()
    }
  }

  private func reportAgain(_ index: Int) {
    guard ledger.reports[index].tries < 5 else { return }
    later(dice.pick([10 * .second, .minute, 10 * .minute, .hour]), .report(index))
  }
}

extension CarrierScenario.Naming {
  var namesReference: Bool { [.reference, .idAndReference, .idForEachPartAndReference].contains(self) }
  var namesParts: Bool { [.idForEachPart, .idForEachPartAndReference].contains(self) }
}
