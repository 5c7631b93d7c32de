import Contract
import Database
import Delivery
import Exchange

/// Those who ask: with keys, again where they got no answer, sometimes twice.
extension World {
  private static let mostTries = 6

  func planRequests() {
    for index in 0..<scenario.requests {
      let account = dice.number(0...scenario.accounts.count - 1)
      let at = dice.number(0...scenario.activeTime)
      let count = dice.chance(0.1) ? dice.number(2...4) : 1
      let hasKey = dice.chance(0.85)
      var deliveries: [NewDelivery] = []
      for entry in 0..<count {
        deliveries.append(delivery(account, "\(index)#\(entry)", hasKey: hasKey, at: at))
      }
      ledger.requests.append(.init(deliveries: deliveries))
      queue.push(at: at, .request(index))
      if hasKey, dice.chance(0.1) { queue.push(at: at + dice.number(0 ... .minute), .request(index)) }
    }
    for index in 0..<ledger.requests.count where dice.chance(0.05) {
      // The same key for another text.
      guard var other = ledger.requests[index].deliveries.first, other.idempotencyKey != nil else { continue }
      other.requestHash = [0xFF] + (other.requestHash ?? [])
      other.body += [0x21]
      ledger.requests.append(.init(deliveries: [other], isAbuse: true))
      queue.push(at: dice.number(0...scenario.activeTime), .request(ledger.requests.count - 1))
    }
    for _ in 0..<scenario.requests / 5 { later(dice.number(0...scenario.activeTime), .cancel) }
  }

  private func delivery(_ account: Int, _ name: String, hasKey: Bool, at: Int64) -> NewDelivery {
    let parts = dice.pick([(5, 1), (1, 2), (1, 3)])
    let begin = Instant(milliseconds: Self.start + at)
    let notBefore = dice.chance(0.15) ? begin + .milliseconds(dice.number(0...scenario.activeTime)) : nil
    let life = dice.pick([(1, 5 * .second), (2, 2 * .minute), (4, 3 * .hour), (4, 3 * .day)])
    let address = dice.chance(0.05) ? "+35840999999" : dice.pick(scenario.addresses)
    let body = Array("text \(name)".utf8)
    return NewDelivery(
      account: scenario.accounts[account], channel: .sms, address: address,
      deliveryClass: dice.pick([(2, .code), (1, .alarm), (6, .normal), (2, .bulk)]), body: body, carrier: 0,
      fixedCarrier: dice.chance(0.1) ? dice.pick(carriers).number : nil, notBefore: notBefore,
      expires: (notBefore ?? begin) + .milliseconds(life), events: dice.pick([(6, .all), (1, .final), (1, .none)]),
      idempotencyKey: hasKey ? "key \(name)" : nil, requestHash: hasKey ? body : nil, parts: parts,
      price: dice.chance(0.8) ? Price(micros: Int64(parts) * 10_000, currency: "EUR") : nil,
      dailyCap: scenario.caps[account])
  }

  func request(_ index: Int) throws {
    let request = ledger.requests[index]
    ledger.requests[index].tries += 1
    guard let server, !server.isStopping else { return askAgain(index) }
    let at = clock
    var deliveries = request.deliveries
    let routes = RouteTable(carriers)
    for entry in deliveries.indices {
      let candidates = routes.candidates(
        for: deliveries[entry].address, on: .sms, fixed: deliveries[entry].fixedCarrier)
      // What no carrier serves is refused before it comes to the exchange.
      guard let best = candidates.first else { return askAgain(index) }
      deliveries[entry].carrier = best
    }
    let fate = try transact("accept") { tx in
      var events = EventBatch()
      var results: [Acceptance] = []
      for delivery in deliveries {
        results.append(try server.outbox.accept(delivery, at: at, events: &events, tx: tx))
      }
      _ = try events.write(in: tx, at: at)
      return results
    }
    switch fate {
    case .failed: askAgain(index)
    case .crashed(let results):
      if let results { for (new, result) in zip(deliveries, results) { try record(new, result, request, at) } }
      askAgain(index)
    case .committed(let results):
      for (new, result) in zip(deliveries, results) { try record(new, result, request, at) }
      wake()
      if dice.chance(scenario.answerToClientLost) { return askAgain(index) }
      ledger.requests[index].isDone = true
      for result in results {
        switch result {
        case .accepted(let id, _, _), .repeated(let id):
          if let message = ledger.byID[id] { ledger.messages[message].isAcknowledged = true }
        case .keyReused, .overCap: break
        }
      }
    }
  }

