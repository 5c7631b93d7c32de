package import Contract
package import Database
package import Delivery

extension Outbox {
  /// Ends the leases of a process that died: whether the carrier took them is uncertain, and is recorded so. Run before
  /// the dispatcher starts.
  /// - Returns: how many there were.
  package func recover(at now: Instant, policy: RetryPolicy, tx: any Transaction) throws -> Int {
    let last = try tx.first("SELECT id FROM deliveries ORDER BY id DESC LIMIT 1") { $0.id(0) }
    if let last { ids.goOn(after: last) }
    var recovered = 0
    var events = EventBatch()
    while true {
      let lost: [DeliveryID] = try tx.all(
        "SELECT id FROM deliveries WHERE state = 2 AND due IS NOT NULL LIMIT $1", [.integer(DispatchMachine.batch)]
      ) { $0.identifier(0) }
      if lost.isEmpty { break }
      for id in lost {
        guard let row = try progress(of: id, tx: tx) else { continue }
        try recoverOne(id, row, at: now, policy: policy, &events, tx: tx)
        recovered += 1
      }
    }
    _ = try events.write(in: tx, at: now)
    return recovered
  }

  private func recoverOne(
    _ id: DeliveryID, _ row: Progress, at now: Instant, policy: RetryPolicy, _ events: inout EventBatch,
    tx: any Transaction
  ) throws {
    let error = (
      code: "interrupted",
      detail: "The exchange stopped during this attempt; the carrier may have taken the message."
    )
    try recordUncertain(row, error, at: now, tx: tx)
    var life = row.life
    let history = try history(of: id, tx: tx)
    switch row.channel.whenUncertain {
    case .hold: life.hold()
    case .sendAgain where history.uncertain >= policy.uncertainLimit || row.isCancelAsked: life.giveUpWaiting()
    case .sendAgain: life.retry(at: now + policy.waitAfterInterruption(history))
    }
    try write(life, of: row, carrier: row.carrier, error: error, at: now, &events, tx: tx)
  }

  /// Records the attempt that is under way as one whose fate nobody knows; its answer may still take the place of that.
  func recordUncertain(
    _ row: Progress, _ error: (code: String, detail: String), at now: Instant, tx: any Transaction
  ) throws {
    try tx.run(
      """
      INSERT INTO attempts (delivery, number, part, parts, carrier, started, ended, outcome, carrier_refused, code,
        detail, instead_of)
      VALUES ($1, $2, 1, 1, $3, $4, $5, $6, 0, $7, $8, $9)
      """,
      [
        .id(row.id), .integer(row.life.attempt), .integer(row.carrier), .instant(row.leased ?? now), .instant(now),
        .integer(AttemptOutcome.Kind.uncertain.rawValue), .text(error.code), .text(error.detail),
        .text(row.insteadOf),
      ])
  }
}
