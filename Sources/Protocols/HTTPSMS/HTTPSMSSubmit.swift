package import Contract

/// A message that a client hands to the HTTPSMS door, with every parameter of the interface.
///
/// CardBoardFish's interface, later CLX, mblox and Sinch's; source: Sinch, "HTTP SMS". Parameters that only the vendor's
/// client packages send (`DU`, `LT`, `VP`) are read too.
package struct HTTPSMSSubmit: Sendable, Equatable {
  /// `S`. The documentation has only `H`; client packages also send the others, and nothing depends on it.
  package enum System: String, Sendable, CaseIterable { case http = "H", s = "S", d = "D", m = "M" }

  /// `ST`, the type of the sender's address.
  package enum SourceType: Int, Sendable {
    /// As it stands: a national number or a short code.
    case national = 0
    /// The phone shows a `+` before it.
    case international = 1
    case alphanumeric = 5
  }

  /// `DC`, the form of the message.
  package enum Coding: Int, Sendable, CaseIterable {
    case flash = 0
    case normal = 1
    case binary = 2
    case ucs2 = 4
    case flashUCS2 = 5
    case gsm = 6
    case flashGSM = 7

    /// Shown at once on the phone's screen and not stored.
    package var isFlash: Bool { self == .flash || self == .flashUCS2 || self == .flashGSM }
  }

  /// `DR`, the wish for a receipt.
  package enum Receipts: Int, Sendable {
    case none = 0
    case send = 1
    /// Kept by the carrier and not sent.
    case record = 2
  }

  /// What is sent.
  package enum Content: Sendable, Equatable {
    /// One septet an octet, in the GSM default alphabet, as it goes to the phone.
    case gsm([UInt8])
    /// UTF-16, the high octet first.
    case ucs2([UInt8])
    case binary([UInt8], header: [UInt8])
  }

  /// One entry of `DA`.
  package struct Destination: Sendable, Equatable {
    /// Digits without `+`; nil when what was given is no international number, which is answered with -15.
    package var number: String?

    package init(number: String?) { self.number = number }
  }

  package var system: System
  package var user: String
  package var password: String
  /// At least one of them has a number.
  package var destinations: [Destination]
  package var source: String
  package var sourceType: SourceType
  package var coding: Coding
  package var content: Content
  /// Messages that a phone's bill counts: 1 to 3.
  package var parts: Int
  package var receipts: Receipts
  /// `UR`, repeated in the answer and in the receipt.
  package var reference: String?
  /// `V` in minutes, 1 to 10,080.
  package var validityMinutes: Int
  /// `DU`: not before this moment.
  package var notBefore: Instant?
  /// `LT`: the sender's own time, which only says how to show `DU`.
  package var localTime: Instant?

  /// Numbers in one request.
  package static let destinationLimit = 10
  /// Parts that the carrier makes of one message by itself.
  package static let partLimit = 3
  package static let defaultValidityMinutes = 1440
  package static let validityLimit = 10_080
}
