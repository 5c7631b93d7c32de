import Contract
import Database
import Delivery
import Exchange

/// What must hold when the world has come to rest.
extension World {
  func check() throws {
    guard server != nil else { throw Failure("The exchange did not start again.") }
    let outbox = Outbox(ids: IdentifierSource(random: dice.generator()), key: key)
    var records: [DeliveryRecord] = []
    let stored = try database.first("SELECT COUNT(*) FROM deliveries") { $0.int(0) }
    guard stored == ledger.messages.count else {
      throw Failure("\(stored ?? 0) deliveries are stored, and \(ledger.messages.count) were accepted.")
    }
    for message in ledger.messages {
      guard let record = try outbox.delivery(message.id, of: message.new.account, tx: database) else {
        throw Failure("m\(message.name) was accepted and is lost.")
      }
      try checkEnd(message, record)
      let attempts = try outbox.attempts(of: message.id, tx: database)
      try checkAttempts(message, record, attempts)
      try checkReports(message, record, attempts)
      records.append(record)
    }
    try checkOrder()
    try checkSpending(records)
    try checkEvents(records)
    guard try database.integrityCheck().isEmpty else { throw Failure("The database is not whole.") }
  }

  // MARK: One message

  private func checkEnd(_ message: Ledger.Message, _ record: DeliveryRecord) throws {
    guard record.state.isFinal, record.due == nil else {
      throw Failure("m\(message.name) came to no end: it is \(record.state.name).")
    }
    guard record.address == message.new.address, record.deliveryClass == message.new.deliveryClass,
      record.parts == message.new.parts, record.price == message.new.price
    else { throw Failure("m\(message.name) was changed.") }
    if message.new.deliveryClass == .code {
      guard record.isSealed, record.body == nil else { throw Failure("The code of m\(message.name) was not erased.") }
    } else {
      guard record.body == message.new.body else { throw Failure("m\(message.name) has lost its body.") }
    }
  }

  /// The recorded attempts say what the carriers know, and no more.
  private func checkAttempts(
    _ message: Ledger.Message, _ record: DeliveryRecord, _ attempts: [AttemptRecord]
  ) throws {
    let name = "m\(message.name)"
    let calls = ledger.calls.filter { $0.lease.delivery == message.id }
    let numbers = attempts.filter { $0.part == 1 }.map(\.number)
    guard numbers == Array(1...max(1, record.attempt)).prefix(record.attempt).map(\.self) else {
      throw Failure("\(name) has made \(record.attempt) attempts, and \(numbers) are recorded.")
    }
    for call in calls {
      guard let attempt = attempts.first(where: { $0.number == call.lease.attempt }) else {
        throw Failure("\(name) was sent as attempt \(call.lease.attempt), which is not recorded.")
      }
      guard attempt.carrier == call.lease.carrier else {
        throw Failure("\(name) attempt \(attempt.number) is recorded for another carrier.")
      }
      let wasTaken = call.taken != nil
      switch attempt.outcome {
      case .accepted:
        guard wasTaken else { throw Failure("\(name) attempt \(attempt.number) was not taken, and is shown so.") }
      case .uncertain: break
      case .refused, .throttled, .unavailable:
        guard !wasTaken else {
          throw Failure("\(name) attempt \(attempt.number) was taken, and is shown as \(attempt.outcome.name).")
        }
      }
    }
    let accepted = Set(attempts.filter { $0.outcome == .accepted }.map(\.number))
    guard accepted.count <= 1 else { throw Failure("\(name) went out twice: attempts \(accepted.sorted()).") }
    if let number = accepted.first {
      guard number == record.attempt else { throw Failure("\(name) was sent again after it was taken.") }
      guard calls.contains(where: { $0.lease.attempt == number }) else {
        throw Failure("\(name) attempt \(number) is shown as taken, and was never made.")
      }
      guard [.delivered, .undeliverable, .expired, .unknown].contains(record.state) else {
        throw Failure("\(name) was taken by a carrier and is shown as \(record.state.name).")
      }
    }
    if let number = message.calledBackDuring {
      guard !calls.contains(where: { $0.lease.attempt > number }) else {
        throw Failure("\(name) was tried again after it was called back.")
      }
      guard record.state != .cancelled || accepted.isEmpty else {
        throw Failure("\(name) went out and is shown as cancelled.")
      }
    }
    if message.isCancelConfirmed {
      guard accepted.isEmpty else { throw Failure("\(name) was called back and went out.") }
      guard [.cancelled, .delivered].contains(record.state) else {
        throw Failure("\(name) was called back and is \(record.state.name).")
      }
    } else if record.state == .cancelled, message.calledBackDuring == nil {
      throw Failure("\(name) was not called back and is cancelled.")
    }
    let uncertain = attempts.count { $0.outcome == .uncertain }
    switch record.state {
    case .rejected:
      guard attempts.contains(where: { $0.outcome == .refused }) else {
        throw Failure("\(name) is rejected, and nobody refused it.")
      }
    case .unknown:
      let isCalledBack = message.calledBackDuring != nil && uncertain > 0
      guard !accepted.isEmpty || uncertain >= RetryPolicy().uncertainLimit || isCalledBack else {
        throw Failure("\(name) is given up as unknown without reason.")
      }
    case .undeliverable:
      guard !accepted.isEmpty || uncertain > 0 else { throw Failure("\(name) is undeliverable and was never taken.") }
    default: break
    }
  }

