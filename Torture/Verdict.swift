import Contract

/// Everything that is known at the end, from all sides.
struct Evidence: Sendable {
  /// What clients hold a 202 for, and what else they were told.
  var accepted: [Accepted]
  var surprises: [String]
  /// What the exchange says of itself.
  var messages: [Account.Message]
  var timelines: [String: [Account.Step]]
  var events: EventFollower.Seen
  /// What the carriers took, in order of time.
  var ledger: [Copy]
  /// The ids of the copies that each phone shows, the last thousand of each.
  var phones: [String: Set<String>]
  /// The sandbox keeps phones in memory; before this they may have had more.
  var phonesSince: Instant?
}

extension Evidence {
  static func gather(
    _ journal: Journal, _ account: Account, _ carriers: Carriers, _ events: EventFollower.Seen, phonesSince: Instant?
  ) async throws -> Evidence {
    let messages = try await account.messages()
    let ledger = try await carriers.ledgers()
    var phones: [String: Set<String>] = [:]
    for number in Set(ledger.map(\.to)) { phones[number] = try await carriers.phone(number) }
    return Evidence(
      accepted: journal.accepted, surprises: journal.surprises, messages: messages,
      timelines: try await account.timelines(of: messages.map(\.id)), events: events, ledger: ledger, phones: phones,
      phonesSince: phonesSince)
  }
}

/// Holds the exchange's records, the carriers' ledgers, the phones, the clients' journal and the event stream against
/// each other. What is checked is what each check's sentence says.
struct Verdict: Sendable {
  private(set) var problems: [String] = []
  private(set) var checks = 0
  private(set) var summary = ""

  init(_ evidence: Evidence) {
    let (accepted, messages, timelines) = (evidence.accepted, evidence.messages, evidence.timelines)
    let (ledger, events) = (evidence.ledger, evidence.events)
    let copies = Dictionary(grouping: ledger, by: \.text)
    let states = Dictionary(messages.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })

    check("No client got an answer that it never should", evidence.surprises)
    check(
      "Every message ends in a final state",
      messages.filter { !Account.finals.contains($0.state) }.map { "\($0.id) is \($0.state)" })
    check(
      "The exchange has exactly the messages that clients hold a 202 for, each once",
      Self.differences(Set(accepted.map(\.id)), Set(messages.map(\.id)))
        + (messages.count == Set(messages.map(\.id)).count && accepted.count == Set(accepted.map(\.id)).count
          ? [] : ["two requests with different keys were given one id, or one id stands twice in the list"]))
    check("Nothing accepted is lost: each is in a ledger", Self.lost(accepted, copies, timelines, states))
    check("Nothing is shown as delivered that no carrier took", Self.invented(accepted, copies, states))
    check("No carrier got a message that nobody asked for", Self.unasked(accepted, copies))
    check(
      "Nothing goes out again but after an attempt recorded as uncertain", Self.doubles(accepted, copies, timelines))
    check("Order of account, address and class holds", Self.disorder(accepted, copies))
    check("Each message has at most one attempt that a carrier answered with yes", Self.twiceTaken(timelines))
    check("The event stream has every number once, in order", Self.gaps(events))
    check(
      "Each message's end is in the event stream",
      messages.filter { events.finals[$0.id] == nil }.map { "\($0.id) (\($0.state))" })
    check("The phones have what the ledgers have", Self.phones(evidence))

