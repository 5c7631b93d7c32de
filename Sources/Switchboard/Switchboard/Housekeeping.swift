import Accounts
import Contract
import Database
import Exchange
import Runtime

/// What grows is cut back: old events, ended sessions, codes that are over, reports that nothing ever matched or read; texts whose parts never came
/// are given out.
struct Housekeeping: Sendable {
  static let timerKind = "housekeeping"
  private static let interval: Duration = .seconds(60)
  private static let mostAtOnce = 5000

  let database: any Database
  let accounts: AccountStore
  let signUps: SignUpStore
  let outbox: Outbox
  let inbox: Inbox
  let hub: EventHub
  let clock: any WallClock

  func run() async throws -> Instant? {
    let now = clock.now
    let (removed, streams) = try await database.transaction { [accounts, signUps, outbox, inbox] tx in
      var events = EventBatch()
      try inbox.releaseIncomplete(at: now, events: &events, tx: tx)
      try inbox.forgetUnread(at: now, tx: tx)
      try accounts.removeExpiredSessions(at: now, tx: tx)
      try signUps.prune(at: now, tx: tx)
      try outbox.forgetUnmatchedReceipts(at: now, tx: tx)
      let removed = try EventLog.prune(at: now, limit: Self.mostAtOnce, tx: tx)
      return (removed, try events.write(in: tx, at: now))
    }
    hub.signal(streams)
    return removed >= Self.mostAtOnce ? clock.now : clock.now + Self.interval
  }
}
