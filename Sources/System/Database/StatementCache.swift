import CSQLite

/// Prepared statements by the address of their text; the least recently used goes when there are too many.
struct StatementCache {
  private var statements: [UnsafePointer<UInt8>: SQLiteStatement] = [:]
  private var uses: UInt64 = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The prepared form of `sql`, for the caller alone until it is no longer busy.
  mutating func statement(
    for sql: SQL, prepare: (UnsafePointer<UInt8>, Int) throws(DatabaseError) -> SQLiteStatement
  ) throws(DatabaseError) -> SQLiteStatement {
    guard sql.text.hasPointerRepresentation else { throw .misuse("a statement of one character") }
    let address = sql.text.utf8Start
    uses &+= 1
    if let statement = statements[address] {
      // Asked for while it runs (from inside its own rows): that caller gets one of its own.
      if statement.isBusy { return try prepare(address, sql.text.utf8CodeUnitCount) }
      statement.lastUse = uses
      return statement
    }
    let statement = try prepare(address, sql.text.utf8CodeUnitCount)
    statement.lastUse = uses
    if statements.count >= limit { removeOldest() }
    statements[address] = statement
    return statement
  }

  var count: Int { statements.count }

  mutating func removeAll() { statements.removeAll() }

  private mutating func removeOldest() {
    let idle = statements.lazy.filter { !$0.value.isBusy }
    if let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) { statements[oldest.key] = nil }
  }
}