  /// What is shown as delivered has arrived, and what was reported delivered is shown so.
  private func checkReports(
    _ message: Ledger.Message, _ record: DeliveryRecord, _ attempts: [AttemptRecord]
  ) throws {
    let acceptances = ledger.acceptances.filter { $0.delivery == message.id }
    if record.state == .delivered {
      guard acceptances.contains(where: { $0.arrived.count == $0.parts }) else {
        throw Failure("m\(message.name) is shown as delivered, and the phone does not have it.")
      }
      return
    }
    let answered = acceptances.first { acceptance in
      attempts.contains { $0.number == acceptance.attempt && $0.outcome == .accepted }
    }
    if record.state == .undeliverable || record.state == .expired && answered != nil {
      // Of two attempts at a carrier that gives no ids, nobody can tell which one failed.
      let failed = acceptances.filter { acceptance in
        acceptance.hasFailed
          && (answered.map { $0.attempt == acceptance.attempt || $0.ids.isEmpty && $0.carrier == acceptance.carrier }
            ?? true)
      }
      guard !failed.isEmpty else {
        throw Failure("m\(message.name) is shown as \(record.state.name), and no carrier said so of what it took.")
      }
    }
    for acceptance in acceptances {
      let isAnswered = acceptance.attempt == answered?.attempt
      let delivered = acceptance.acknowledged.filter { $0.value.contains(.delivered) }.keys
      let isWhole = delivered.contains(0) || delivered.count == acceptance.parts
      // Without an answer only our reference can be recognised, and then only of a message of one part.
      let isKnown = isAnswered || acceptance.namesReference && acceptance.parts == 1
      if isWhole, isKnown {
        throw Failure("m\(message.name) was reported delivered and is shown as \(record.state.name).")
      }
    }
  }

  // MARK: Order

  /// Per account, address and class: of two that were accepted one after the other, neither for later, the first was
  /// first taken by a carrier before the second was, if the first was taken for certain at all. One that may go from a
  /// time on comes after those that were accepted before that time.
  private func checkOrder() throws {
    var first: [DeliveryID: Int] = [:]
    for acceptance in ledger.acceptances where first[acceptance.delivery] == nil {
      first[acceptance.delivery] = acceptance.order
    }
    var certain: Set<DeliveryID> = []
    try database.rows("SELECT delivery FROM attempts WHERE outcome = 1 AND part = 1", []) {
      certain.insert(DeliveryID($0.id(0)))
    }
    for (index, earlier) in ledger.messages.enumerated() where certain.contains(earlier.id) {
      guard let one = first[earlier.id], !isForLater(earlier) else { continue }
      for other in ledger.messages where other.id != earlier.id {
        guard other.new.account == earlier.new.account, other.new.address == earlier.new.address,
          other.new.deliveryClass == earlier.new.deliveryClass, let two = first[other.id]
        else { continue }
        let isLater =
          isForLater(other)
          ? !stepsClock && earlier.acceptedAt < (other.new.notBefore ?? earlier.acceptedAt) : other.name > index
        guard !isLater || one < two else {
          throw Failure("m\(other.name) overtook m\(earlier.name).")
        }
      }
    }
  }

