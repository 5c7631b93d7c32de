/// A reading thread: one caller at a time, each on a snapshot of its own.
final class ReadLoop: @unchecked Sendable {
  // Owned by its thread from the moment it runs.
  private let connection: SQLiteConnection
  private let jobs: Mailbox<Job>
  private let status: DatabaseStatus

  init(connection: SQLiteConnection, jobs: Mailbox<Job>, status: DatabaseStatus) {
    self.connection = connection
    self.jobs = jobs
    self.status = status
  }

  func run() {
    var next: [Job] = []
    while jobs.take(upTo: 1, into: &next) {
      for job in next {
        do {
          try connection.transaction(job.perform)
        } catch {
          job.failure = error
        }
        status.note(damage: connection.damage)
        job.finish()
      }
    }
    connection.finish()
  }
}
