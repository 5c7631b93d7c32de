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

  /// Removes it unless it was set to another time meanwhile.
  package static func remove(_ kind: String, key: String, ifDueAt due: Instant, tx: any Transaction) throws {
    try tx.run(
      "DELETE FROM timers WHERE kind = $1 AND key = $2 AND due = $3", [.text(kind), .text(key), .instant(due)])
  }

  /// Moves it unless it was set to another time meanwhile.
  package static func move(
    _ kind: String, key: String, from due: Instant, to later: Instant, tx: any Transaction
  ) throws {
    try tx.run(
      "UPDATE timers SET due = $4 WHERE kind = $1 AND key = $2 AND due = $3",
      [.text(kind), .text(key), .instant(due), .instant(later)])
  }

  package static func due(
    at now: Instant, limit: Int, tx: any Transaction
  ) throws -> [(kind: String, key: String, due: Instant)] {
    try tx.all(
      "SELECT kind, key, due FROM timers WHERE due <= $1 ORDER BY due LIMIT $2", [.instant(now), .integer(limit)]
    ) { ($0.text(0), $0.text(1), $0.instant(2)) }
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
