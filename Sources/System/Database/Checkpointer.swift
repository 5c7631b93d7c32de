import CSQLite
import Runtime

/// Moves what is in the write-ahead log into the database file, on a thread and a connection of its own.
final class Checkpointer: Sendable {
  private let connection: Lock<SQLiteConnection>
  private let requests: Mailbox<Void>
  private let worker: Worker

  init(path: String) throws {
    let connection = Lock(try SQLiteConnection(.file(path), cache: 64 << 10, busyTimeout: .zero))
    let requests = Mailbox<Void>(limit: 1)
    self.connection = connection
    self.requests = requests
    worker = Worker("db-checkpoint") {
      var next: [Void] = []
      while requests.take(upTo: 1, into: &next) { connection.withLock { $0.checkpoint() } }
    }
  }

  /// Asks for a checkpoint and does not wait for it.
  func request() {
    // Full means that one is asked for already.
    _ = requests.post(())
  }

  /// Waits for the one that is under way, then makes one. While nobody writes it reaches the end of the log, and the
  /// next transaction starts the log again.
  func checkpointNow() { connection.withLock { $0.checkpoint() } }

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
  fileprivate func checkpoint() {
    guard !isClosed else { return }
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }
}
