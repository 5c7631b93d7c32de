import Contract
package import Database
package import Delivery
package import Runtime

/// A way out: hands one leased delivery to its carrier and says what came of it. Never throws, and always answers
/// within `Outbox.leaseTime`.
package protocol DeliveryChannel: Sendable {
  func send(_ lease: Lease) async -> AttemptOutcome
}

/// Drives `DispatchMachine` in the server: one transaction after the other, and one task for each attempt.
package final class Dispatcher: Service {
  private struct State {
    var machine: DispatchMachine
    var wakes: UInt64 = 0
    /// Whether the last transaction failed.
    var isFailing = false
    var sleeper: CheckedContinuation<Void, Never>?
  }

  private let state: Lock<State>
  private let outbox: Outbox
  private let database: any Database
  private let hub: EventHub
  private let channels: [Channel: any DeliveryChannel]
  private let executor: (any TaskExecutor)?
  private let attempts: Counter?
  private let clock: any WallClock
  private let log: Logger

  /// Turns begin no closer together than this: one that finds a few more answers and messages costs no more, and those
  /// that are being accepted at the same time need not wait for it as often. Real time, whatever the clock.
  private static let turnInterval: Duration = .milliseconds(5)

  /// How long to wait after a transaction that could not be committed.
  private static let pauseAfterFailure: Duration = .seconds(1)

  /// - Parameters:
  ///   - executor: where it and the attempts run; nil for the process's own threads.
  ///   - attempts: counts answered ones by carrier and outcome.
  package init(
    machine: DispatchMachine, outbox: Outbox, database: any Database, hub: EventHub,
    channels: [Channel: any DeliveryChannel], executor: (any TaskExecutor)? = nil, attempts: Counter? = nil,
    clock: any WallClock, log: Logger
  ) {
    state = Lock(State(machine: machine))
    self.outbox = outbox
    self.database = database
    self.hub = hub
    self.channels = channels
    self.executor = executor
    self.attempts = attempts
    self.clock = clock
    self.log = log
  }

  /// Something was accepted, or an operator changed something.
  package func wake() {
    let sleeper = state.withLock { state in
      state.wakes &+= 1
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume()
  }

  package func setRoutes(_ routes: RouteTable, limits: [Int: CarrierPace.Limits]) {
    let now = clock.now
    state.withLock { $0.machine.setRoutes(routes, limits: limits, at: now) }
    wake()
  }

  /// Whether a carrier takes messages now, and why not.
  package func pace(of carrier: Int) -> CarrierPace? { state.withLock { $0.machine.pace(of: carrier) } }

  package var routes: RouteTable { state.withLock { $0.machine.routes } }

  /// Attempts under way or not yet written down.
  package var unsettled: Int { state.withLock { $0.machine.unsettled } }

  /// Until the task is cancelled; then waits for what is under way, and writes down what came of it.
  package func run() async throws {
    await withTaskExecutorPreference(executor) { await serve() }
  }

  private func serve() async {
    guard await recover() else { return }
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        let began = ContinuousClock.now
        let seen = state.withLock { $0.wakes }
        let next = await turn(in: &group)
        if next.map({ $0 > clock.now }) ?? true { await sleep(until: next, unlessWokenSince: seen) }
        try? await ContinuousClock().sleep(until: began + Self.turnInterval)
      }
    }
    // The group has waited for every attempt; what they brought is settled now.
    while state.withLock({ $0.machine.unsettled }) > 0 {
      let before = state.withLock { $0.machine.unsettled }
      await settleRest()
      if state.withLock({ $0.machine.unsettled }) >= before { break }
    }
  }

  /// Writes down what a process that died left behind; nothing is sent before. On a full disk that waits for room, and
  /// all else of the server goes on.
  /// - Returns: false where the stop came first.
  private func recover() async -> Bool {
    let policy = state.withLock { $0.machine.policy }
    while !Task.isCancelled {
      let now = clock.now
      do {
        let recovered = try await database.transaction { [outbox] tx in
          try outbox.recover(at: now, policy: policy, tx: tx)
        }
        if recovered > 0 {
          log.warning(
            "Attempts were interrupted by the last stop; they are tried again.", ["attempts": .integer(recovered)])
        }
        return true
      } catch {
        noteFailure(error)
        try? await clock.sleep(until: clock.now + Self.pauseAfterFailure)
      }
    }
    return false
  }

  /// Says once that the database can not be written, not every second for as long as it lasts.
  private func noteFailure(_ error: any Error) {
    let wasFailing = state.withLock { state in
      defer { state.isFailing = true }
      return state.isFailing
    }
    if wasFailing { return }
    log.error(
      "The dispatcher can not write to the database. Nothing is sent until it can; it tries on.",
      ["error": .error(error)])
  }

  /// - Returns: when the next turn is due; nil where only a wake can bring something.
  private func turn(in group: inout DiscardingTaskGroup) async -> Instant? {
    let now = clock.now
    let plan = state.withLock { $0.machine.plan(at: now) }
    let result: DispatchResult
    do {
      result = try await database.transaction { [outbox] tx in try outbox.perform(plan, tx: tx) }
    } catch {
      state.withLock { $0.machine.failed(plan) }
      noteFailure(error)
      return clock.now + Self.pauseAfterFailure
    }
    let wasFailing = state.withLock { state in
      state.machine.performed(result.leases, at: now)
      defer { state.isFailing = false }
      return state.isFailing
    }
    if wasFailing { log.info("The dispatcher can write to the database again.") }
    hub.signal(result.changedStreams)
    for lease in result.leases {
      group.addTask { [self] in await attempt(lease) }
    }
    if result.isMoreDue { return clock.now }
    let change = state.withLock { $0.machine.nextChange(after: now) }
    return [change, result.nextDue].compactMap(\.self).min()
  }

  private func attempt(_ lease: Lease) async {
    let outcome: AttemptOutcome
    if let channel = channels[lease.channel] {
      // A task of its own, since a stop cancels this one and must not cut off what is under way: a cut-off attempt is
      // an uncertain one.
      outcome = await Task(executorPreference: executor) { await channel.send(lease) }.value
    } else {
      outcome = .refused(scope: .route, code: "no-channel", detail: "This exchange has no channel of this kind.")
    }
    attempts?.add(1, routes.carriers[lease.carrier]?.name ?? "?", outcome.kind.name)
    let now = clock.now
    state.withLock { $0.machine.answered(lease.delivery, outcome, at: now) }
    wake()
  }

  /// After a stop: writes down answers, leases nothing.
  private func settleRest() async {
    let now = clock.now
    let plan = state.withLock { $0.machine.plan(at: now, leasing: false) }
    do {
      let result = try await database.transaction { [outbox] tx in try outbox.perform(plan, tx: tx) }
      hub.signal(result.changedStreams)
    } catch {
      state.withLock { $0.machine.failed(plan) }
      log.error("Answers of carriers could not be written at the stop.", ["error": .error(error)])
    }
  }

  private func sleep(until next: Instant?, unlessWokenSince seen: UInt64) async {
    await withTaskGroup { group in
      group.addTask { await self.waitForWake(since: seen) }
      if let next { group.addTask { [clock] in try? await clock.sleep(until: next) } }
      await group.next()
      group.cancelAll()
    }
  }

  private func waitForWake(since seen: UInt64) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.wakes != seen || Task.isCancelled { return true }
          state.sleeper = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        defer { state.sleeper = nil }
        return state.sleeper
      }
      sleeper?.resume()
    }
  }
}
