import Runtime

/// One kind of small request that many callers make at once: whoever waits when the writing thread comes to it is served
/// in one transaction, together. Each still returns only after the commit of its own, in the order of the calls.
///
/// It spares each of them the transaction's fixed share: a place in the line, a wake-up between threads, the rows that
/// all of them would write.
package final class SharedTransaction<Request: Sendable, Answer: Sendable, Note: Sendable>: Sendable {
  /// Serves the requests in their order; an answer for each, and a note for all of them.
  package typealias Body = @Sendable ([Request], any Transaction) throws -> (answers: [Answer], note: Note)

  private enum Outcome {
    case answer(Answer)
    /// Something of the batch failed: find out by itself whose fault it was.
    case goAlone
    /// There were too many for one batch: run the next one.
    case lead
  }

  private struct Waiter {
    let request: Request
    /// Nil for the one that runs the transaction.
    var continuation: UnsafeContinuation<Outcome, Never>?
  }

  private struct State {
    var waiting: [Waiter] = []
    /// The first of `waiting` has asked for a transaction, or was told to.
    var isAsked = false
    var lastBegan: ContinuousClock.Instant?
  }

  private let state = Lock(State())
  private let database: any Database
  private let most: Int
  private let spacing: Duration
  private let body: Body
  private let committed: @Sendable (Note) -> Void

  /// - Parameters:
  ///   - most: how many share one transaction.
  ///   - spacing: transactions begin no closer together than this, where nobody minds that little wait.
  ///   - committed: told the note after each commit, before anybody's answer.
  package init(
    database: any Database, most: Int = 256, spacing: Duration = .zero, body: @escaping Body,
    committed: @escaping @Sendable (Note) -> Void
  ) {
    self.database = database
    self.most = max(1, most)
    self.spacing = spacing
    self.body = body
    self.committed = committed
  }

  /// - Throws: what the body threw for this request alone, or a `DatabaseError`; nothing of the request was kept then.
  package func run(_ request: Request) async throws -> Answer {
    let leads = state.withLock { state in
      guard !state.isAsked else { return false }
      state.isAsked = true
      state.waiting.append(Waiter(request: request))
      return true
    }
    switch leads ? .lead : await wait(request) {
    case .answer(let answer): return answer
    case .goAlone: return try await runAlone(request)
    case .lead: return try await lead(request)
    }
  }

  private func wait(_ request: Request) async -> Outcome {
    await withUnsafeContinuation { continuation in
      let leads = state.withLock { state in
        // The one that asked may have been served in between.
        defer { state.isAsked = true }
        state.waiting.append(Waiter(request: request, continuation: state.isAsked ? continuation : nil))
        return !state.isAsked
      }
      if leads { continuation.resume(returning: .lead) }
    }
  }

  private func runAlone(_ request: Request) async throws -> Answer {
    let (answer, note) = try await database.transaction { [body] tx in
      let (answers, note) = try body([request], tx)
      guard let answer = answers.first else { throw DatabaseError.misuse("a request without an answer") }
      return (answer, note)
    }
    committed(note)
    return answer
  }

  /// Runs the transaction for all who wait when it begins; this caller is the first of them.
  private func lead(_ request: Request) async throws -> Answer {
    if spacing > .zero { await keepDistance() }
    // What the transaction serves: the same when its body is run again.
    let batch = Lock([Waiter]())
    do {
      let (answers, note) = try await database.transaction { [self] tx in
        let waiters = waiters(of: batch)
        let result = try body(waiters.map(\.request), tx)
        guard result.answers.count == waiters.count else {
          throw DatabaseError.misuse("a request without an answer")
        }
        return result
      }
      committed(note)
      for (waiter, answer) in zip(waiters(of: batch), answers) {
        waiter.continuation?.resume(returning: .answer(answer))
      }
      return answers[0]
    } catch {
      // Not even begun: the line was full, or the database is stopping.
      let waiters = waiters(of: batch)
      for waiter in waiters { waiter.continuation?.resume(returning: .goAlone) }
      if waiters.count == 1 { throw error }
      return try await runAlone(request)
    }
  }

  private func waiters(of batch: Lock<[Waiter]>) -> [Waiter] {
    batch.withLock { waiters in
      if waiters.isEmpty { waiters = take() }
      return waiters
    }
  }

  private func keepDistance() async {
    let (now, last) = (ContinuousClock.now, state.withLock { $0.lastBegan })
    let begins = max(now, last.map { $0 + spacing } ?? now)
    state.withLock { $0.lastBegan = begins }
    // Cut short where the caller is cancelled: then it only goes sooner.
    if begins > now { try? await ContinuousClock().sleep(until: begins) }
  }

  /// Whoever waits now; if that is more than go together, the next of them is told to run a transaction for the rest.
  private func take() -> [Waiter] {
    let (taken, next) = state.withLock { state in
      let taken = Array(state.waiting.prefix(most))
      state.waiting.removeFirst(taken.count)
      state.isAsked = !state.waiting.isEmpty
      var next: UnsafeContinuation<Outcome, Never>?
      if state.isAsked { swap(&next, &state.waiting[0].continuation) }
      return (taken, next)
    }
    next?.resume(returning: .lead)
    return taken
  }
}
