import Contract
import GSMText

/// What a template may name between braces.
enum Slot: Sendable, Equatable {
  case toE164, toDigits
  case from, fromE164
  case text, textLatin1, textGSM, textGSMHex, textUCS2Hex
  case parts
  case reference
  case id
  case validityMinutes, validitySeconds
  case callbackURL
  case setting(String)

  static let names: [String: Slot] = [
    "to.e164": .toE164, "to.digits": .toDigits, "from": .from, "from.e164": .fromE164, "text": .text,
    "text.latin1": .textLatin1, "text.gsm": .textGSM, "text.gsmHex": .textGSMHex, "text.ucs2Hex": .textUCS2Hex,
    "parts": .parts, "reference": .reference, "id": .id, "validity.minutes": .validityMinutes,
    "validity.seconds": .validitySeconds, "callbackURL": .callbackURL,
  ]

  init?(name: String) {
    if name.hasPrefix("settings.") {
      self = .setting(String(name.dropFirst("settings.".count)))
    } else if let slot = Self.names[name] {
      self = slot
    } else {
      return nil
    }
  }

  /// Whether its octets may be something else than UTF-8, so that it fits url-encoded places only.
  var isOctets: Bool { self == .textLatin1 || self == .textGSM }
}

/// What slots and conditions are filled from. A poll has settings only.
struct SlotValues {
  /// Given ones and defaults; what is empty is not there.
  let settings: [String: String]
  let submission: Submission?
  /// The sender: the message's, else the setting `sender`.
  let sender: String?
  let senderKind: SenderKind?

  init(settings: [String: String], submission: Submission?) {
    self.settings = settings
    self.submission = submission
    let sender = submission.flatMap { submission in
      submission.from.flatMap { $0.isEmpty ? nil : $0 } ?? settings["sender"].flatMap { $0.isEmpty ? nil : $0 }
    }
    self.sender = sender
    senderKind = sender.map { SenderKind($0) }
  }

  func setting(_ name: String) -> String? { settings[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Gives the octets of a slot to `body`; false when there are none: no sender, no time limit, a character that the
  /// encoding lacks.
  func with(_ slot: Slot, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
    if case .setting(let name) = slot {
      guard let value = setting(name) else { return false }
      return value.withOctets(body)
    }
    guard let submission else { return false }
    switch slot {
    case .setting: return false
    case .toE164: return submission.to.withOctets(body)
    case .toDigits: return submission.to.withoutPlus.withOctets(body)
    case .from:
      guard let sender else { return false }
      return (senderKind == .letters ? sender : sender.withoutPlus).withOctets(body)
    case .fromE164:
      guard let sender else { return false }
      return (senderKind == .international ? "+" + sender.withoutPlus : sender).withOctets(body)
    case .text: return submission.plan.text.withOctets(body)
    case .textLatin1:
      var octets: [UInt8] = []
      octets.reserveCapacity(submission.plan.octets.count)
      for scalar in submission.plan.text.unicodeScalars {
        guard let octet = Latin.octet(scalar) else { return false }
        octets.append(octet)
      }
      return octets.withOctets(body)
    case .textGSM:
      guard submission.plan.encoding == .gsm7 else { return false }
      return submission.plan.octets.withOctets(body)
    case .textGSMHex:
      guard submission.plan.encoding == .gsm7 else { return false }
      return Hex.text(submission.plan.octets).withOctets(body)
    case .textUCS2Hex:
      let octets = submission.plan.encoding == .ucs2 ? submission.plan.octets : UCS2.encode(submission.plan.text)
      return Hex.text(octets).withOctets(body)
    case .parts: return String(submission.plan.partCount).withOctets(body)
    case .reference: return submission.reference.isEmpty ? false : submission.reference.withOctets(body)
    case .id: return submission.id.hex.withOctets(body)
    case .validityMinutes:
      guard let validity = submission.validity else { return false }
      // A part of a minute counts: a message must not expire before its time.
      return String(max(1, (validity.inMilliseconds / 1000 + 59) / 60)).withOctets(body)
    case .validitySeconds:
      guard let validity = submission.validity else { return false }
      return String(max(1, validity.inMilliseconds / 1000)).withOctets(body)
    case .callbackURL:
      guard let url = submission.callbackURL, !url.isEmpty else { return false }
      return url.withOctets(body)
    }
  }
}

extension String {
  var withoutPlus: String { utf8.first == UInt8(ascii: "+") ? String(dropFirst()) : self }

  fileprivate func withOctets(_ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
    var text = self
    text.withUTF8(body)
    return true
  }
}

extension [UInt8] {
  fileprivate func withOctets(_ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
    withUnsafeBufferPointer(body)
    return true
  }
}