  private func isForLater(_ message: Ledger.Message) -> Bool {
    message.new.notBefore.map { $0 > message.acceptedAt } ?? false
  }

  // MARK: Money

  private func checkSpending(_ records: [DeliveryRecord]) throws {
    struct Day: Hashable {
      let account: AccountID
      let day: Int64
    }
    var expected: [Day: Int64] = [:]
    let outbox = Outbox(ids: IdentifierSource(random: dice.generator()), key: key)
    for (message, record) in zip(ledger.messages, records) {
      guard let price = record.price?.micros else { continue }
      let mayHaveGone = try outbox.attempts(of: record.id, tx: database).contains {
        $0.outcome == .accepted || $0.outcome == .uncertain
      }
      let isFree = [.rejected, .expired, .cancelled].contains(record.state) && !mayHaveGone
      if isFree, ledger.acceptances.contains(where: { $0.delivery == record.id }) {
        throw Failure("m\(message.name) was taken by a carrier and costs nothing.")
      }
      expected[Day(account: record.account, day: message.acceptedAt.day), default: 0] += isFree ? 0 : price
    }
    var found: [Day: Int64] = [:]
    try database.rows("SELECT account, day, amount FROM spending", []) {
      found[Day(account: $0.identifier(0), day: $0.integer(1))] = $0.integer(2)
    }
    for day in Set(expected.keys).union(found.keys) where expected[day, default: 0] != found[day, default: 0] {
      throw Failure(
        "Account \(day.account.value.low) is shown to have spent \(found[day, default: 0]) on a day, "
          + "and it was \(expected[day, default: 0]).")
    }
    for (day, amount) in found {
      guard let index = scenario.accounts.firstIndex(of: day.account), let cap = scenario.caps[index] else { continue }
      guard amount <= cap else { throw Failure("Account \(index + 1) spent \(amount) of \(cap).") }
    }
  }

  // MARK: Events

  private func checkEvents(_ records: [DeliveryRecord]) throws {
    var told: [DeliveryID: [String]] = [:]
    for account in scenario.accounts {
      let position = try EventLog.position(of: account.value, tx: database)
      guard let events = try EventLog.events(after: 0, in: account.value, limit: 100_000, tx: database) else {
        throw Failure("The events of an account are gone.")
      }
      guard events.map(\.seq) == Array(1...max(1, position)).prefix(Int(position)).map(\.self) else {
        throw Failure("The events of an account have a gap.")
      }
      for event in events {
        // {"id":"msg_…
        guard let id = DeliveryID(String(decoding: event.data.dropFirst(7).prefix(36), as: UTF8.self)) else {
          throw Failure("An event names no message.")
        }
        told[id, default: []].append(String(event.type.dropFirst("message.".count)))
      }
    }
    for (message, record) in zip(ledger.messages, records) {
      let states = told[record.id] ?? []
      switch message.new.events {
      case .none:
        guard states.isEmpty else { throw Failure("m\(message.name) made events that nobody wanted.") }
      case .final:
        guard states.last == record.state.name, states.allSatisfy({ Self.finals.contains($0) }) else {
          throw Failure("m\(message.name) ended as \(record.state.name), and its events are \(states).")
        }
      case .all:
        guard states.last == record.state.name, ["scheduled", "queued"].contains(states.first) else {
          throw Failure("m\(message.name) is \(record.state.name), and its events are \(states).")
        }
        for (before, after) in zip(states, states.dropFirst())
        where !(Self.arrows[before]?.contains(after) ?? false) {
          throw Failure("m\(message.name) went from \(before) to \(after).")
        }
      }
    }
  }

  private static let finals = Set(DeliveryState.allCases.filter(\.isFinal).map(\.name))

  /// As the events show it: a lease makes none.
  private static let arrows: [String: Set<String>] = [
    "scheduled": ["queued", "expired", "cancelled"],
    "queued": ["queued", "submitted", "delivered", "rejected", "expired", "cancelled", "unknown", "held"],
    "submitted": ["delivered", "undeliverable", "expired", "unknown"],
    "unknown": ["delivered", "undeliverable", "expired"],
    "undeliverable": ["delivered"], "expired": ["delivered"], "rejected": ["delivered"], "cancelled": ["delivered"],
  ]
}
