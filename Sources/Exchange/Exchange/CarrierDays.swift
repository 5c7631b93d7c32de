package import Contract
package import Database
import Delivery

/// What each carrier did on each day (UTC): counted in the commit that writes the attempts down, one row for each
/// carrier of a turn, so that an operator's look at today costs one row and not all attempts of the day.
package enum CarrierDays {
  package struct Today: Sendable, Equatable {
    /// Attempts with which the carrier took a message.
    package var sent = 0
    /// Attempts that it refused, or did not answer in a way that can be trusted; being too fast is none.
    package var failed = 0
  }

  /// The last attempt that did not go well.
  package struct LastError: Sendable, Equatable {
    package let code: String
    package let message: String
    package let at: Instant
  }

  private struct Key: Hashable {
    let carrier: Int
    let day: Int64
  }

  static func count(_ settlements: [Settlement], tx: any Transaction) throws {
    guard !settlements.isEmpty else { return }
    var counts: [Key: (today: Today, error: LastError?)] = [:]
    for settlement in settlements {
      let key = Key(carrier: settlement.lease.carrier, day: settlement.ended.day)
      var count = counts[key] ?? (Today(), nil)
      switch settlement.outcome {
      case .accepted: count.today.sent += 1
      case .throttled(let code, let detail, _):
        count.error = LastError(code: code, message: detail, at: settlement.ended)
      case .refused(_, let code, let detail), .unavailable(let code, let detail), .uncertain(let code, let detail):
        count.today.failed += 1
        count.error = LastError(code: code, message: detail, at: settlement.ended)
      }
      counts[key] = count
    }
    // In one order everywhere, so that two transactions never wait for each other.
    for (key, count) in counts.sorted(by: { ($0.key.carrier, $0.key.day) < ($1.key.carrier, $1.key.day) }) {
      try tx.run(
        """
        INSERT INTO carrier_days (carrier, day, sent, failed, error_code, error, error_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (carrier, day) DO UPDATE SET sent = carrier_days.sent + $3, failed = carrier_days.failed + $4,
          error_code = COALESCE($5, carrier_days.error_code), error = COALESCE($6, carrier_days.error),
          error_at = COALESCE($7, carrier_days.error_at)
        """,
        [
          .integer(key.carrier), .integer(key.day), .integer(count.today.sent), .integer(count.today.failed),
          .text(count.error?.code), .text(count.error?.message), .instant(count.error?.at),
        ])
    }
  }

  /// The day of `now`, so far.
  package static func today(of carrier: Int, at now: Instant, tx: any Transaction) throws -> Today {
    try tx.first(
      "SELECT sent, failed FROM carrier_days WHERE carrier = $1 AND day = $2", [.integer(carrier), .integer(now.day)]
    ) { Today(sent: $0.int(0), failed: $0.int(1)) } ?? Today()
  }

  package static func lastError(of carrier: Int, tx: any Transaction) throws -> LastError? {
    try tx.first(
      """
      SELECT error_code, error, error_at FROM carrier_days WHERE carrier = $1 AND error_code IS NOT NULL
      ORDER BY carrier DESC, day DESC LIMIT 1
      """, [.integer(carrier)]
    ) { LastError(code: $0.text(0), message: $0.text(1), at: $0.instant(2)) }
  }
}
