/// What came of one attempt to hand a delivery to a carrier.
package enum AttemptOutcome: Sendable, Equatable {
  /// The carrier took it and calls it by these ids, one for each part that it names apart.
  case accepted(ids: [String])
  /// The carrier will not take it, and `scope` says who else might.
  case refused(scope: RefusalScope, code: String, detail: String)
  /// Too fast for the carrier: certainly not taken.
  case throttled(code: String, detail: String, retryAfter: Duration?)
  /// The carrier is down or says that it can not work now: certainly not taken.
  case unavailable(code: String, detail: String)
  /// It may have been taken: the answer never came, or can not be understood.
  case uncertain(code: String, detail: String)

  /// The word that is stored and shown.
  package var kind: Kind {
    switch self {
    case .accepted: .accepted
    case .refused: .refused
    case .throttled: .throttled
    case .unavailable: .unavailable
    case .uncertain: .uncertain
    }
  }

  /// The raw values are stored.
  package enum Kind: Int, Sendable {
    case accepted = 1
    case refused = 2
    case throttled = 3
    case unavailable = 4
    case uncertain = 5

    package var name: String { "\(self)" }
  }
}

/// Whose refusal it is.
package enum RefusalScope: Sendable, Equatable {
  /// No carrier will take this message, for example to a number that can not exist.
  case message
  /// This carrier will not take this message; another may.
  case route
  /// This carrier takes nothing at all now: no credit, or a wrong password.
  case carrier
}

/// What a carrier reports of a delivery that it took.
package enum ReceiptStatus: Int, Sendable {
  case delivered = 1
  /// On its way: tells nothing final.
  case buffered = 2
  case failed = 3
  case expired = 4
  case rejected = 5
  case unknown = 6

  package var name: String { "\(self)" }
}
