import Contract
import Database
import Delivery
import Exchange
import Runtime

/// What the program counts, and what it looks up when somebody asks.
struct ExchangeMetrics {
  let accepted: Counter
  let attempts: Counter
  let reports: Counter
  let signUps: Counter
  private let carrierOpen: Gauge
  private let oldestDue: Gauge

  init(_ metrics: Metrics) {
    accepted = metrics.counter(
      "switchboard_messages_accepted_total", "Messages that were written down.", labels: ["class"])
    attempts = metrics.counter(
      "switchboard_attempts_total", "Answered attempts.", labels: ["carrier", "outcome"])
    reports = metrics.counter(
      "switchboard_carrier_reports_total",
      "What carriers reported: receipts by status, texts, and what nobody could read.",
      labels: ["carrier", "kind"])
    signUps = metrics.counter(
      "switchboard_sign_ups_total",
      "Codes sent, limited, paused for the day, or asked for by robots; wrong codes, and those that signed somebody in.",
      labels: ["outcome"])
    carrierOpen = metrics.gauge(
      "switchboard_carrier_open", "1 where the carrier takes messages now.", labels: ["carrier"])
    oldestDue = metrics.gauge(
      "switchboard_queue_oldest_due_seconds", "For how long the message that waits longest has been due.",
      labels: ["carrier"])
  }

  /// Gauges that are read when somebody looks.
  func register(_ metrics: Metrics, database: SQLiteDatabase, dispatcher: Dispatcher) {
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

  /// Looks up what is not counted as it happens.
  func refresh(database: any Database, outbox: Outbox, dispatcher: Dispatcher, at now: Instant) async {
    for carrier in dispatcher.routes.carriers.values where carrier.isEnabled {
      let isOpen = dispatcher.pace(of: carrier.number)?.isOpen(at: now) ?? false
      carrierOpen.set(isOpen ? 1 : 0, carrier.name)
      let due = try? await database.read { tx in try outbox.oldestDue(of: carrier.number, tx: tx) }
      let waited = (due ?? nil).map { max(.zero, now - $0) } ?? .zero
      oldestDue.set(Int(waited.inMilliseconds / 1000), carrier.name)
    }
  }
}
