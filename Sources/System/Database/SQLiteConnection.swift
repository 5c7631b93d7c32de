import CSQLite
import Foundation

/// One connection to a SQLite database, used by one thread at a time.
///
/// The server uses it through `SQLiteDatabase`; commands, tests and the simulation use it directly. In WAL mode with
/// `synchronous=FULL`, so that a commit that has returned survives a power cut.
package final class SQLiteConnection: Transaction {
  package enum Place: Sendable {
    /// A private database that goes with the connection.
    case memory
    /// A file, made (mode 0600) where there is none.
    case file(String)
  }

  package enum Access: Sendable {
    case readWrite
    case readOnly
  }

  let handle: OpaquePointer
  let access: Access
  private var statements: StatementCache
  private var isBegun = false
  private(set) var isClosed = false
  private let walPagesSeen: UnsafeMutablePointer<Int32>

  /// Asked before each commit; where it returns an error, the commit rolls back and throws it instead. For the
  /// simulation's disasters.
  package var failCommit: (() -> DatabaseError?)?

  /// What SQLite said when it first met damage through this connection.
  package internal(set) var damage: String?

  /// Why SQLite itself ended the transaction that was open, if it did.
  var lossReason: DatabaseError?

  /// Opens a database and checks that it is one.
  ///
  /// - Parameters:
  ///   - cache: upper bound of the page cache in bytes.
  ///   - busyTimeout: how long a statement waits for a lock of another process.
  ///   - statementLimit: how many prepared statements are kept.
  package init(
    _ place: Place, access: Access = .readWrite, cache: Int = 4 << 20, busyTimeout: Duration = .seconds(5),
    statementLimit: Int = 256
  ) throws(DatabaseError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    flags |= access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let name: String
    switch place {
    case .memory: name = ":memory:"
    case .file(let path):
      name = path
      if access == .readWrite { Self.makePrivateFile(at: path) }
    }
    _ = Self.libraryIsReady
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard let opened else { throw .unavailable("out of memory") }
    handle = opened
    self.access = access
    statements = StatementCache(limit: statementLimit)
    walPagesSeen = .allocate(capacity: 1)
    walPagesSeen.initialize(to: 0)
    guard code == SQLITE_OK else { throw error(code) }
    try configure(cache: cache, busyTimeout: busyTimeout)
  }

  private static let libraryIsReady = csqlite_count_no_memory() == SQLITE_OK

  deinit {
    finish()
    walPagesSeen.deallocate()
  }

  /// Closes the file before the connection goes; nothing can be done with it from then on. The last one to close a file
  /// merges its log into it.
  package func finish() {
    guard !isClosed else { return }
    isClosed = true
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  private func configure(cache: Int, busyTimeout: Duration) throws(DatabaseError) {
    sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.components.seconds * 1000))
    try execute(
      """
      PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
      PRAGMA cache_size = -\(max(64, cache >> 10));
      """)
    guard access == .readWrite else { return }
    // The checkpoints are the owner's business; the hook takes the place of SQLite's own.
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, walPagesSeen)
    let mode = try texts("PRAGMA journal_mode = WAL").first
    guard mode == "wal" || mode == "memory" else {
      throw .unavailable("the file system does not allow a write-ahead log; keep the data folder on a local disk")
    }
    // Deleted texts are overwritten, not only forgotten. A log file that grew large is cut back when it starts again.
    try execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = \(40 << 20)")
  }

  /// How many pages the write-ahead log had after the last commit of this connection.
  var walPages: Int { Int(walPagesSeen.pointee) }

  // MARK: - Transaction

  @discardableResult
  package func run(_ sql: SQL, _ values: [Value]) throws -> Int {
    guard !isClosed else { throw DatabaseError.unavailable("it is closed") }
    let before = sqlite3_total_changes64(handle)
    try step(sql, values) { _ in }
    return sqlite3_total_changes64(handle) == before ? 0 : Int(sqlite3_changes64(handle))
  }

  package func rows(_ sql: SQL, _ values: [Value], _ body: (any Row) throws -> Void) throws {
    try step(sql, values, body)
  }

  private func step(_ sql: SQL, _ values: [Value], _ body: (any Row) throws -> Void) throws {
    guard !isClosed else { throw DatabaseError.unavailable("it is closed") }
    if isBegun, !isInTransaction { throw lossReason ?? .misuse("the transaction has ended") }
    let statement = try statements.statement(for: sql) { text, count throws(DatabaseError) in
      try prepare(text, count)
    }
    statement.isBusy = true
    defer {
      statement.reset()
      statement.isBusy = false
    }
    try statement.bind(values)
    while true {
      let code = sqlite3_step(statement.handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code, running: sql) }
      try body(SQLiteRow(statement: statement.handle))
    }
  }

  private func prepare(_ text: UnsafePointer<UInt8>, _ count: Int) throws(DatabaseError) -> SQLiteStatement {
    var prepared: OpaquePointer?
    var rest: UnsafePointer<CChar>?
    let code = text.withMemoryRebound(to: CChar.self, capacity: count) { text in
      let code = sqlite3_prepare_v3(
        handle, text, Int32(clamping: count), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &rest)
      // Whatever follows the first statement would silently not be run.
      if let rest, let prepared,
        UnsafeBufferPointer(start: rest, count: text + count - rest).contains(where: { $0 > 0x20 })
      {
        sqlite3_finalize(prepared)
        return SQLITE_MISUSE
      }
      return code
    }
    guard code != SQLITE_MISUSE else { throw .misuse("more than one statement in one text") }
    guard code == SQLITE_OK else { throw error(code, preparing: true) }
    guard let prepared else { throw .misuse("an empty statement") }
    return try SQLiteStatement(prepared)
  }
}

