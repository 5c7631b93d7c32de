import Contract
import Database
import Foundation
import Testing

/// A folder for one test; it goes with the value.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    let folder = NSTemporaryDirectory() + "database-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    self.folder = folder
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { folder + "/" + name }
}

/// One driver under the conformance suite.
struct Driver: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Opens the database of a scratch folder; opened again, it has what was committed before.
  let open: @Sendable (Scratch, [Migration]) async throws -> any Database
  let close: @Sendable (any Database) async -> Void

  static let all = [
    Driver(
      testDescription: "SQLite",
      open: { scratch, migrations in
        try SQLiteDatabase(path: scratch.path("test.db"), migrations: migrations)
      },
      close: { await ($0 as? SQLiteDatabase)?.close() })
  ]

  /// Opens a database with the tables of the suite, runs `body`, and closes it.
  func with(
    _ scratch: Scratch? = nil, migrations: [Migration] = schema, _ body: (any Database) async throws -> Void
  ) async throws {
    let database = try await open(try scratch ?? Scratch(), migrations)
    do {
      try await body(database)
    } catch {
      await close(database)
      throw error
    }
    await close(database)
  }
}

let schema = [
  Migration(
    component: "test", number: 1,
    [
      """
      CREATE TABLE items (
        id {id} NOT NULL PRIMARY KEY,
        label {text} UNIQUE,
        number {integer},
        data {bytes}
      ) {table}
      """,
      "CREATE TABLE counters (name {text} NOT NULL PRIMARY KEY, value {integer} NOT NULL) {table}",
      """
      CREATE TABLE parts (
        id {id} NOT NULL PRIMARY KEY,
        item {id} NOT NULL REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED
      ) {table}
      """,
    ])
]

struct Refusal: Error, Equatable {}

func id(_ number: UInt64) -> ID128 { ID128(high: 1, low: number) }

extension Transaction {
  func insert(_ number: UInt64, label: String? = nil, count: Int64? = nil, data: [UInt8]? = nil) throws {
    try run(
      "INSERT INTO items (id, label, number, data) VALUES ($1, $2, $3, $4)",
      [.id(id(number)), .text(label), .integer(count), .bytes(data)])
  }

  func ids() throws -> [UInt64] { try all("SELECT id FROM items ORDER BY id LIMIT 1000000") { $0.id(0).low } }
}

extension Database {
  func ids() async throws -> [UInt64] {
    try await read { try $0.ids() }
  }

  /// Expects the items to be these, in order.
  func expect(_ expected: [UInt64], at place: SourceLocation = #_sourceLocation) async throws {
    let found = try await ids()
    #expect(found == expected, sourceLocation: place)
  }
}

/// Waits until `condition` holds, up to a minute: under the thread sanitizer everything takes long.
func eventually(_ condition: @Sendable () -> Bool) async throws {
  let limit = ContinuousClock.now + .seconds(60)
  while !condition() {
    try #require(ContinuousClock.now < limit)
    // A loop that only yields would take a thread from those it waits for.
    try await Task.sleep(for: .milliseconds(1))
  }
}
