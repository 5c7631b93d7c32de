import Runtime

/// One message, as the client that sent it knows it.
struct Accepted: Sendable {
  let id: String
  /// Its idempotency key and reference.
  let name: String
  let text: String
  let address: String
  let deliveryClass: String
  /// When the first request for it was begun, and when its 202 was there.
  let began: ContinuousClock.Instant
  let answered: ContinuousClock.Instant
  /// How often it was asked for.
  let requests: Int
}

/// What all clients together know: every message for which they hold a 202.
final class Journal: Sendable {
  private struct State {
    var accepted: [Accepted] = []
    var surprises: [String] = []
  }

  private let state = Lock(State())

  func note(_ accepted: Accepted) { state.withLock { $0.accepted.append(accepted) } }

  /// An answer that no client should ever get.
  func note(surprise: String) { state.withLock { $0.surprises.append(surprise) } }

  var count: Int { state.withLock { $0.accepted.count } }
  var accepted: [Accepted] { state.withLock { $0.accepted } }
  var surprises: [String] { state.withLock { $0.surprises } }
}
