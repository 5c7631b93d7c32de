import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Foundation
import Runtime
import Testing

/// The dispatcher's loop over a real database, with a clock that the test moves.
struct DispatcherTests {
  /// A carrier that answers when the test says so.
  private final class Gate: DeliveryChannel {
    private struct State {
      var leases: [Lease] = []
      var answers: [AttemptOutcome] = []
      var waiting: [CheckedContinuation<AttemptOutcome, Never>] = []
    }

    private let state = Lock(State())

    var leases: [Lease] { state.withLock { $0.leases } }

    func send(_ lease: Lease) async -> AttemptOutcome {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> AttemptOutcome? in
          state.leases.append(lease)
          if !state.answers.isEmpty { return state.answers.removeFirst() }
          state.waiting.append(continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    }

    func answer(_ outcome: AttemptOutcome) {
      let waiting = state.withLock { state -> CheckedContinuation<AttemptOutcome, Never>? in
        if state.waiting.isEmpty {
          state.answers.append(outcome)
          return nil
        }
        return state.waiting.removeFirst()
      }
      waiting?.resume(returning: outcome)
    }
  }

  /// A database that may be out of order for a while.
  private final class Fragile: Database {
    let base: SQLiteDatabase
    let isBroken = Lock(false)
    let refused = Lock(0)

    init(_ base: SQLiteDatabase) { self.base = base }

    func transaction<Result: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
      if isBroken.withLock({ $0 }) {
        refused.withLock { $0 += 1 }
        throw DatabaseError.full
      }
      return try await base.transaction(body)
    }

    func read<Result: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result { try await base.read(body) }
  }

  private struct Server {
    let database: Fragile
    let dispatcher: Dispatcher
    let acceptor: Acceptor
    let outbox: Outbox
    let hub = EventHub()
    let gate = Gate()
    let clock = ManualClock(now: Bench.start)

    init(_ base: SQLiteDatabase) throws {
      database = Fragile(base)
      let key = try #require(MasterKey(hex: String(repeating: "5a", count: 32)))
      outbox = Outbox(ids: IdentifierSource(random: SeededRandom(seed: 1)), key: key)
      var machine = DispatchMachine(policy: RetryPolicy(), random: SeededRandom(seed: 2))
      machine.setRoutes(RouteTable([carrier(1)]), limits: [:], at: clock.now)
      dispatcher = Dispatcher(
        machine: machine, outbox: outbox, database: database, hub: hub, channels: [.sms: gate], clock: clock,
        log: .silent)
      acceptor = Acceptor(outbox: outbox, database: database, hub: hub, dispatcher: dispatcher, clock: clock)
    }

    func accept(notBefore: Instant? = nil) async throws -> DeliveryID {
      let new = NewDelivery(
        account: Bench.alice, channel: .sms, address: Bench.helsinki, body: Array("hi".utf8), carrier: 1,
        notBefore: notBefore, expires: clock.now + .seconds(3600))
      guard case .accepted(let id, _, _) = try await acceptor.accept([new])[0] else {
        throw Unexpected(description: "it was not accepted")
      }
      return id
    }

    func state(_ id: DeliveryID) async throws -> DeliveryState? {
      try await database.read { [outbox] in try outbox.delivery(id, tx: $0)?.state }
    }
  }

