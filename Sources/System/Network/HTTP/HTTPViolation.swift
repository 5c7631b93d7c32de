/// Why a request is refused before any handler has seen it. The connection is closed after the answer, as nobody can know
/// where the next request would begin.
package enum HTTPViolation: Error, Sendable, Equatable, CaseIterable {
  case malformedRequestLine
  case invalidTarget
  case requestLineTooLong
  case unsupportedVersion
  case unsupportedMethod
  case bareLineEnding
  case foldedField
  case invalidFieldName
  case invalidFieldValue
  case headTooLarge
  case missingHost
  case repeatedHost
  case invalidHost
  case invalidContentLength
  case repeatedContentLength
  case contentLengthWithTransferEncoding
  case invalidTransferEncoding
  case unsupportedTransferEncoding
  case unsupportedExpectation
  case invalidChunk
  case trailersTooLarge
  case bodyTooLarge
  case headTooSlow
  case bodyTooSlow
  case overloaded

  /// The status that RFC 9110 and RFC 9112 ask for.
  package var status: Int {
    switch self {
    case .requestLineTooLong: 414
    case .unsupportedVersion: 505
    case .unsupportedMethod, .unsupportedTransferEncoding: 501
    case .headTooLarge, .trailersTooLarge: 431
    case .unsupportedExpectation: 417
    case .bodyTooLarge: 413
    case .headTooSlow, .bodyTooSlow: 408
    case .overloaded: 503
    default: 400
    }
  }

  /// For people: what is wrong and what to do.
  package var sentence: String {
    switch self {
    case .malformedRequestLine: "The request line is not METHOD TARGET HTTP/1.1 with single spaces."
    case .invalidTarget: "The request target is not a path, or holds characters that must be percent-encoded."
    case .requestLineTooLong: "The request line is too long; send long values in the body."
    case .unsupportedVersion: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
    case .unsupportedMethod: "CONNECT is not offered here."
    case .bareLineEnding: "A line of the request does not end with CR LF."
    case .foldedField: "A header field is folded over two lines; send it on one."
    case .invalidFieldName: "The name of a header field holds a character that is not allowed, or no colon follows it."
    case .invalidFieldValue: "The value of a header field holds a control character."
    case .headTooLarge: "The header fields are too many or too long; send fewer or shorter ones."
    case .missingHost: "The Host header field is missing."
    case .repeatedHost: "The Host header field is there twice."
    case .invalidHost: "The Host header field is not a host name with an optional port."
    case .invalidContentLength: "Content-Length is not a number of bytes."
    case .repeatedContentLength: "Content-Length is there twice."
    case .contentLengthWithTransferEncoding: "Content-Length and Transfer-Encoding exclude one another; send one."
    case .invalidTransferEncoding: "Transfer-Encoding must be chunked and be there once."
    case .unsupportedTransferEncoding: "The only transfer coding known here is chunked."
    case .unsupportedExpectation: "The only expectation known here is 100-continue."
    case .invalidChunk: "The chunked body is malformed."
    case .trailersTooLarge: "The fields after the body are too many or too long."
    case .bodyTooLarge: "The body is larger than this address takes; nothing of it was kept."
    case .headTooSlow: "The request did not arrive in time; nothing of it was kept. Send it again."
    case .bodyTooSlow: "The body did not arrive in time; nothing of it was kept. Send it again."
    case .overloaded: "The server has no room for this body now; nothing of it was kept. Send it again later."
    }
  }
}
