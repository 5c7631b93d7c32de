import Contract
package import Database
package import Runtime

/// The way in: writes deliveries down, and then wakes the dispatcher and tells the account's stream.
package struct Acceptor: Sendable {
  private let outbox: Outbox
  private let database: any Database
  private let hub: EventHub
  private let dispatcher: Dispatcher
  private let clock: any WallClock

  package init(
    outbox: Outbox, database: any Database, hub: EventHub, dispatcher: Dispatcher, clock: any WallClock
  ) {
    self.outbox = outbox
    self.database = database
    self.hub = hub
    self.dispatcher = dispatcher
    self.clock = clock
  }

  /// Returns once all that was accepted is on disk. Each of them is judged by itself.
  /// - Throws: a `DatabaseError`; then nothing of it was kept.
  package func accept(_ deliveries: [NewDelivery]) async throws -> [Acceptance] {
    let now = clock.now
    let (results, streams) = try await database.transaction { [outbox] tx in
      var events = EventBatch()
      var results: [Acceptance] = []
      results.reserveCapacity(deliveries.count)
      for delivery in deliveries {
        results.append(try outbox.accept(delivery, at: now, events: &events, tx: tx))
      }
      return (results, try events.write(in: tx, at: now))
    }
    hub.signal(streams)
    dispatcher.wake()
    return results
  }
}