    let doubled = copies.values.count { $0.count > 1 }
    let uncertain = timelines.values.reduce(0) { $0 + $1.count { $0.event == "uncertain" } }
    let again = accepted.count { $0.requests > 1 }
    let unknown = accepted.filter { states[$0.id] == "unknown" }
    let untaken = unknown.count { copies[$0.text] == nil }
    summary =
      "\(accepted.count) messages (\(again) asked for again), \(ledger.count) submissions, \(uncertain) uncertain attempts, "
      + "\(doubled) went out more than once, \(unknown.count) unknown (\(untaken) in no ledger), \(events.sequences.count) events over \(events.connections) connections"
  }

  private mutating func check(_ what: String, _ found: [String]) {
    if found.isEmpty {
      checks += 1
      return
    }
    let more = found.count > 8 ? " and \(found.count - 8) more" : ""
    problems.append("\(what): \(found.prefix(8).joined(separator: "; "))\(more)")
  }

  private static func differences(_ clients: Set<String>, _ exchange: Set<String>) -> [String] {
    clients.subtracting(exchange).map { "\($0) is not in the exchange" }
      + exchange.subtracting(clients).map { "\($0) is of no client" }
  }

  /// One may have been given up: shown as unknown, with three attempts of which nobody knows what became.
  private static func lost(
    _ accepted: [Accepted], _ copies: [String: [Copy]], _ timelines: [String: [Account.Step]],
    _ states: [String: String]
  ) -> [String] {
    accepted.filter { message in
      guard copies[message.text] == nil else { return false }
      let uncertain = timelines[message.id]?.count { $0.event == "uncertain" } ?? 0
      return states[message.id] != "unknown" || uncertain < 3
    }.map { "\($0.id) (\($0.text), \(states[$0.id] ?? "gone"))" }
  }

  private static func invented(
    _ accepted: [Accepted], _ copies: [String: [Copy]], _ states: [String: String]
  ) -> [String] {
    accepted.filter { states[$0.id] == "delivered" && copies[$0.text] == nil }.map(\.id)
  }

  private static func unasked(_ accepted: [Accepted], _ copies: [String: [Copy]]) -> [String] {
    let addresses = Dictionary(accepted.map { ($0.text, $0.address) }, uniquingKeysWith: { first, _ in first })
    return copies.values.joined().filter { addresses[$0.text] != $0.to }.map { "\($0.carrier) \($0.id)" }
  }

  /// The n-th copy needs n − 1 attempts that were recorded as uncertain before it came.
  private static func doubles(
    _ accepted: [Accepted], _ copies: [String: [Copy]], _ timelines: [String: [Account.Step]]
  ) -> [String] {
    accepted.compactMap { message in
      let came = copies[message.text] ?? []
      let uncertain = timelines[message.id]?.filter { $0.event == "uncertain" } ?? []
      for (index, copy) in came.enumerated().dropFirst() where uncertain.count(where: { $0.at <= copy.at }) < index {
        return "\(message.id) came \(came.count) times (\(copy.carrier) \(copy.id) is one too many)"
      }
      return nil
    }
  }

  /// Of two messages of one address and class, the one whose 202 was there before the other was first asked for is the
  /// first that any carrier took. Only first submissions count: what is sent again after an uncertain attempt may come
  /// behind a later one, and two that were asked for at the same time may go either way.
  private static func disorder(_ accepted: [Accepted], _ copies: [String: [Copy]]) -> [String] {
    var found: [String] = []
    for queue in Dictionary(grouping: accepted, by: { "\($0.address) \($0.deliveryClass)" }).values {
      let sent = queue.compactMap { message in copies[message.text]?.first.map { (message: message, at: $0.at) } }
        .sorted { ($0.at, $0.message.answered) < ($1.at, $1.message.answered) }
      var earliest: Accepted?
      for (message, _) in sent.reversed() {
        if let earliest, earliest.answered < message.began {
          found.append("\(message.id) (\(message.text)) overtook \(earliest.id) (\(earliest.text))")
        }
        if earliest.map({ message.answered < $0.answered }) ?? true { earliest = message }
      }
    }
    return found
  }

  private static func twiceTaken(_ timelines: [String: [Account.Step]]) -> [String] {
    timelines.filter { $0.value.count { $0.event == "submitted" } > 1 }.map(\.key).sorted()
  }

  private static func gaps(_ events: EventFollower.Seen) -> [String] {
    var found = events.resets == 0 ? [] : ["the stream was reset \(events.resets) times"]
    for (expected, sequence) in zip(Int64(1)..., events.sequences) where expected != sequence {
      found.append("\(sequence) came where \(expected) was due")
      break
    }
    return found
  }

  private static func phones(_ evidence: Evidence) -> [String] {
    var found: [String] = []
    for (number, copies) in Dictionary(grouping: evidence.ledger, by: \.to) {
      let ids = Set(copies.map(\.id))
      let shown = evidence.phones[number] ?? []
      found += shown.subtracting(ids).map { "\(number) shows \($0), which no ledger has" }
      let expected = copies.filter { copy in evidence.phonesSince.map { copy.at > $0 } ?? true }.suffix(900).map(\.id)
      found += Set(expected).subtracting(shown).map { "\(number) does not show \($0)" }
    }
    return found
  }
}
