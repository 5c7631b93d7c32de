import Contract
import Database
import Exchange
import Runtime

/// Gauges that are read when somebody looks.
enum ExchangeMetrics {
  static func register(_ metrics: Metrics, database: SQLiteDatabase, dispatcher: Dispatcher) {
    metrics.gauge("switchboard_database_commits_total", "Commits of the writer.") {
      Double(database.metrics.commits)
    }
    metrics.gauge("switchboard_database_transactions_total", "Transactions that shared those commits.") {
      Double(database.metrics.callers)
    }
    metrics.gauge("switchboard_database_last_commit_seconds", "How long the last commit took.") {
      database.metrics.lastCommit / .seconds(1)
    }
    metrics.gauge("switchboard_database_waiting_writes", "Transactions that wait for the writer.") {
      Double(database.metrics.waitingWrites)
    }
    metrics.gauge("switchboard_attempts_in_flight", "Attempts under way or not yet written down.") {
      Double(dispatcher.unsettled)
    }
  }
}
