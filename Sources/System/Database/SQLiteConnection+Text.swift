import CSQLite
import Foundation

/// Statements that are put together at run time, from our own source and the schema only: pragmas and migrations.
extension SQLiteConnection {
  /// Runs statements without parameters, one after the other.
  func execute(_ sql: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, preparing: true) }
  }

  /// The first column of every row as text.
  func texts(_ sql: String) throws(DatabaseError) -> [String] {
    var statement: OpaquePointer?
    let prepared = sqlite3_prepare_v3(handle, sql, -1, 0, &statement, nil)
    defer { sqlite3_finalize(statement) }
    guard prepared == SQLITE_OK else { throw error(prepared, preparing: true) }
    var texts: [String] = []
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return texts }
      guard code == SQLITE_ROW else { throw error(code) }
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
  }

  /// Makes an empty file that nobody else can read; SQLite gives its log files the same mode. An existing file is left
  /// alone: opening and closing it here would drop the locks that SQLite holds on it in this process.
  static func makePrivateFile(at path: String) {
    let file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }
}

// MARK: - Health

extension SQLiteConnection {
  /// Reads the header, the schema and the first page of every table: quick, whatever the size.
  /// - Throws: `.damaged` where it is no database, or not a whole one.
  package func checkStart() throws(DatabaseError) {
    let tables = try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    for table in tables {
      _ = try texts("SELECT 1 FROM \"\(table.replacingOccurrences(of: "\"", with: "\"\""))\" LIMIT 1")
    }
  }

  /// Reads everything, and compares every index with its table and every foreign key with what it names.
  /// - Returns: what is wrong, a sentence each, at most 100; empty where all is well.
  package func integrityCheck() throws(DatabaseError) -> [String] {
    do {
      let problems = try texts("PRAGMA integrity_check(100)").filter { $0 != "ok" }
      guard problems.isEmpty else {
        damage = damage ?? problems[0]
        return problems
      }
      return try texts(
        """
        SELECT DISTINCT "table" || ' has a row that names a row of ' || parent || ' which does not exist'
        FROM pragma_foreign_key_check LIMIT 100
        """)
    } catch .damaged(let what) {
      // Too broken for the check itself.
      return [what]
    }
  }
}
