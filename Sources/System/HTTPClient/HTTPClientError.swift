/// Why a request has no answer, sorted by what matters to who sent it: may it have been processed?
///
/// Only `uncertain` may have been. Everything else is certain not to have been, so it may be sent again without a risk
/// of doing it twice.
package enum HTTPClientError: Error, Equatable, Sendable {
  /// The request itself is wrong; the text says what, and holds nothing of its contents. Nothing was sent.
  case invalidRequest(String)
  /// Every address of the server is one that `AddressGuard` refuses. Nothing was sent.
  case refusedAddress
  /// Nothing of the request left this machine.
  case notSent(Reason)
  /// The request, or a part of it, was handed to the network, and no whole answer came.
  case uncertain(Reason)
  /// The task was cancelled before anything was sent (later on it is `uncertain(.cancelled)`).
  case cancelled
  /// The client is stopping or has stopped, and nothing was sent (later on it is `uncertain(.stopped)`).
  case stopped

  package enum Reason: Equatable, Sendable {
    case nameNotFound
    /// Refused, no route, or reset before anything was sent.
    case connectFailed
    case connectTimedOut
    case tlsFailed
    /// The whole call took longer than its `timeout`.
    case timedOut
    /// The time went by while waiting for a free connection.
    case waitedTooLong
    /// Too many calls wait already.
    case queueFull
    /// Closed or reset before any answer, or in the midst of it.
    case connectionLost
    case answerTooLarge
    /// What came is not HTTP.
    case malformedAnswer
    /// The first server answered with a redirect, and where it leads is not allowed.
    case redirectRefused
    case cancelled
    case stopped
    /// Memory, threads or file descriptors ran out.
    case outOfResources
    /// Another result of libcurl (`CURLcode`).
    case other(Int)
  }
}

extension HTTPClientError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidRequest(let what): "The request was not sent because it is not valid: \(what)."
    case .refusedAddress:
      "The request was not sent: the server's address is private or reserved, and this request may go to public ones only."
    case .notSent(let reason): "The request was not sent: \(reason)."
    case .uncertain(let reason): "The request may have been processed, but no whole answer came: \(reason)."
    case .cancelled: "The request was called off before it was sent."
    case .stopped: "The request was not sent: the HTTP client has stopped."
    }
  }
}

extension HTTPClientError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nameNotFound: "the server's name was not found"
    case .connectFailed: "the server could not be reached"
    case .connectTimedOut: "connecting to the server took too long"
    case .tlsFailed: "no trusted connection could be made; check the server's certificate"
    case .timedOut: "it took longer than its time limit"
    case .waitedTooLong: "no connection became free within its time limit"
    case .queueFull: "too many requests are waiting already"
    case .connectionLost: "the connection was closed or lost"
    case .answerTooLarge: "the answer was larger than allowed"
    case .malformedAnswer: "the answer was not proper HTTP"
    case .redirectRefused: "the server redirected to an address that is not allowed"
    case .cancelled: "it was called off"
    case .stopped: "the HTTP client stopped"
    case .outOfResources: "memory or file descriptors ran out"
    case .other(let code): "the transfer failed (libcurl \(code))"
    }
  }
}
