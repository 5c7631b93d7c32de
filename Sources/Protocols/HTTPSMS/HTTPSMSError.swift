/// The error codes of HTTPSMS, as they stand after `ERR` and in place of a message id.
///
/// Source: Sinch, "HTTP SMS", section "Unsuccessful Response".
package enum HTTPSMSError: Int, Error, Sendable, CaseIterable {
  case noCredit = -5
  case badLogin = -10
  case destination = -15
  case system = -20
  case badRequest = -25
  case throughput = -30

  /// The HTTP status that goes with a whole answer of this code.
  package var status: Int {
    switch self {
    case .noCredit: 402
    case .badLogin: 401
    case .destination: 503
    case .system: 500
    case .badRequest: 400
    case .throughput: 429
    }
  }

  /// What the code says to a person.
  package var sentence: String {
    switch self {
    case .noCredit: "The account has not enough credit for this message."
    case .badLogin: "The user name or the password is wrong."
    case .destination: "The number is not valid, or the account does not reach it."
    case .system: "The system has an error of its own. Try again."
    case .badRequest: "The request has a mistake. Sending it again will not help."
    case .throughput: "More messages a second than the account may send."
    }
  }
}

/// Why a request is refused: the code that the client sees, and what was wrong, for the operator.
package struct HTTPSMSRefusal: Error, Sendable, Equatable {
  package var code: HTTPSMSError
  /// A sentence that names the parameter; it never repeats a value.
  package var reason: String

  package init(_ code: HTTPSMSError, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
