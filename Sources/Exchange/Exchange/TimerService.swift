package import Contract
package import Database
package import Runtime

/// Runs durable timers when they are due. A handler that throws is tried again after a minute.
package final class TimerService: Service {
  /// Does the work and says when it is due again; nil removes the timer.
  package typealias Handler = @Sendable (_ key: String) async throws -> Instant?

  private let database: any Database
  private let handlers: [String: Handler]
  private let clock: any WallClock
  private let log: Logger

  /// The table is looked at no less often, so that timers set meanwhile are seen.
  private static let longestSleep: Duration = .seconds(1)

  package init(database: any Database, handlers: [String: Handler], clock: any WallClock, log: Logger) {
    self.database = database
    self.handlers = handlers
    self.clock = clock
    self.log = log
  }

  package func run() async throws {
    while !Task.isCancelled {
      let now = clock.now
      do {
        let due = try await database.read { tx in try TimerStore.due(at: now, limit: 100, tx: tx) }
        for (kind, key, due) in due { await fire(kind, key, dueAt: due) }
        let next = try await database.read { tx in try TimerStore.nextDue(tx: tx) }
        try? await clock.sleep(until: min(next ?? .init(milliseconds: .max), clock.now + Self.longestSleep))
      } catch {
        log.error("Timers could not be read.", ["error": .error(error)])
        try? await clock.sleep(until: clock.now + Self.longestSleep)
      }
    }
  }

  private func fire(_ kind: String, _ key: String, dueAt due: Instant) async {
    var next: Instant? = clock.now + .seconds(60)
    do {
      // Of a kind that this program does not know: a newer one set it, and it is left for that.
      if let handler = handlers[kind] { next = try await handler(key) }
    } catch {
      log.error("A timer's work failed; it is tried again in a minute.", ["kind": .text(kind), "error": .error(error)])
    }
    do {
      try await database.transaction { [next] tx in
        if let next {
          try TimerStore.move(kind, key: key, from: due, to: next, tx: tx)
        } else {
          try TimerStore.remove(kind, key: key, ifDueAt: due, tx: tx)
        }
      }
    } catch {
      log.error("A timer could not be set again.", ["kind": .text(kind), "error": .error(error)])
    }
  }
}
