package import Contract
package import Database
package import Exchange
package import Runtime

/// The work on deleted accounts: what waits to be sent is called back at once, all of it is erased when the grace is
/// over. In pieces, each a transaction of its own, so that a large account holds nobody up.
package struct AccountErasure: Sendable {
  package static let timerKind = "account.erase"
  private static let piece = 200
  /// When an attempt was under way: what it was for may wait again, and is called back then.
  private static let lookAgain: Duration = .seconds(60)

  private let database: any Database
  private let erasures: ErasureStore
  private let eraser: AccountEraser
  private let hub: EventHub
  private let clock: any WallClock

  package init(
    database: any Database, erasures: ErasureStore, eraser: AccountEraser, hub: EventHub, clock: any WallClock
  ) {
    self.database = database
    self.erasures = erasures
    self.eraser = eraser
    self.hub = hub
    self.clock = clock
  }

  /// The timer's work.
  /// - Returns: when it goes on; nil when all is done, or the account was given back.
  package func run(_ key: String) async throws -> Instant? {
    guard let account = AccountID(key) else { return nil }
    guard let pending = try await database.read({ [erasures] tx in try erasures.pending(account, tx: tx) }) else {
      return nil
    }
    let isDue = pending.isBegun || pending.erases <= clock.now
    if isDue, try await !begin(account) { return nil }
    let isUnderWay = try await callBack(account)
    guard isDue else { return isUnderWay ? min(clock.now + Self.lookAgain, pending.erases) : pending.erases }
    // An attempt whose row is gone could not be written down.
    if isUnderWay { return clock.now + Self.lookAgain }
    while try await !erasePiece(of: account) { try Task.checkCancellation() }
    hub.signal([account.value])
    return nil
  }

  private func begin(_ account: AccountID) async throws -> Bool {
    let now = clock.now
    return try await database.transaction { [erasures, eraser] tx in
      guard try erasures.begin(account, tx: tx) else { return false }
      try eraser.shut(account, at: now, tx: tx)
      return true
    }
  }

  /// - Returns: whether an attempt is under way.
  private func callBack(_ account: AccountID) async throws -> Bool {
    var cursor: DeliveryID?
    var isUnderWay = false
    repeat {
      let now = clock.now
      let result = try await database.transaction { [erasures, eraser, cursor] tx in
        // Given back meanwhile: what it sends from now on stays.
        guard try erasures.pending(account, tx: tx) != nil else { return (DeliveryID?.none, false, Set<ID128>()) }
        var events = EventBatch()
        let piece = try eraser.cancel(
          of: account, after: cursor, limit: Self.piece, at: now, events: &events, tx: tx)
        return (piece.next, piece.isUnderWay, try events.write(in: tx, at: now))
      }
      hub.signal(result.2)
      cursor = result.0
      isUnderWay = isUnderWay || result.1
      try Task.checkCancellation()
    } while cursor != nil
    return isUnderWay
  }

  private func erasePiece(of account: AccountID) async throws -> Bool {
    try await database.transaction { [erasures, eraser] tx in
      guard try eraser.erase(account, limit: Self.piece, tx: tx) else { return false }
      try erasures.finish(account, tx: tx)
      return true
    }
  }
}
