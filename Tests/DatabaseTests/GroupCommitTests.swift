import Database
import Foundation
import Runtime
import Testing

@Suite struct GroupCommitTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func open(_ settings: SQLiteDatabase.Settings = .init()) throws -> SQLiteDatabase {
    try SQLiteDatabase(path: scratch.path("test.db"), migrations: schema, settings: settings)
  }

  /// Holds up the writer until `count` callers wait, so that they share what comes next.
  /// - Returns: what each caller's transaction threw, by its number.
  private func together(
    _ count: Int, on database: SQLiteDatabase, _ body: @escaping @Sendable (UInt64, any Transaction) throws -> Void
  ) async throws -> [UInt64: any Error] {
    let gate = DispatchSemaphore(value: 0)
    let isHeld = Lock(false)
    return try await withThrowingTaskGroup(of: (UInt64, (any Error)?).self) { group in
      defer { gate.signal() }
      group.addTask {
        try await database.transaction { _ in
          isHeld.withLock { $0 = true }
          gate.wait()
        }
        return (.max, nil)
      }
      try await eventually { isHeld.withLock { $0 } }
      for number in 0..<UInt64(count) {
        group.addTask {
          do {
            try await database.transaction { try body(number, $0) }
            return (number, nil)
          } catch {
            return (number, error)
          }
        }
      }
      try await eventually { database.metrics.waitingWrites == count }
      gate.signal()
      var failures: [UInt64: any Error] = [:]
      for try await (number, error) in group { failures[number] = error }
      return failures
    }
  }

  @Test func callersThatWaitTogetherShareOneCommit() async throws {
    let database = try open()
    let failures = try await together(100, on: database) { try $1.insert($0) }
    #expect(failures.isEmpty)
    #expect(database.metrics.commits == 2)
    #expect(database.metrics.callers == 101)
    #expect(database.metrics.failures == 0)
    #expect(database.metrics.lastCommit > .zero)
    try await database.expect(Array(0..<100))
    await database.close()
  }

  @Test func aGroupIsBounded() async throws {
    var settings = SQLiteDatabase.Settings()
    settings.largestGroup = 10
    let database = try open(settings)
    _ = try await together(100, on: database) { try $1.insert($0) }
    #expect(database.metrics.commits == 11)
    await database.close()
  }

  @Test func aFailureInAGroupIsItsOwn() async throws {
    let database = try open()
    let failures = try await together(30, on: database) { number, transaction in
      try transaction.insert(number + 100)
      switch number % 3 {
      case 0: throw Refusal()
      case 1: try transaction.insert(number + 100)
      default: break
      }
    }
    #expect(database.metrics.commits == 2)
    for number in 0..<30 as Range<UInt64> {
      switch number % 3 {
      case 0: #expect(failures[number] is Refusal)
      case 1: #expect(failures[number] as? DatabaseError == .uniqueViolation("items.id"))
      default: #expect(failures[number] == nil)
      }
    }
    try await database.expect((100..<130).filter { ($0 - 100) % 3 == 2 })
    await database.close()
  }

  @Test func whatFailsTheWholeGroupKeepsNothingOfIt() async throws {
    let database = try open()
    let failures = try await together(20, on: database) { number, transaction in
      try transaction.insert(number)
      // As SQLite does by itself when the disk is full half way.
      if number == 10 { try transaction.run("ROLLBACK") }
    }
    #expect(failures.count == 20)
    try await database.expect([])
    // And the next one works.
    try await database.transaction { try $0.insert(99) }
    try await database.expect([99])
    await database.close()
  }

  @Test func theWaitingListIsBounded() async throws {
    var settings = SQLiteDatabase.Settings()
    settings.longestQueue = 5
    let database = try open(settings)
    let gate = DispatchSemaphore(value: 0)
    let isHeld = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { gate.signal() }
      group.addTask {
        try await database.transaction { _ in
          isHeld.withLock { $0 = true }
          gate.wait()
        }
      }
      try await eventually { isHeld.withLock { $0 } }
      for number in 0..<5 as Range<UInt64> {
        group.addTask { try await database.transaction { try $0.insert(number) } }
      }
      try await eventually { database.metrics.waitingWrites == 5 }
      await #expect(throws: DatabaseError.unavailable("too much waits for it already")) {
        try await database.transaction { try $0.insert(6) }
      }
      gate.signal()
      try await group.waitForAll()
    }
    try await database.expect(Array(0..<5))
    await database.close()
  }

  @Test func closingFinishesWhatWaitsAndRefusesTheRest() async throws {
    let database = try open()
    let service = Task { try await database.run() }
    let failures = try await together(50, on: database) { number, transaction in
      if number == 0 { service.cancel() }
      try transaction.insert(number)
    }
    #expect(failures.isEmpty)
    try await service.value
    await #expect(throws: DatabaseError.unavailable("the server is stopping")) {
      try await database.transaction { try $0.insert(99) }
    }
    await #expect(throws: DatabaseError.unavailable("the server is stopping")) {
      try await database.ids()
    }
    // The log went into the file when it was closed.
    #expect(!FileManager.default.fileExists(atPath: scratch.path("test.db-wal")))
    let again = try open()
    try await again.expect(Array(0..<50))
    await again.close()
  }
}
