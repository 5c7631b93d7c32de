import CSQLite
import Foundation

extension SQLiteConnection {
  /// What a result code of this connection means for a caller. Never holds a value of a row: where SQLite's own words
  /// could repeat one, the statement is named instead.
  ///
  /// Codes: https://www.sqlite.org/rescode.html
  func error(_ code: Int32, running sql: SQL? = nil, preparing: Bool = false) -> DatabaseError {
    let meaning = meaning(code, running: sql, preparing: preparing)
    if case .damaged(let what) = meaning, damage == nil { damage = what }
    if !isInTransaction, lossReason == nil { lossReason = meaning }
    return meaning
  }

  private func meaning(_ code: Int32, running sql: SQL?, preparing: Bool) -> DatabaseError {
    let detail = code >> 8
    let words = String(cString: sqlite3_errstr(code))
    switch code & 0xFF {
    case SQLITE_FULL:
      return .full
    case SQLITE_IOERR where Self.isFull(sqlite3_system_errno(handle)):
      return .full
    case SQLITE_IOERR where detail == 32 || detail == 33:  // SQLITE_IOERR_DATA, SQLITE_IOERR_CORRUPTFS
      return .damaged(words)
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return .damaged(words)
    case SQLITE_CONSTRAINT where detail == 6 || detail == 8 || detail == 10:  // PRIMARYKEY, UNIQUE, ROWID
      let message = String(cString: sqlite3_errmsg(handle))
      return .uniqueViolation(message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? message)
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH:
      return .misuse(String(cString: sqlite3_errmsg(handle)))
    case SQLITE_BUSY, SQLITE_LOCKED:
      return .unavailable("another program holds it")
    case SQLITE_READONLY where access == .readOnly:
      return .misuse("a write in a read\(Self.named(sql))")
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_NOMEM, SQLITE_PERM, SQLITE_PROTOCOL, SQLITE_INTERRUPT,
      SQLITE_NOLFS:
      let cause = sqlite3_system_errno(handle)
      return .unavailable(cause == 0 ? words : "\(words), \(String(cString: strerror(cause)))")
    default:
      // While preparing, SQLite's words are about the text of the statement, which is our own.
      return .misuse(preparing ? String(cString: sqlite3_errmsg(handle)) : "\(words)\(Self.named(sql))")
    }
  }

  private static func isFull(_ cause: Int32) -> Bool { cause == ENOSPC || cause == EDQUOT || cause == EFBIG }

  private static func named(_ sql: SQL?) -> String {
    guard let sql, sql.text.hasPointerRepresentation else { return "" }
    return " in: " + String(describing: sql.text).prefix(80)
  }
}
