import Runtime

/// A SQLite file that serves many callers at once.
///
/// One thread writes: whatever waits is run in one transaction and shares one commit; where a caller fails, all of it is
/// run again with a savepoint for each. Two more threads read, each on its own connection. Checkpoints have a thread as
/// well. The threads live from the initialiser to the end of `close()` or of `run()`.
package final class SQLiteDatabase: Database, Service {
  package struct Settings: Sendable {
    /// The most callers that share one commit.
    package var largestGroup = 512
    /// The most callers that may wait; who comes on top is refused with `.unavailable`.
    package var longestQueue = 16_384
    package var readers = 2
    /// Upper bounds of the page caches, in bytes; one for the writer, one for each reader.
    package var writerCache = 8 << 20
    package var readerCache = 3 << 20
    /// How long a group waits for another program that writes.
    package var busyTimeout: Duration = .seconds(5)
    /// After so many pages of 4 kB in the write-ahead log a checkpoint begins beside the writing.
    package var checkpointPages = 250
    /// At so many pages the writer itself moves the last of them, so that the log can start again.
    package var longestLogPages = 2000

    package init() {}
  }

  package let path: String
  private let writes: Mailbox<Job>
  private let reads: Mailbox<Job>
  private let status: DatabaseStatus
  /// The file that was opened.
  private let file: FileIdentity?
  private let checkpointer: Checkpointer
  private let readers: [Worker]
  private let writer: Worker

  /// Opens the file, or makes it; checks its start; applies the migrations; and starts the threads. Blocks meanwhile.
  /// - Throws: a `DatabaseError` or a `MigrationError`.
  package init(path: String, migrations: [Migration] = [], settings: Settings = Settings()) throws {
    self.path = path
    let status = DatabaseStatus()
    let connection = try SQLiteConnection(
      .file(path), cache: settings.writerCache, busyTimeout: settings.busyTimeout)
    try connection.checkStart()
    try Migrator.apply(migrations, on: connection)
    var readerConnections: [SQLiteConnection] = []
    for _ in 0..<max(1, settings.readers) {
      readerConnections.append(
        try SQLiteConnection(
          .file(path), access: .readOnly, cache: settings.readerCache, busyTimeout: settings.busyTimeout))
    }
    let checkpointer = try Checkpointer(path: path)
    let writes = Mailbox<Job>(limit: settings.longestQueue)
    let reads = Mailbox<Job>(limit: settings.longestQueue)
    readers = readerConnections.map { connection in
      let loop = ReadLoop(connection: connection, jobs: reads, status: status)
      return Worker("db-reader") { loop.run() }
    }
    let loop = WriteLoop(
      connection: connection, jobs: writes, status: status, checkpointer: checkpointer, settings: settings)
    writer = Worker("db-writer") { loop.run() }
    self.status = status
    file = FileIdentity(path: path)
    self.checkpointer = checkpointer
    self.writes = writes
    self.reads = reads
  }

  deinit {
    reads.close()
    writes.close()
  }

  // MARK: - Database

  @discardableResult
  package func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Result
  ) async throws -> Result {
    if let damage = status.damage { throw DatabaseError.damaged(damage) }
    return try await submit(body, to: writes)
  }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Result
  ) async throws -> Result {
    try await submit(body, to: reads)
  }

  private func submit<Result: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Result, to mailbox: Mailbox<Job>
  ) async throws -> Result {
    try await withUnsafeThrowingContinuation { continuation in
      switch mailbox.post(ResultJob(body, continuation)) {
      case nil: break
      case .full: continuation.resume(throwing: DatabaseError.unavailable("too much waits for it already"))
      case .closed: continuation.resume(throwing: DatabaseError.unavailable("the server is stopping"))
      }
    }
  }

  // MARK: - Service

  /// Serves until its task is cancelled, then finishes what waits and closes.
  package func run() async throws {
    let (never, open) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    open.finish()
    await close()
  }

  /// Refuses what comes from now on, finishes what waits, and closes the file: its log is merged into it.
  package func close() async {
    // The readers first: a log that somebody still reads can not be merged.
    reads.close()
    for reader in readers { await reader.ended() }
    writes.close()
    await writer.ended()
    await checkpointer.ended()
  }
}

// MARK: - State

extension SQLiteDatabase {
  /// What was damaged, once damage was met. Nothing is written from then on; reads still answer what they can.
  package var damaged: String? { status.damage }

  package var metrics: DatabaseMetrics {
    var metrics = status.metrics
    metrics.waitingWrites = writes.count
    metrics.waitingReads = reads.count
    return metrics
  }

  /// Changes whenever another program has committed something to the file; our own commits do not count.
  /// - Throws: `.damaged` where the file was removed or replaced. SQLite would go on writing to the one that it has
  ///   open, which nobody can find again; so this stops the writing.
  package func dataVersion() async throws -> Int64 {
    // Asked on the writer's connection: to any other, our own commits would be somebody else's.
    try await transaction { [path, file, status] tx in
      guard FileIdentity(path: path) == file else {
        let damage = "its file was removed, or another was put in its place"
        status.note(damage: damage)
        throw DatabaseError.damaged(damage)
      }
      return try tx.first("PRAGMA data_version") { $0.integer(0) } ?? 0
    }
  }

  /// Reads the whole file, beside the serving. Damage that it finds stops the writing, as if it had been met there.
  /// - Returns: what is wrong, a sentence each; empty where all is well.
  package func integrityCheck() async throws -> [String] {
    let (path, status) = (path, status)
    return try await Worker.once("db-check") {
      let connection = try SQLiteConnection(.file(path), access: .readOnly, cache: 1 << 20)
      defer { status.note(damage: connection.damage) }
      return try connection.integrityCheck()
    }
  }

  /// Writes a consistent copy to `target` while serving: one file without a log, readable by its owner only. The copy
  /// has everything that was committed before the call. Blocks nobody, but the log can not be cut back meanwhile.
  /// - Throws: `.unavailable` where `target` exists already or can not be written, `.full`, `.damaged`.
  package func backup(to target: String) async throws {
    let (path, status) = (path, status)
    try await Worker.once("db-backup") {
      let connection = try SQLiteConnection(.file(path), cache: 1 << 20)
      defer { status.note(damage: connection.damage) }
      try connection.backup(to: target)
    }
  }
}
