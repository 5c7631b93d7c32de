import Database
import Testing

@Suite struct MigratorTests {
  private let first = Migration(
    component: "a", number: 1, ["CREATE TABLE a (id {id} PRIMARY KEY, n {integer}, t {text}, b {bytes}) {table}"])
  private let second = Migration(
    component: "a", number: 2,
    ["ALTER TABLE a ADD COLUMN extra {text} DEFAULT '{}'", "CREATE TABLE log (line {text}) {table rowid}"])

  @Test func stepsAreAppliedOnceAndInOrder() throws {
    let connection = try SQLiteConnection(.memory)
    try Migrator.apply([first], on: connection)
    try connection.run("INSERT INTO a (id) VALUES (x'00')")
    try Migrator.apply([first, second], on: connection)
    try Migrator.apply([first, second], on: connection)
    #expect(try connection.first("SELECT extra FROM a") { $0.text(0) } == "{}")
    let applied = try connection.all("SELECT component, number FROM schema_migrations ORDER BY component, number") {
      "\($0.text(0))\($0.integer(1))"
    }
    #expect(applied == ["a1", "a2"])
    let text = try connection.all("SELECT sql FROM sqlite_schema WHERE name IN ('a', 'log') ORDER BY name") {
      $0.text(0)
    }
    #expect(text[0].contains("id BLOB PRIMARY KEY, n INTEGER, t TEXT, b BLOB"))
    #expect(text[0].contains("STRICT, WITHOUT ROWID"))
    #expect(text[1].hasSuffix("STRICT"))
  }

  @Test func aStepThatFailsIsNotKept() throws {
    let connection = try SQLiteConnection(.memory)
    let broken = Migration(component: "a", number: 2, ["CREATE TABLE half (n {integer}) {table rowid}", "NONSENSE"])
    #expect(throws: MigrationError.self) { try Migrator.apply([first, broken], on: connection) }
    #expect(try connection.all("SELECT name FROM sqlite_schema WHERE name = 'half'") { $0.text(0) } == [])
    try Migrator.apply([first, second], on: connection)
  }

  @Test func aNewerDatabaseIsRefusedAndLeftAlone() throws {
    let connection = try SQLiteConnection(.memory)
    try Migrator.apply([first, second], on: connection)
    let third = Migration(component: "b", number: 1, ["CREATE TABLE b (n {integer}) {table rowid}"])
    do {
      try Migrator.apply([first, third], on: connection)
      Issue.record("a newer database was taken")
    } catch {
      #expect(error == .newer(component: "a", number: 2, known: 1))
      #expect(error.description.contains("newer version"))
    }
    #expect(try connection.all("SELECT name FROM sqlite_schema WHERE name = 'b'") { $0.text(0) } == [])
    // So is one with a part that this program has never heard of.
    try Migrator.apply([first, second, third], on: connection)
    #expect(throws: MigrationError.newer(component: "b", number: 1, known: 0)) {
      try Migrator.apply([first, second], on: connection)
    }
  }

  @Test func numbersMustCount() throws {
    let connection = try SQLiteConnection(.memory)
    #expect(throws: MigrationError.outOfOrder(component: "a", number: 2)) {
      try Migrator.apply([second], on: connection)
    }
    #expect(throws: MigrationError.outOfOrder(component: "a", number: 1)) {
      try Migrator.apply([first, first], on: connection)
    }
  }

  @Test func anUnknownTypeIsRefused() throws {
    let connection = try SQLiteConnection(.memory)
    let odd = Migration(component: "a", number: 1, ["CREATE TABLE a (n {float}) {table rowid}"])
    #expect(throws: MigrationError.self) { try Migrator.apply([odd], on: connection) }
  }
}
