import CSQLite
import Runtime

/// Moves what is in the write-ahead log into the database file, on a thread and a connection of its own.
final class Checkpointer: Sendable {
  private struct Progress {
    var isBusy = false
    /// Pages of the log that are in the database file, as of the last checkpoint.
    var done = 0
  }

  private let connection: Lock<SQLiteConnection>
  private let progress: Lock<Progress>
  private let requests: Mailbox<Void>
  private let worker: Worker

  init(path: String) throws {
    let connection = Lock(try SQLiteConnection(.file(path), cache: 64 << 10, busyTimeout: .zero))
    let progress = Lock(Progress())
    let requests = Mailbox<Void>(limit: 1)
    self.connection = connection
    self.progress = progress
    self.requests = requests
    worker = Worker("db-checkpoint", niceness: 5) {
      var next: [Void] = []
      while requests.take(upTo: 1, into: &next) {
        Self.checkpoint(connection, progress)
        progress.withLock { $0.isBusy = false }
      }
    }
  }

  /// Asks for a checkpoint and does not wait for it.
  func request() {
    progress.withLock { $0.isBusy = true }
    // Full means that one is asked for already.
    _ = requests.post(())
  }

  /// How many of the log's `pages` are not in the database file yet; nil while a checkpoint is asked for or under way.
  func lag(of pages: Int) -> Int? {
    progress.withLock { $0.isBusy ? nil : max(0, pages - $0.done) }
  }

  /// Waits for the one that is under way, then makes one. While nobody writes it reaches the end of the log, and the
  /// next transaction starts the log again.
  func checkpointNow() { Self.checkpoint(connection, progress) }

  private static func checkpoint(_ connection: Lock<SQLiteConnection>, _ progress: Lock<Progress>) {
    let done = connection.withLock { $0.checkpoint() }
    progress.withLock { $0.done = done }
  }

  /// Waits for the one that is under way and closes the connection.
  func finish() {
    requests.close()
    connection.withLock { $0.finish() }
  }

  /// Returns when the thread has ended, after `finish()`.
  func ended() async { await worker.ended() }
}

extension SQLiteConnection {
  /// Moves as much of the log as no reader still needs. What fails now succeeds later: until then it stays in the log.
  /// - Returns: how many pages of the log have been moved since it began.
  fileprivate func checkpoint() -> Int {
    guard !isClosed else { return 0 }
    var (pages, done): (Int32, Int32) = (0, 0)
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &done)
    return max(0, Int(done))
  }
}
