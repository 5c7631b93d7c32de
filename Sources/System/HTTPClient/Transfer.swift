/// One request on its way, from `send` to its answer. Its request never changes; the rest belongs to whoever holds it:
/// first the inbox under its lock, then the loop's thread.
final class Transfer: @unchecked Sendable {
  typealias Outcome = Result<OutgoingResponse, HTTPClientError>

  let request: OutgoingRequest
  let origin: String
  /// On the loop's clock.
  let deadline: MonotonicTime

  /// Under the inbox's lock.
  var isCancelled = false
  var continuation: CheckedContinuation<Outcome, Never>?

  /// On the loop's thread.
  var handle: EasyHandle?

  init(_ request: OutgoingRequest, origin: String, deadline: MonotonicTime) {
    self.request = request
    self.origin = origin
    self.deadline = deadline
  }
}
