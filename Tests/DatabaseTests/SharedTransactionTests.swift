import Database
import Foundation
import Testing

@Suite struct SharedTransactionTests {
  private struct Refused: Error {}

  private let scratch: Scratch
  private let database: SQLiteDatabase

  init() throws {
    scratch = try Scratch()
    database = try SQLiteDatabase(path: scratch.path("test.db"), migrations: schema)
  }

  private func insertions(_ most: Int = 256) -> SharedTransaction<UInt64, String, Int> {
    SharedTransaction(database: database, most: most) { numbers, tx in
      for number in numbers {
        if number == 13 { throw Refused() }
        try tx.insert(number)
      }
      return (numbers.map { "number \($0)" }, numbers.count)
    } committed: { _ in
    }
  }

  @Test func everybodyGetsTheAnswerToTheirOwnRequestAfterItsCommit() async throws {
    let shared = insertions()
    try await withThrowingTaskGroup { group in
      for number in 100..<300 as Range<UInt64> {
        group.addTask {
          let answer = try await shared.run(number)
          #expect(answer == "number \(number)")
          let isThere = try await database.ids().contains(number)
          #expect(isThere)
        }
      }
      try await group.waitForAll()
    }
    await database.close()
  }

  @Test func thereMayBeMoreThanShareOneTransaction() async throws {
    let shared = insertions(3)
    try await withThrowingTaskGroup { group in
      for number in 100..<200 as Range<UInt64> {
        group.addTask {
          let answer = try await shared.run(number)
          #expect(answer == "number \(number)")
        }
      }
      try await group.waitForAll()
    }
    try await database.expect(Array(100..<200))
    await database.close()
  }

  @Test func whoFailsFailsAlone() async throws {
    let shared = insertions()
    await withTaskGroup { group in
      for number in 0..<50 as Range<UInt64> {
        group.addTask {
          do {
            let answer = try await shared.run(number)
            #expect(answer == "number \(number)")
            #expect(number != 13)
          } catch {
            #expect(error is Refused)
            #expect(number == 13)
          }
        }
      }
    }
    try await database.expect((0..<50).filter { $0 != 13 })
    await database.close()
  }

  @Test func aClosedDatabaseRefusesEverybody() async throws {
    let shared = insertions()
    await database.close()
    await withTaskGroup { group in
      for number in 0..<20 as Range<UInt64> {
        group.addTask {
          _ = await #expect(throws: DatabaseError.self) { _ = try await shared.run(number) }
        }
      }
    }
  }

  @Test func theNoteIsToldBeforeAnybodyGoesOn() async throws {
    let told = Told()
    let shared = SharedTransaction<UInt64, UInt64, [UInt64]>(database: database, spacing: .milliseconds(2)) {
      numbers, tx in
      for number in numbers { try tx.insert(number) }
      return (numbers, numbers)
    } committed: {
      told.add($0)
    }
    try await withThrowingTaskGroup { group in
      for number in 0..<40 as Range<UInt64> {
        group.addTask {
          let answer = try await shared.run(number)
          #expect(told.has(answer))
        }
      }
      try await group.waitForAll()
    }
    await database.close()
  }

  private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: Set<UInt64> = []

    func add(_ more: [UInt64]) { lock.withLock { numbers.formUnion(more) } }
    func has(_ number: UInt64) -> Bool { lock.withLock { numbers.contains(number) } }
  }
}
