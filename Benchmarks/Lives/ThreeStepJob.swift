import Contract
import Database
import Runtime

/// The peer of the lives: the least that a queue in SQLite does. A row is inserted, claimed, and deleted, each step one
/// transaction for the whole batch, on the same driver, settings and disk.
struct ThreeStepJob {
  static let migrations = [
    Migration(
      component: "peer", number: 1,
      [
        """
        CREATE TABLE jobs (id {integer} PRIMARY KEY, due {integer}, state {integer} NOT NULL, body {bytes} NOT NULL)
        {table}
        """,
        "CREATE INDEX jobs_due ON jobs (due) WHERE state = 0",
      ])
  ]

  private let database: SQLiteDatabase
  private let body = [UInt8](repeating: 0x61, count: 300)

  init(folder: String) throws {
    database = try SQLiteDatabase(path: folder + "/peer.db", migrations: Self.migrations)
  }

  /// - Returns: what `count` jobs took.
  func run(_ count: Int, batch: Int) async throws -> Meter.Reading {
    let meter = Meter()
    var next: Int64 = 1
    for _ in 0..<count / batch {
      try await self.batch(from: next, count: batch)
      next += Int64(batch)
    }
    return meter.read()
  }

  func close() async { await database.close() }

  private func batch(from first: Int64, count: Int) async throws {
    let body = body
    try await database.transaction { tx in
      for id in first..<first + Int64(count) {
        try tx.run(
          "INSERT INTO jobs (id, due, state, body) VALUES ($1, $2, 0, $3)",
          [.integer(id), .integer(id), .bytes(body)])
      }
    }
    let claimed = try await database.transaction { tx in
      try tx.all(
        """
        UPDATE jobs SET state = 1 WHERE id IN (SELECT id FROM jobs WHERE state = 0 ORDER BY due LIMIT $1)
        RETURNING id, body
        """, [.integer(count)]
      ) { ($0.integer(0), $0.bytes(1)) }
    }
    try await database.transaction { tx in
      for (id, _) in claimed { try tx.run("DELETE FROM jobs WHERE id = $1", [.integer(id)]) }
    }
  }
}
