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
  private let running = Lock<Set<[String]>>([])

  /// The table is looked at no less often, so that timers set meanwhile are seen.
  private static let longestSleep: Duration = .seconds(1)

  package init(database: any Database, handlers: [String: Handler], clock: any WallClock, log: Logger) {
    self.database = database
    self.handlers = handlers
    self.clock = clock
    self.log = log
  }

  package func run() async throws {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let next = await startDue(in: &group)
        try? await clock.sleep(until: min(next ?? .init(milliseconds: .max), clock.now + Self.longestSleep))
      }
    }
  }

  /// Starts what is due and not at work already: one slow timer holds up no other.
  /// - Returns: when the next is due.
  private func startDue(in group: inout DiscardingTaskGroup) async -> Instant? {
    let now = clock.now
    do {
      let (due, next) = try await database.read { tx in
        (try TimerStore.due(at: now, limit: 100, tx: tx), try TimerStore.nextDue(after: now, tx: tx))
      }
      for (kind, key, due) in due where running.withLock({ $0.insert([kind, key]).inserted }) {
        group.addTask { [self] in
          await fire(kind, key, dueAt: due)
          running.withLock { _ = $0.remove([kind, key]) }
        }
      }
      return next
    } catch {
      log.error("Timers could not be read.", ["error": .error(error)])
      return nil
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
