/// One caller's work: made by the caller, run and finished by a database thread, and touched by one of them at a time.
class Job: @unchecked Sendable {
  /// Why its work was not kept, once that is known.
  var failure: (any Error)?

  /// Runs the caller's body; may be called again after a rollback.
  func perform(in transaction: any Transaction) throws {}

  /// Gives the caller the failure, or what the body returned. Called once, when the outcome is on disk.
  func finish() {}
}

final class ResultJob<Result: Sendable>: Job, @unchecked Sendable {
  private let body: @Sendable (any Transaction) throws -> Result
  private let continuation: UnsafeContinuation<Result, any Error>
  private var result: Result?

  init(
    _ body: @escaping @Sendable (any Transaction) throws -> Result,
    _ continuation: UnsafeContinuation<Result, any Error>
  ) {
    self.body = body
    self.continuation = continuation
  }

  override func perform(in transaction: any Transaction) throws { result = try body(transaction) }

  override func finish() {
    if let failure { return continuation.resume(throwing: failure) }
    guard let result else {
      return continuation.resume(throwing: DatabaseError.unavailable("the request was not run"))
    }
    continuation.resume(returning: result)
  }
}
