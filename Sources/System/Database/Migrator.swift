import Foundation

/// Brings a database to the schema that this program knows. Forward only.
///
/// Which steps were applied stands in the table `schema_migrations`. Two programs may run it at once.
package enum Migrator {
  /// Applies what is missing, component by component in the order given, each step in a transaction of its own.
  /// - Throws: a `MigrationError`; the steps before the one that failed are kept.
  package static func apply(_ migrations: [Migration], on connection: SQLiteConnection) throws(MigrationError) {
    try checkNumbers(migrations)
    do {
      try connection.execute(
        text(
          """
          CREATE TABLE IF NOT EXISTS schema_migrations (
            component {text} NOT NULL,
            number {integer} NOT NULL,
            PRIMARY KEY (component, number)
          ) {table}
          """))
    } catch {
      throw .failed(component: "schema", number: 0, "\(error)")
    }
    try refuseNewer(migrations, on: connection)
    for migration in migrations { try apply(migration, on: connection) }
  }

  /// A statement with SQLite's own words for the types in braces.
  /// - Throws: `.misuse` for a word in braces that is none.
  static func text(_ statement: String) throws(DatabaseError) -> String {
    var text = ""
    var rest = statement[...]
    while let open = rest.firstIndex(of: "{") {
      text += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}") else { throw .misuse("a brace without its end") }
      let word = String(rest[rest.index(after: open)..<close])
      switch word {
      case "id", "bytes": text += "BLOB"
      case "integer": text += "INTEGER"
      case "text": text += "TEXT"
      case "table": text += "STRICT, WITHOUT ROWID"
      case "table rowid": text += "STRICT"
      // Not a type: an empty JSON object as a default, say.
      case "": text += "{}"
      default: throw .misuse("{\(word)} names no type")
      }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  private static func apply(_ migration: Migration, on connection: SQLiteConnection) throws(MigrationError) {
    let key: [Value] = [.text(migration.component), .integer(migration.number)]
    do {
      try connection.transaction { transaction in
        let applied = try transaction.first(
          "SELECT number FROM schema_migrations WHERE component = $1 AND number = $2", key
        ) { $0.int(0) }
        guard applied == nil else { return }
        for statement in migration.statements { try connection.execute(text(statement)) }
        try transaction.run("INSERT INTO schema_migrations (component, number) VALUES ($1, $2)", key)
      }
    } catch {
      throw .failed(component: migration.component, number: migration.number, "\(error)")
    }
  }

  private static func checkNumbers(_ migrations: [Migration]) throws(MigrationError) {
    var last: [String: Int] = [:]
    for migration in migrations {
      guard migration.number == last[migration.component, default: 0] + 1 else {
        throw .outOfOrder(component: migration.component, number: migration.number)
      }
      last[migration.component] = migration.number
    }
  }

  private static func refuseNewer(
    _ migrations: [Migration], on connection: SQLiteConnection
  ) throws(MigrationError) {
    var known: [String: Int] = [:]
    for migration in migrations { known[migration.component] = migration.number }
    let found: [(String, Int)]
    do {
      found = try connection.all("SELECT component, max(number) FROM schema_migrations GROUP BY component") {
        ($0.text(0), $0.int(1))
      }
    } catch {
      throw .failed(component: "schema", number: 0, "\(error)")
    }
    for (component, number) in found where number > known[component, default: 0] {
      throw .newer(component: component, number: number, known: known[component, default: 0])
    }
  }
}

/// Why the schema could not be brought up to date; the program does not start then.
package enum MigrationError: Error, Equatable, CustomStringConvertible {
  /// The database was used by a newer program.
  case newer(component: String, number: Int, known: Int)
  /// A component's steps do not count 1, 2, 3 …: a fault in this program.
  case outOfOrder(component: String, number: Int)
  case failed(component: String, number: Int, String)

  package var description: String {
    switch self {
    case .newer(let component, let number, let known):
      "The database was made by a newer version of this program (\(component) is at step \(number), this program knows "
        + "\(known)). Nothing was changed. Install that version or a later one, or restore a backup of this version."
    case .outOfOrder(let component, let number):
      "Step \(number) of \(component) is out of order. This is a fault in this program. Nothing was changed."
    case .failed(let component, let number, let reason):
      "The database could not be brought up to date (step \(number) of \(component)): \(reason)"
    }
  }
}
