import Database
import Foundation
import Testing

@Suite struct FullDiskTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Fills the database until it is full, then checks that nothing acknowledged is lost and that it goes on.
  private func fillAndRecover(_ path: String, makeRoom: (SQLiteDatabase) async throws -> Void) async throws {
    let database = try SQLiteDatabase(path: path, migrations: schema)
    var kept: [UInt64] = []
    var isFull = false
    for number in 0..<3000 as Range<UInt64> {
      do {
        try await database.transaction {
          try $0.insert(number, data: [UInt8](repeating: 1, count: 20_000))
          try $0.insert(number + 10_000)
        }
        kept.append(number)
      } catch DatabaseError.full {
        isFull = true
        break
      }
    }
    #expect(isFull)
    let half = kept + kept.map { $0 + 10_000 }
    try await database.expect(half)
    #expect(database.damaged == nil)
    try await makeRoom(database)
    try await database.transaction { try $0.insert(20_000) }
    #expect(try await database.ids().last == 20_000)
    #expect(try await database.integrityCheck() == [])
    await database.close()
  }

  private static let canMount: Bool = {
    let folder = NSTemporaryDirectory() + "mount-\(UUID().uuidString)"
    guard getuid() == 0, mkdir(folder, 0o700) == 0 else { return false }
    defer { rmdir(folder) }
    guard mount("tmpfs", folder, "tmpfs", 0, "size=64k") == 0 else { return false }
    umount(folder)
    return true
  }()

  @Test("A full disk fails the request, keeps the rest, and is over when there is room", .enabled(if: canMount))
  func fullDisk() async throws {
    let disk = scratch.path("disk")
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    try #require(mount("tmpfs", disk, "tmpfs", 0, "size=3m") == 0)
    defer { umount(disk) }
    let ballast = disk + "/ballast"
    try Data(count: 1 << 20).write(to: URL(fileURLWithPath: ballast))
    try await fillAndRecover(disk + "/test.db") { _ in try FileManager.default.removeItem(atPath: ballast) }
  }

  @Test func aFullFileFailsTheRequestAndKeepsTheRest() async throws {
    let path = scratch.path("test.db")
    let limited = try SQLiteDatabase(path: path, migrations: schema)
    try await limited.transaction { transaction in
      _ = try transaction.first("PRAGMA max_page_count = 100") { $0.int(0) }
    }
    var kept: [UInt64] = []
    do {
      for number in 0..<1000 as Range<UInt64> {
        try await limited.transaction {
          try $0.insert(number)
          try $0.run(
            "UPDATE items SET data = $1 WHERE id = $2", [.bytes([UInt8](repeating: 1, count: 5000)), .id(id(number))])
        }
        kept.append(number)
      }
      Issue.record("the file never became full")
    } catch DatabaseError.full {}
    try await limited.expect(kept)
    _ = try await limited.transaction { try $0.first("PRAGMA max_page_count = 1000000") { $0.int(0) } }
    try await limited.transaction { try $0.insert(5000, data: [UInt8](repeating: 1, count: 50_000)) }
    try await limited.expect(kept + [5000])
    await limited.close()
  }
}
