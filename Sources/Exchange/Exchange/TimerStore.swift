package import Contract
package import Database

/// What is to be done at some time, kept across restarts. A timer is known by its kind and a key; setting it again moves
/// it.
package enum TimerStore {
  package static func set(_ kind: String, key: String, due: Instant, tx: any Transaction) throws {
    try tx.run(
      """
      INSERT INTO timers (kind, key, due) VALUES ($1, $2, $3) ON CONFLICT (kind, key) DO UPDATE SET due = $3
      """, [.text(kind), .text(key), .instant(due)])
  }

  package static func remove(_ kind: String, key: String, tx: any Transaction) throws {
    try tx.run("DELETE FROM timers WHERE kind = $1 AND key = $2", [.text(kind), .text(key)])
  }

  package static func due(at now: Instant, limit: Int, tx: any Transaction) throws -> [(kind: String, key: String)] {
    try tx.all(
      "SELECT kind, key FROM timers WHERE due <= $1 ORDER BY due LIMIT $2", [.instant(now), .integer(limit)]
    ) { ($0.text(0), $0.text(1)) }
  }

  package static func nextDue(after now: Instant, tx: any Transaction) throws -> Instant? {
    try tx.first("SELECT due FROM timers WHERE due > $1 ORDER BY due LIMIT 1", [.instant(now)]) { $0.instant(0) }
  }
}

extension TimerStore {
  /// Sets a timer that is not there yet.
  package static func setIfMissing(_ kind: String, key: String, due: Instant, tx: any Transaction) throws {
    try tx.run(
      "INSERT INTO timers (kind, key, due) VALUES ($1, $2, $3) ON CONFLICT (kind, key) DO NOTHING",
      [.text(kind), .text(key), .instant(due)])
  }
}
