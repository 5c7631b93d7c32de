import Contract
import Database
import Foundation
import Testing

@Suite struct SQLiteConnectionTests {
  private func memory(statementLimit: Int = 256) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(.memory, statementLimit: statementLimit)
    try Migrator.apply(schema, on: connection)
    return connection
  }

  @Test func aConnectionInMemoryKeepsWhatItIsGiven() throws {
    let connection = try memory()
    let count = try connection.transaction { transaction in
      try transaction.insert(1)
      return try transaction.ids().count
    }
    #expect(count == 1)
    #expect(try connection.ids() == [1])
  }

  @Test func whatThrowsRollsBack() throws {
    let connection = try memory()
    #expect(throws: Refusal.self) {
      try connection.transaction { transaction in
        try transaction.insert(1)
        throw Refusal()
      }
    }
    #expect(try connection.ids() == [])
  }

  @Test func aSavepointRollsBackItsOwnPart() throws {
    let connection = try memory()
    try connection.transaction { transaction in
      try transaction.insert(1)
      #expect(throws: Refusal.self) {
        try connection.savepoint { inner in
          try inner.insert(2)
          throw Refusal()
        }
      }
      try connection.savepoint { try $0.insert(3) }
    }
    #expect(try connection.ids() == [1, 3])
  }

  @Test func aCommitThatIsMadeToFailKeepsNothing() throws {
    let connection = try memory()
    try connection.transaction { try $0.insert(1) }
    connection.failCommit = { .full }
    #expect(throws: DatabaseError.full) { try connection.transaction { try $0.insert(2) } }
    connection.failCommit = { nil }
    try connection.transaction { try $0.insert(3) }
    #expect(try connection.ids() == [1, 3])
  }

  @Test func afterALostTransactionNothingRunsOnItsOwn() throws {
    let connection = try memory()
    #expect(throws: DatabaseError.self) {
      try connection.transaction { transaction in
        try transaction.insert(1)
        // What SQLite may do by itself on a full disk.
        try transaction.run("ROLLBACK")
        try transaction.insert(2)
      }
    }
    #expect(try connection.ids() == [])
    try connection.transaction { try $0.insert(3) }
    #expect(try connection.ids() == [3])
  }

  @Test func fewPreparedStatementsAreEnough() throws {
    let connection = try memory(statementLimit: 2)
    for number in 0..<20 as Range<UInt64> {
      try connection.transaction { transaction in
        try transaction.insert(number)
        let count = try transaction.first("SELECT count(*) FROM items") { $0.integer(0) }
        #expect(count == Int64(number) + 1)
        // Two run while a third is asked for.
        try transaction.rows("SELECT id FROM items ORDER BY id LIMIT 1", []) { _ in
          try transaction.rows("SELECT number FROM items ORDER BY id LIMIT 1", []) { _ in
            let seven = try transaction.first("SELECT 7") { $0.integer(0) }
            #expect(seven == 7)
          }
        }
      }
    }
  }

  @Test func statementsAreRefusedWithASentenceThatHoldsNoValue() throws {
    let connection = try memory()
    let secret = "a secret"
    let attempts: [() throws -> Void] = [
      { try connection.run("SELEC 1") },
      { try connection.run("") },
      { try connection.run("SELECT 1; SELECT 2") },
      { try connection.run("DELETE FROM items WHERE label = ?", [.text(secret)]) },
      { try connection.run("DELETE FROM items WHERE label = :label", [.text(secret)]) },
      { try connection.run("DELETE FROM items WHERE label = $0", [.text(secret)]) },
      { try connection.run("INSERT INTO items (id, number) VALUES ($1, $2)", [.id(id(1)), .text(secret)]) },
      { try connection.run("INSERT INTO items (id, label) VALUES (NULL, $1)", [.text(secret)]) },
      { try connection.run("SELECT json_extract($1, '$.a')", [.text(secret)]) },
    ]
    for attempt in attempts {
      do {
        try attempt()
        Issue.record("a wrong statement was run")
      } catch DatabaseError.misuse(let what) {
        #expect(!what.isEmpty)
        #expect(!what.contains(secret))
      }
    }
    #expect(try connection.ids() == [])
  }

  @Test func anotherTypeReadsAsEmpty() throws {
    let connection = try memory()
    let row = try connection.first("SELECT '12', 12, x'313233', 1.5, NULL") { row in
      (row.integer(0), row.text(1), row.id(2), row.integer(3), row.bytes(4), row.text(9))
    }
    let found = try #require(row)
    #expect(found == (0, "", ID128(high: 0, low: 0), 0, [], ""))
  }
}
