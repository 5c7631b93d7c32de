import Database
import Foundation
import Testing

@Suite struct SQLiteDatabaseTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func open(_ settings: SQLiteDatabase.Settings = .init()) throws -> SQLiteDatabase {
    try SQLiteDatabase(path: scratch.path("test.db"), migrations: schema, settings: settings)
  }

  private func copyFiles(to name: String) throws {
    for end in ["", "-wal"] {
      let from = scratch.path("test.db" + end)
      if FileManager.default.fileExists(atPath: from) {
        try FileManager.default.copyItem(atPath: from, toPath: scratch.path(name + end))
      }
    }
  }

  @Test func whatWasAcknowledgedIsInTheFilesAtOnce() async throws {
    let database = try open()
    for number in 0..<30 as Range<UInt64> { try await database.transaction { try $0.insert(number) } }
    // As a power cut or a kill would leave them: nothing closed, nothing merged.
    try copyFiles(to: "crashed.db")
    let crashed = try SQLiteDatabase(path: scratch.path("crashed.db"), migrations: schema)
    try await crashed.expect(Array(0..<30))
    #expect(try await crashed.integrityCheck() == [])
    await crashed.close()
    await database.close()
  }

  @Test func aTornLogKeepsEveryWholeCommit() async throws {
    let database = try open()
    for number in 0..<30 as Range<UInt64> { try await database.transaction { try $0.insert(number) } }
    try copyFiles(to: "torn.db")
    await database.close()
    let log = try #require(FileHandle(forWritingAtPath: scratch.path("torn.db-wal")))
    try log.truncate(atOffset: try log.seekToEnd() - 1000)
    try log.close()
    let torn = try SQLiteDatabase(path: scratch.path("torn.db"), migrations: schema)
    try await torn.expect(Array(0..<29))
    await torn.close()
  }

  @Test func theFilesArePrivate() async throws {
    let database = try open()
    try await database.transaction { try $0.insert(1) }
    for end in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path("test.db" + end))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    await database.close()
  }

  @Test func deletedTextIsOverwritten() async throws {
    let database = try open()
    try await database.transaction { try $0.insert(1, label: "a word that must vanish") }
    try await database.transaction { try $0.run("DELETE FROM items") }
    await database.close()
    let file = try Data(contentsOf: URL(fileURLWithPath: scratch.path("test.db")))
    #expect(file.range(of: Data("must vanish".utf8)) == nil)
  }

  @Test func theLogStaysShortUnderLoad() async throws {
    var settings = SQLiteDatabase.Settings()
    settings.checkpointPages = 50
    settings.longestLogPages = 200
    let database = try open(settings)
    let data = [UInt8](repeating: 7, count: 3000)
    var longest = 0
    for number in 0..<1500 as Range<UInt64> {
      try await database.transaction { try $0.insert(number, data: data) }
      longest = max(longest, database.metrics.logPages)
    }
    #expect(longest < 300)
    await database.close()
  }

  @Test func aLongReadStopsNoWriterAndTheLogRecovers() async throws {
    var settings = SQLiteDatabase.Settings()
    settings.checkpointPages = 20
    settings.longestLogPages = 50
    let database = try open(settings)
    let gate = DispatchSemaphore(value: 0)
    try await database.transaction { try $0.insert(0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { gate.signal() }
      group.addTask {
        let counts = try await database.read { transaction in
          let before = try transaction.ids().count
          gate.wait()
          return (before, try transaction.ids().count)
        }
        #expect(counts.0 == counts.1)
      }
      for number in 1...300 as ClosedRange<UInt64> {
        try await database.transaction { try $0.insert(number, data: [UInt8](repeating: 1, count: 3000)) }
      }
      gate.signal()
      try await group.waitForAll()
    }
    for number in 301...400 as ClosedRange<UInt64> {
      try await database.transaction { try $0.insert(number, data: [UInt8](repeating: 1, count: 3000)) }
    }
    #expect(database.metrics.logPages < 150)
    await database.close()
  }

  @Test func whatAnotherProgramChangedIsNoticed() async throws {
    let database = try open()
    try await database.transaction { try $0.insert(1) }
    let before = try await database.dataVersion()
    try await database.transaction { try $0.insert(2) }
    #expect(try await database.dataVersion() == before)
    let other = try SQLiteConnection(.file(scratch.path("test.db")))
    try other.transaction { try $0.insert(3) }
    #expect(try await database.dataVersion() != before)
    try await database.expect([1, 2, 3])
    await database.close()
  }

  @Test func aWriterWaitsForAnotherProgramOnlySoLong() async throws {
    var settings = SQLiteDatabase.Settings()
    settings.busyTimeout = .zero
    let database = try open(settings)
    let other = try SQLiteConnection(.file(scratch.path("test.db")))
    try other.begin()
    try other.insert(1)
    await #expect(throws: DatabaseError.unavailable("another program holds it")) {
      try await database.transaction { try $0.insert(2) }
    }
    try await database.expect([])
    try other.commit()
    try await database.transaction { try $0.insert(2) }
    try await database.expect([1, 2])
    await database.close()
  }

  @Test func aBackupIsWholeAndConsistentWhileServing() async throws {
    let database = try open()
    try await database.transaction { try $0.run("INSERT INTO counters (name, value) VALUES ('rows', 0)") }
    let target = scratch.path("copy.db")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<400 as Range<UInt64> {
          try await database.transaction {
            try $0.insert(number, data: [UInt8](repeating: 1, count: 2000))
            try $0.run("UPDATE counters SET value = value + 1")
          }
        }
      }
      try await eventually { database.metrics.callers > 50 }
      try await database.backup(to: target)
      try await group.waitForAll()
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.folder).filter { $0.hasPrefix("copy") } == ["copy.db"]
    )
    #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o600)
    let copy = try SQLiteDatabase(path: target, migrations: schema)
    #expect(try await copy.integrityCheck() == [])
    let (rows, counted) = try await copy.read {
      (
        try $0.first("SELECT count(*) FROM items") { $0.int(0) } ?? 0,
        try $0.first("SELECT value FROM counters") { $0.int(0) } ?? -1
      )
    }
    #expect(rows == counted)
    #expect(rows >= 50)
    await copy.close()
    // A file that is there already is somebody's backup.
    await #expect(throws: DatabaseError.self) { try await database.backup(to: target) }
    await #expect(throws: DatabaseError.self) { try await database.backup(to: scratch.path("missing/copy.db")) }
    await database.close()
  }
}
