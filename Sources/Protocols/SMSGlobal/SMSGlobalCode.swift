/// The codes that follow `ERROR:`: the status values of SMPP 3.4 in decimal, and four of the carrier's own.
///
/// Source: client libraries of the HTTP API; the vendor's page does not list them.
package enum SMSGlobalCode: Int, Error, Sendable, CaseIterable {
  case ok = 0
  case badMessageLength = 1
  case badCommandLength = 2
  case badCommand = 3
  case wrongBind = 4
  case alreadyBound = 5
  case badSource = 10
  case badDestination = 11
  case badMessageID = 12
  case bindFailed = 13
  case badPassword = 14
  case submitFailed = 69
  /// Clients see it for an empty account too.
  case overLimit = 88
  case notCovered = 102
  case timedOut = 400
  case disabled = 401
  case noAnswer = 402

  /// What the code says to a person.
  package var sentence: String {
    switch self {
    case .ok: "The message is taken."
    case .badMessageLength: "The text is too long for the number of parts allowed."
    case .badCommandLength: "The request does not have the right length."
    case .badCommand: "The request is not one that the carrier knows."
    case .wrongBind: "The account is not allowed to send just now."
    case .alreadyBound: "The account is in use elsewhere."
    case .badSource: "The carrier does not take this sender."
    case .badDestination: "The number is not valid."
    case .badMessageID: "The carrier does not know this message."
    case .bindFailed: "The carrier could not sign in to its network."
    case .badPassword: "The user name or the password is wrong."
    case .submitFailed: "The carrier could not send the message."
    case .overLimit: "The account has no credit left, or sends more than it may."
    case .notCovered: "The carrier does not reach this number."
    case .timedOut: "The carrier's network took too long."
    case .disabled: "The carrier's network is switched off for now."
    case .noAnswer: "The carrier's network did not answer."
    }
  }
}

/// What stands after `ERROR: ` when a request as a whole is refused.
package enum SMSGlobalRefusal: Error, Sendable, Equatable {
  case noAction
  case missing(String)
  case invalid(String)
  case code(SMSGlobalCode)

  package var text: String {
    switch self {
    case .noAction: "No action requested"
    case .missing(let name): "Missing parameter: \(name)"
    case .invalid(let name): "Invalid parameter: \(name)"
    case .code(let code): "\(code.rawValue)"
    }
  }
}
