import CSQLite

extension SQLiteConnection {
  /// How SQLite would run a statement, a line for each step: for tests that hold statements to their indexes.
  ///
  /// The words: https://www.sqlite.org/eqp.html
  package func queryPlan(of statement: String) throws(DatabaseError) -> [String] {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, "EXPLAIN QUERY PLAN " + statement, -1, 0, &prepared, nil)
    defer { sqlite3_finalize(prepared) }
    guard code == SQLITE_OK else { throw error(code, preparing: true) }
    var steps: [String] = []
    while true {
      let code = sqlite3_step(prepared)
      if code == SQLITE_DONE { return steps }
      guard code == SQLITE_ROW else { throw error(code) }
      steps.append(sqlite3_column_text(prepared, 3).map { String(cString: $0) } ?? "")
    }
  }
}
