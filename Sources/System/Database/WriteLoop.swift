/// The writing thread: takes whatever waits, and commits it together.
///
/// Without a timer: while one commit is on its way to the disk the next group gathers by itself.
final class WriteLoop: @unchecked Sendable {
  // Owned by the writing thread from the moment it runs.
  private let connection: SQLiteConnection
  private let jobs: Mailbox<Job>
  private let status: DatabaseStatus
  private let checkpointer: Checkpointer
  private let settings: SQLiteDatabase.Settings
  private var nextCheckpoint: Int
  /// At so many pages the log shall start again.
  private var nextStart: Int
  private var lastPages = 0

  init(
    connection: SQLiteConnection, jobs: Mailbox<Job>, status: DatabaseStatus, checkpointer: Checkpointer,
    settings: SQLiteDatabase.Settings
  ) {
    self.connection = connection
    self.jobs = jobs
    self.status = status
    self.checkpointer = checkpointer
    self.settings = settings
    nextCheckpoint = settings.checkpointPages
    nextStart = settings.longestLogPages
  }

  func run() {
    var group: [Job] = []
    while jobs.take(upTo: max(1, settings.largestGroup), into: &group) {
      commit(group)
      for job in group { job.finish() }
      checkpointIfNeeded()
    }
    // The writer is the last to close, so that it merges the log; two that close at once would each leave it to the other.
    checkpointer.finish()
    connection.finish()
  }

  private func commit(_ group: [Job]) {
    let began = ContinuousClock.now
    do {
      if let damage = status.damage { throw DatabaseError.damaged(damage) }
      if try !commitTogether(group) { try commitApart(group) }
    } catch {
      connection.rollback()
      for job in group where job.failure == nil { job.failure = error }
    }
    status.note(damage: connection.damage)
    status.note(
      callers: group.count, failures: group.count { $0.failure != nil }, took: ContinuousClock.now - began,
      logPages: connection.walPages)
  }

  /// Without a savepoint for each, which would copy every page that a caller is the first to change: callers seldom fail.
  /// - Returns: false where one of them failed and others were with it; nothing was kept then.
  /// - Throws: what ends the whole group.
  private func commitTogether(_ group: [Job]) throws -> Bool {
    try connection.begin()
    for job in group {
      do { try connection.checked(job.perform) } catch {
        if group.count == 1 || !connection.isInTransaction { job.failure = error }
        try checkStanding()
        if group.count == 1 { throw error }
        connection.rollback()
        return false
      }
      try checkStanding()
    }
    try connection.commit()
    return true
  }

  /// Runs each caller's work so that its failure is its own.
  /// - Throws: what ends the whole group.
  private func commitApart(_ group: [Job]) throws {
    try connection.begin()
    for job in group {
      do { try connection.savepoint(job.perform) } catch { job.failure = error }
      try checkStanding()
    }
    try connection.commit()
  }

  private func checkStanding() throws {
    if let damage = connection.damage { throw DatabaseError.damaged(damage) }
    // SQLite gave up the transaction, and with it the work of everybody in it.
    if !connection.isInTransaction { throw connection.lossReason ?? .unavailable("the transaction was lost") }
  }

  /// Keeps the log short: beside the writing, until it is long; then the writer itself moves the last few pages, so that
  /// it can start again. It waits for a checkpoint under way only when the log has grown far beyond that. A long read can
  /// stop any checkpoint, so the next is tried only when the log has grown again.
  private func checkpointIfNeeded() {
    let pages = connection.walPages
    if pages < lastPages {
      nextCheckpoint = settings.checkpointPages
      nextStart = settings.longestLogPages
    }
    lastPages = pages
    if pages >= nextStart {
      let lag = checkpointer.lag(of: pages)
      if let lag, lag > Self.mostMovedByWriter { return checkpointer.request() }
      guard lag != nil || pages >= nextStart + 3 * settings.longestLogPages else { return }
      checkpointer.checkpointNow()
      nextStart = pages + settings.checkpointPages
    } else if pages >= nextCheckpoint {
      nextCheckpoint = pages + settings.checkpointPages
      checkpointer.request()
    }
  }

  /// Pages: a few milliseconds' work.
  private static let mostMovedByWriter = 256
}
