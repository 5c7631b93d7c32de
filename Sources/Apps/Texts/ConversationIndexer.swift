package import Contract
package import Database
package import Exchange
package import Runtime

/// Keeps conversations up to date: whenever somebody is about to read them, and meanwhile a moment after each change, so
/// that there is little left to do then. Only accounts that have looked at conversations cost anything.
package final class ConversationIndexer: Service {
  private struct State {
    var accounts: Set<AccountID> = []
    /// Those that something was written to since their conversations were brought up to date.
    var changed: Set<AccountID> = []
    /// Raised when another process has written.
    var foreignWrites: UInt64 = 0
    /// For which of those the account's last minute was gone through again.
    var lookedBack: [AccountID: UInt64] = [:]
    var sleeper: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())
  private let database: any Database
  private let clock: any WallClock
  private let log: Logger

  /// Turns begin no closer together than this.
  private static let turnInterval: Duration = .milliseconds(100)
  private static let pauseAfterFailure: Duration = .seconds(1)

  package init(database: any Database, hub: EventHub, clock: any WallClock, log: Logger) {
    self.database = database
    self.clock = clock
    self.log = log
    hub.observe { [weak self] streams in self?.note(streams) }
  }

  // MARK: Before a read

  /// Returns once everything that was committed before the call stands in the account's conversations. The first time
  /// for an account, this goes through all its messages.
  /// - Throws: a `DatabaseError`; but where nothing was missing, one that can only be read is enough.
  package func bringUpToDate(_ account: AccountID) async throws {
    do { try await goOn(account, begins: true) } catch let error as DatabaseError {
      guard try await database.read({ tx in try ConversationIndex.isCurrent(account, tx: tx) }) == true else {
        throw error
      }
    }
  }

  private func goOn(_ account: AccountID, begins: Bool) async throws {
    let foreignWrites = state.withLock { state in
      state.lookedBack[account] == state.foreignWrites ? nil : Optional(state.foreignWrites)
    }
    let isCurrent = try await database.read { tx in try ConversationIndex.isCurrent(account, tx: tx) }
    if isCurrent == nil {
      guard begins else { return forget(account) }
      try await database.transaction { tx in try ConversationIndex.begin(for: account, tx: tx) }
    }
    state.withLock { _ = $0.accounts.insert(account) }
    if isCurrent == true, foreignWrites == nil { return }
    if isCurrent != nil, foreignWrites != nil {
      try await database.transaction { tx in try ConversationIndex.setBack(account, tx: tx) }
    }
    while try await database.transaction({ tx in try ConversationIndex.goOn(account, tx: tx) }) {}
    if let foreignWrites { state.withLock { $0.lookedBack[account] = foreignWrites } }
  }

  private func forget(_ account: AccountID) {
    state.withLock { state in
      state.accounts.remove(account)
      state.lookedBack[account] = nil
    }
  }

  // MARK: Meanwhile

  /// Something was committed; nil where another process did.
  private func note(_ streams: [ID128]?) {
    let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if let streams {
        for stream in streams where state.accounts.contains(AccountID(stream)) {
          state.changed.insert(AccountID(stream))
        }
      } else {
        state.foreignWrites &+= 1
        state.changed = state.accounts
      }
      guard !state.changed.isEmpty else { return nil }
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume()
  }

  package func run() async throws {
    var isFailing = false
    var knowsAccounts = false
    while !Task.isCancelled {
      do {
        if !knowsAccounts {
          try await readAccounts()
          knowsAccounts = true
        }
        try await turn()
        isFailing = false
        await waitForChange()
        try? await clock.sleep(until: clock.now + Self.turnInterval)
      } catch {
        // Said once, not every second for as long as it lasts.
        if !isFailing {
          log.error("Conversations can not be brought up to date now; they are when read.", ["error": .error(error)])
        }
        isFailing = true
        try? await clock.sleep(until: clock.now + Self.pauseAfterFailure)
      }
    }
  }

  /// Whatever a process that died had not come to is caught up with.
  private func readAccounts() async throws {
    let accounts = try await database.read { tx in try ConversationIndex.accounts(tx: tx) }
    state.withLock { state in
      state.accounts.formUnion(accounts)
      state.changed.formUnion(accounts)
    }
  }

  private func turn() async throws {
    while !Task.isCancelled, let account = state.withLock({ $0.changed.popFirst() }) {
      do { try await goOn(account, begins: false) } catch {
        state.withLock { _ = $0.changed.insert(account) }
        throw error
      }
    }
  }

  private func waitForChange() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.changed.isEmpty || Task.isCancelled { return true }
          state.sleeper = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        defer { state.sleeper = nil }
        return state.sleeper
      }
      sleeper?.resume()
    }
  }
}