extension SQLiteConnection {
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Begins a transaction: for writing at once, so that it can not fail half way for a lock; a reader's when it first
  /// reads.
  package func begin() throws {
    lossReason = nil
    try run(access == .readOnly ? "BEGIN" : "BEGIN IMMEDIATE")
    isBegun = true
  }

  /// Ends the transaction; when this returns it is on disk, and when it throws nothing of it is kept.
  package func commit() throws {
    do {
      if let failure = failCommit?() { throw failure }
      try run("COMMIT")
      isBegun = false
    } catch {
      rollback()
      throw error
    }
  }

  /// Ends the transaction and forgets its work; harmless where none is open.
  package func rollback() {
    isBegun = false
    guard !isClosed, isInTransaction else { return }
    // It can only fail where nothing is open, or where SQLite has rolled back by itself.
    _ = try? run("ROLLBACK")
  }

  /// Runs `body` in a transaction of its own. What it throws rolls everything back.
  @discardableResult
  package func transaction<Result>(_ body: (any Transaction) throws -> Result) throws -> Result {
    try begin()
    let result: Result
    do {
      result = try checked(body)
    } catch {
      rollback()
      throw error
    }
    try commit()
    return result
  }

  /// Runs `body` inside the open transaction. What it throws rolls back its own work only, unless SQLite had to give
  /// up the whole transaction: then everything that follows throws, too.
  @discardableResult
  package func savepoint<Result>(_ body: (any Transaction) throws -> Result) throws -> Result {
    try run("SAVEPOINT part")
    do {
      let result = try checked(body)
      try run("RELEASE part")
      return result
    } catch {
      if isInTransaction {
        try run("ROLLBACK TO part")
        try run("RELEASE part")
      }
      throw error
    }
  }

  /// Runs `body` and checks the foreign keys whose check waits for the commit: they must fail the caller that broke
  /// them, not all that share the commit.
  func checked<Result>(_ body: (any Transaction) throws -> Result) throws -> Result {
    let result = try body(self)
    var unresolved: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &unresolved, &highest, 0)
    guard unresolved == 0 else { throw DatabaseError.misuse("FOREIGN KEY constraint failed") }
    return result
  }

  /// Changes whenever another connection has committed something; its own commits do not count.
  package func dataVersion() throws -> Int64 {
    try first("PRAGMA data_version") { $0.integer(0) } ?? 0
  }
}