  private func eventually(_ condition: () async throws -> Bool) async throws {
    let limit = ContinuousClock.now + .seconds(20)
    while try await !condition() {
      try #require(ContinuousClock.now < limit, "it did not come to pass")
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Runs a dispatcher for as long as `body` takes, then stops it.
  /// - Parameter broken: whether the database can not be written at the start.
  private func running(
    broken: Bool = false, _ body: (Server, Task<Void, any Error>) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "dispatcher-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let database = try SQLiteDatabase(path: folder + "/exchange.db", migrations: ExchangeSchema.migrations)
    let server = try Server(database)
    server.database.isBroken.withLock { $0 = broken }
    let run = Task { try await server.dispatcher.run() }
    do {
      try await body(server, run)
    } catch {
      run.cancel()
      for _ in server.gate.leases { server.gate.answer(.isDown) }
      throw error
    }
    run.cancel()
    try await run.value
    await database.close()
  }

  @Test func whatIsAcceptedIsSentAtOnce() async throws {
    try await running { server, _ in
      server.gate.answer(.taken)
      let id = try await server.accept()
      try await eventually { try await server.state(id) == .submitted }
      #expect(server.gate.leases.map(\.delivery) == [id])
    }
  }

  @Test func aStopWaitsForWhatIsUnderWayAndWritesItDown() async throws {
    try await running { server, run in
      let id = try await server.accept()
      try await eventually { server.gate.leases.count == 1 }
      run.cancel()
      let late = try await server.accept()
      server.gate.answer(.taken)
      try await run.value
      #expect(try await server.state(id) == .submitted)
      #expect(try await server.state(late) == .queued)
      #expect(server.gate.leases.count == 1)
    }
  }

  @Test func aScheduledOneGoesWhenItsTimeComes() async throws {
    try await running { server, _ in
      let id = try await server.accept(notBefore: server.clock.now + .seconds(600))
      server.gate.answer(.taken)
      // It sleeps until something is due.
      try await eventually {
        if let next = server.clock.nextDeadline, next < Bench.start + .seconds(600) { server.clock.advance(to: next) }
        return server.clock.nextDeadline == Bench.start + .seconds(600)
      }
      #expect(server.gate.leases.isEmpty)
      server.clock.advance(to: Bench.start + .seconds(600))
      try await eventually { try await server.state(id) == .submitted }
    }
  }

  @Test func aFullDiskHoldsUpAndLosesNothing() async throws {
    try await running { server, _ in
      let id = try await server.accept()
      try await eventually { server.gate.leases.count == 1 }
      server.database.isBroken.withLock { $0 = true }
      server.gate.answer(.taken)
      try await eventually { server.database.refused.withLock { $0 } >= 1 }
      #expect(try await server.state(id) == .leased)
      // Nobody spins: it tries again after a second.
      try await eventually { server.clock.nextDeadline != nil }
      #expect(server.database.refused.withLock { $0 } <= 3)
      server.database.isBroken.withLock { $0 = false }
      server.clock.advance(by: .seconds(1))
      try await eventually { try await server.state(id) == .submitted }
      #expect(server.gate.leases.count == 1)
    }
  }

  @Test("A start on a full disk waits for room; the server goes on, and then everything does")
  func startsOnAFullDisk() async throws {
    try await running(broken: true) { server, _ in
      try await eventually { server.database.refused.withLock { $0 } >= 1 && server.clock.nextDeadline != nil }
      server.database.isBroken.withLock { $0 = false }
      server.gate.answer(.taken)
      let id = try await server.accept()
      #expect(server.gate.leases.isEmpty)
      try await eventually {
        server.clock.advance(by: .seconds(1))
        return try await server.state(id) == .submitted
      }
    }
    // A stop does not wait for the disk.
    try await running(broken: true) { server, _ in
      try await eventually { server.database.refused.withLock { $0 } >= 1 }
    }
  }

  @Test func followersOfAnAccountHear() async throws {
    try await running { server, _ in
      try await server.hub.following(Bench.alice.value) {
        let mark = server.hub.mark(of: Bench.alice.value)
        server.gate.answer(.taken)
        _ = try await server.accept()
        await server.hub.wait(on: Bench.alice.value, since: mark)
        let events = try await server.database.read {
          try EventLog.events(after: 0, in: Bench.alice.value, limit: 9, tx: $0)
        }
        #expect(events?.first?.type == "message.queued")
      }
    }
  }
}

struct EventHubTests {
  let stream = ID128(high: 1, low: 1)

  @Test func aSignalBetweenALookAndAWaitIsNotMissed() async {
    let hub = EventHub()
    await hub.following(stream) {
      let mark = hub.mark(of: stream)
      hub.signal([stream])
      await hub.wait(on: stream, since: mark)
      #expect(hub.mark(of: stream) != mark)
    }
  }

  @Test func aCancelledWaitEnds() async {
    let hub = EventHub()
    await hub.following(stream) {
      let mark = hub.mark(of: stream)
      let wait = Task { await hub.wait(on: stream, since: mark) }
      wait.cancel()
      await wait.value
      #expect(hub.mark(of: stream) == mark)
    }
  }

  @Test func allWhoWaitHear() async {
    let hub = EventHub()
    await hub.following(stream) {
      let mark = hub.mark(of: stream)
      await withTaskGroup { group in
        for _ in 0..<10 { group.addTask { await hub.wait(on: stream, since: mark) } }
        group.addTask { hub.signalAll() }
      }
    }
    // Whom nobody follows, nobody is kept for.
    hub.signal([stream])
    #expect(hub.mark(of: stream) == 0)
  }
}
