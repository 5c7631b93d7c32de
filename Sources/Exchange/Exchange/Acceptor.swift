import Contract
package import Database
import Delivery
package import Runtime

/// The way in: writes deliveries down, and then wakes the dispatcher and tells the account's stream.
package struct Acceptor: Sendable {
  private struct Request {
    let deliveries: [NewDelivery]
    let now: Instant
  }

  private let transactions: SharedTransaction<Request, [Acceptance], Set<ID128>>
  private let clock: any WallClock
  private let accepted: Counter?

  /// - Parameter accepted: counts what was written down, by class.
  package init(
    outbox: Outbox, database: any Database, hub: EventHub, dispatcher: Dispatcher, accepted: Counter? = nil,
    clock: any WallClock
  ) {
    self.clock = clock
    self.accepted = accepted
    transactions = SharedTransaction(database: database) { requests, tx in
      var events = EventBatch()
      let answers = try requests.map { request in
        try request.deliveries.map { try outbox.accept($0, at: request.now, events: &events, tx: tx) }
      }
      let latest = requests.map(\.now).max() ?? clock.now
      return (answers, try events.write(in: tx, at: latest))
    } committed: { streams in
      hub.signal(streams)
      dispatcher.wake()
    }
  }

  /// Returns once all that was accepted is on disk. Each of them is judged by itself.
  /// - Throws: a `DatabaseError`; then nothing of it was kept.
  package func accept(_ deliveries: [NewDelivery]) async throws -> [Acceptance] {
    let answers = try await transactions.run(Request(deliveries: deliveries, now: clock.now))
    if let accepted {
      for (delivery, answer) in zip(deliveries, answers) {
        if case .accepted = answer { accepted.add(1, delivery.deliveryClass.name) }
      }
    }
    return answers
  }
}
