package import Contract
import GSMText

/// An incoming message: `-1:[SRC]:DST:DCS::EPOCH:[UDH]:HEX`.
package struct HTTPSMSIncoming: Sendable, Equatable {
  package var source: String
  package var destination: String
  package var coding: HTTPSMSSubmit.Coding
  package var at: Instant
  package var header: [UInt8]
  /// By `coding`: Latin-1, GSM septets, UCS-2 or what the sender's program put there.
  package var octets: [UInt8]

  package init(
    source: String, destination: String, coding: HTTPSMSSubmit.Coding, at: Instant, header: [UInt8] = [],
    octets: [UInt8]
  ) {
    self.source = source
    self.destination = destination
    self.coding = coding
    self.at = at
    self.header = header
    self.octets = octets
  }

  /// A text in the plainest coding that keeps every character of it.
  package init(source: String, destination: String, text: String, at: Instant) {
    if let octets = LatinText.octets(text) {
      self.init(source: source, destination: destination, coding: .normal, at: at, octets: octets)
    } else {
      self.init(source: source, destination: destination, coding: .ucs2, at: at, octets: UCS2.encode(text))
    }
  }

  /// What was written; nil for binary messages.
  package var text: String? {
    switch coding {
    case .normal, .flash: String(latin1: octets)
    case .gsm, .flashGSM: GSMAlphabet.decode(octets)
    case .ucs2, .flashUCS2: UCS2.decode(octets)
    case .binary: nil
    }
  }

  init?(fields: [Substring]) {
    guard fields.count == 8, fields[0] == "-1", !fields[2].isEmpty, fields[4].isEmpty,
      let coding = fields[3].isEmpty ? .normal : Int(fields[3]).flatMap(HTTPSMSSubmit.Coding.init),
      let at = Instant(epoch: fields[5]), let header = Hex.octets(Array(fields[6].utf8)),
      let octets = Hex.octets(Array(fields[7].utf8))
    else { return nil }
    self.init(
      source: String(fields[1]), destination: String(fields[2]), coding: coding, at: at, header: header,
      octets: octets)
  }

  var part: String {
    let fields = [
      "-1", source, destination, "\(coding.rawValue)", "", at.epoch, Hex.text(header), Hex.text(octets),
    ]
    return fields.map(\.withoutSeparators).joined(separator: ":")
  }
}
