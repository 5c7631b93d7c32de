import Database
import Foundation
import Testing

@Suite struct DamageTests {
  let scratch: Scratch
  var path: String { scratch.path("test.db") }

  init() throws { scratch = try Scratch() }

  private func fill(rows: UInt64 = 300) async throws {
    let database = try SQLiteDatabase(path: path, migrations: schema)
    try await database.transaction { transaction in
      for number in 0..<rows {
        try transaction.insert(number, label: "row \(number)", data: [UInt8](repeating: 1, count: 1000))
      }
    }
    await database.close()
  }

  private func overwrite(from offset: UInt64, count: Int) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data(repeating: 0xAA, count: count))
    try file.close()
  }

  private func expectDamaged(_ body: () throws -> Void) {
    do {
      try body()
      Issue.record("a damaged file was opened")
    } catch DatabaseError.damaged(let what) {
      #expect(DatabaseError.damaged(what).description.contains("switchboard restore"))
    } catch {
      Issue.record(error)
    }
  }

  @Test func aFileThatIsNoDatabaseIsRefused() throws {
    try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: path))
    expectDamaged { _ = try SQLiteDatabase(path: path, migrations: schema) }
    // It was not touched: it may be something else that somebody needs.
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(repeating: 0x41, count: 10_000))
  }

  @Test func aCutOffFileIsRefused() async throws {
    try await fill()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.truncate(atOffset: 5 * 4096)
    try file.close()
    expectDamaged { _ = try SQLiteDatabase(path: path, migrations: schema) }
  }

  @Test func aDamagedSchemaIsRefused() async throws {
    try await fill()
    try overwrite(from: 100, count: 3900)
    expectDamaged { _ = try SQLiteDatabase(path: path, migrations: schema) }
  }

  @Test func damageMetLaterStopsTheWriting() async throws {
    try await fill()
    let pages =
      try #require(
        FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) / 4096
    try overwrite(from: UInt64(pages - 10) * 4096, count: 10 * 4096)
    let database = try SQLiteDatabase(path: path, migrations: schema)
    #expect(database.damaged == nil)
    do {
      _ = try await database.read { try $0.all("SELECT data FROM items LIMIT 1000") { $0.bytes(0) } }
      Issue.record("damaged pages were read")
    } catch DatabaseError.damaged {}
    #expect(database.damaged != nil)
    do {
      try await database.transaction { try $0.insert(9999) }
      Issue.record("a damaged database was written to")
    } catch DatabaseError.damaged {}
    await database.close()
    let doctor = try SQLiteConnection(.file(path), access: .readOnly)
    #expect(try !doctor.integrityCheck().isEmpty)
  }

  @Test func aFileThatIsTakenAwayWhileServingStopsTheWriting() async throws {
    try await fill()
    let database = try SQLiteDatabase(path: path, migrations: schema)
    _ = try await database.dataVersion()
    try FileManager.default.removeItem(atPath: path)
    do {
      _ = try await database.dataVersion()
      Issue.record("a file that is gone was not missed")
    } catch DatabaseError.damaged {}
    do {
      try await database.transaction { try $0.insert(9999) }
      Issue.record("a row was taken into a file that nobody can find")
    } catch DatabaseError.damaged {}
    await database.close()
  }

  @Test func theFullCheckFindsWhatNobodyHasReadYet() async throws {
    try await fill()
    let pages =
      try #require(
        FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) / 4096
    try overwrite(from: UInt64(pages - 1) * 4096, count: 4096)
    let database = try SQLiteDatabase(path: path, migrations: schema)
    #expect(try await !database.integrityCheck().isEmpty)
    #expect(database.damaged != nil)
    await database.close()
  }

  @Test func aHealthyDatabaseHasNothingToReport() async throws {
    try await fill()
    let database = try SQLiteDatabase(path: path, migrations: schema)
    #expect(try await database.integrityCheck() == [])
    #expect(database.damaged == nil)
    await database.close()
  }
}