  /// A client without a key does not know whether it may ask again.
  private func askAgain(_ index: Int) {
    let request = ledger.requests[index]
    guard request.tries < Self.mostTries, request.deliveries.allSatisfy({ $0.idempotencyKey != nil }) else { return }
    later(dice.number(.second...5 * .minute), .request(index))
  }

  private func record(_ new: NewDelivery, _ result: Acceptance, _ request: Ledger.Request, _ at: Instant) throws {
    switch result {
    case .accepted(let id, let state, _):
      guard ledger.byID[id] == nil else { throw Failure("An id was given twice.") }
      if let key = new.idempotencyKey,
        let before = ledger.messages.first(where: { $0.new.idempotencyKey == key && $0.new.account == new.account })
      {
        throw Failure("m\(before.name) was accepted again under the same key.")
      }
      let name = ledger.messages.count
      ledger.byID[id] = name
      ledger.messages.append(
        .init(id: id, name: name, new: new, order: ledger.nextOrder(), acceptedAt: at))
      counts.messages += 1
      trace(
        "m\(name) accepted: account \(new.account.value.low), \(new.address), \(new.deliveryClass.name), "
          + "\(new.parts) parts, carrier \(new.carrier)\(new.fixedCarrier == nil ? "" : " fixed"), \(state.name)")
    case .repeated(let id):
      guard let index = ledger.byID[id], ledger.messages[index].new.idempotencyKey == new.idempotencyKey,
        ledger.messages[index].new.account == new.account, ledger.messages[index].new.requestHash == new.requestHash
      else { throw Failure("A repeated request was answered with another message.") }
      trace("m\(index) asked for again")
    case .keyReused:
      let isOther = ledger.messages.contains {
        $0.new.idempotencyKey == new.idempotencyKey && $0.new.account == new.account
          && $0.new.requestHash != new.requestHash
      }
      guard isOther else { throw Failure("A key was called used for another request, and was not.") }
      trace("a key was used for another text")
    case .overCap(let spent, let cap):
      guard let price = new.price?.micros, spent + price > cap else {
        throw Failure("A request was refused for the cap, and was not over it.")
      }
      trace("refused: \(spent) of \(cap) spent")
    }
  }

  func cancel() throws {
    guard let server, !ledger.messages.isEmpty else { return }
    let index = dice.chance(0.5) ? ledger.messages.count - 1 : dice.number(0...ledger.messages.count - 1)
    try cancel(index, at: server)
  }

  func callBack(_ call: Int) throws {
    guard let server else { return }
    let id = ledger.calls[call].lease.delivery
    guard let index = ledger.messages.firstIndex(where: { $0.id == id }) else { return }
    try cancel(index, at: server)
  }

  private func cancel(_ index: Int, at server: Server) throws {
    let message = ledger.messages[index]
    let at = clock
    let fate = try transact("cancel") { tx in
      var events = EventBatch()
      let result = try server.outbox.cancel(
        message.id, of: message.new.account, at: at, events: &events, tx: tx)
      _ = try events.write(in: tx, at: at)
      guard let result else { throw Failure("m\(index) was not found when it was called back.") }
      return (result.isCancelled, result.state, try server.outbox.delivery(message.id, tx: tx))
    }
    switch fate {
    case .failed, .crashed(nil): break
    case .committed(let (isCancelled, state, record)), .crashed(let (isCancelled, state, record)?):
      trace("m\(index) called back: \(isCancelled ? "yes" : "too late, \(state.name)")")
      if isCancelled { ledger.messages[index].isCancelConfirmed = true }
      if let record, record.isCancelPending, message.calledBackDuring == nil {
        ledger.messages[index].calledBackDuring = record.attempt
      }
      wake()
    }
  }
}
