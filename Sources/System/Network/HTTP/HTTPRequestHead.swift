/// A request as far as its header fields, checked.
package struct HTTPRequestHead: Sendable, Equatable {
  package enum Framing: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
  }

  package var method: String
  /// As it was sent.
  package var target: String
  /// The raw path of the target: before `?`, without scheme and authority.
  package var path: String
  /// The raw query of the target: after `?`; nil where there is none.
  package var query: String?
  /// The minor version: 0 or 1.
  package var version: Int
  package var headers: HTTPHeaders
  package var framing: Framing
  /// Whether the client lets the connection live (RFC 9112 section 9.3).
  package var keepsAlive: Bool
  /// Whether the client waits for 100 (Continue) before it sends the body (RFC 9110 section 10.1.1).
  package var expectsContinue: Bool
}
