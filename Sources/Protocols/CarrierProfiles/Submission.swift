package import Contract
package import GSMText

/// One text message as it is handed to a carrier.
package struct Submission: Sendable {
  package var id: ID128
  /// A short name for the message that comes back in receipts and answers: at most 16 of `[A-Za-z0-9_-]`.
  package var reference: String
  /// E.164: `+` and up to 15 digits.
  package var to: String
  /// A number (`+` and digits, or a short code of digits) or a name; nil takes the carrier's own default.
  package var from: String?
  /// The text, with its encoding chosen and its parts counted.
  package var plan: TextPlan
  /// Shown at once on the phone's screen and not stored there.
  package var flash: Bool
  /// How long the carrier tries; nil leaves it to the carrier.
  package var validity: Duration?
  /// Where receipts shall go, for carriers that are told with each message.
  package var callbackURL: String?
  package var wantsReceipt: Bool

  package init(
    id: ID128, reference: String, to: String, from: String? = nil, plan: TextPlan, flash: Bool = false,
    validity: Duration? = nil, callbackURL: String? = nil, wantsReceipt: Bool = true
  ) {
    self.id = id
    self.reference = reference
    self.to = to
    self.from = from
    self.plan = plan
    self.flash = flash
    self.validity = validity
    self.callbackURL = callbackURL
    self.wantsReceipt = wantsReceipt
  }
}

/// A message that this carrier can not take; found before anything was sent.
package struct SubmissionRefusal: Error, Sendable, Equatable {
  package var scope: RefusalScope
  /// For a program: `sender`, `parts`, `number`, `setting`, `text`.
  package var code: String
  /// For a person; repeats neither the text nor a secret.
  package var sentence: String

  package init(_ scope: RefusalScope, code: String, _ sentence: String) {
    self.scope = scope
    self.code = code
    self.sentence = sentence
  }
}

/// How far a refusal reaches.
package enum RefusalScope: String, Sendable, CaseIterable {
  /// No carrier will take this message.
  case message
  /// This carrier will not take this message; another may.
  case route
  /// This carrier takes no message at all now: a wrong password, no credit.
  case carrier
}

/// The sender of a message by its form.
enum SenderKind: Sendable {
  case letters
  /// A number that a phone shows with `+`.
  case international
  /// A short code or a national number.
  case short

  /// Digits without `+` are an international number from eight digits on, unless they begin with a zero.
  init(_ sender: String) {
    let digits = sender.utf8.first == UInt8(ascii: "+") ? sender.utf8.dropFirst() : sender.utf8[...]
    if digits.isEmpty || !digits.allSatisfy(\.isDigit) {
      self = .letters
    } else if digits.count < sender.utf8.count || (digits.count >= 8 && digits.first != 0x30) {
      self = .international
    } else {
      self = .short
    }
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}

extension Submission: CustomStringConvertible {
  /// Shows neither the text nor the number.
  package var description: String { "message \(id.hex), \(plan.partCount) parts as \(plan.encoding)" }
}
