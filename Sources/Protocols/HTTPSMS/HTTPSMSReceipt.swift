package import Contract

/// A delivery receipt: `MSGID:[SRC]:DST:STATUS:[ERR]:EPOCH:[UR]:`.
package struct HTTPSMSReceipt: Sendable, Equatable {
  /// Source: Sinch, "HTTP SMS", section "Delivery Report Status Codes".
  package enum Status: Int, Sendable, CaseIterable {
    case delivered = 1
    case buffered = 2
    case failed = 3
    case expired = 5
    case rejected = 6
    case error = 7
    /// Nothing was heard for 24 hours.
    case unknown = 11
    /// The centre's own status is not a known one.
    case nonStandard = 12
  }

  package var id: UInt64
  package var source: String?
  package var destination: String
  package var status: Status
  /// The GSM error, up to six hexadecimal digits.
  package var error: String?
  package var at: Instant
  package var reference: String?

  package init(
    id: UInt64, source: String?, destination: String, status: Status, error: String? = nil, at: Instant,
    reference: String? = nil
  ) {
    self.id = id
    self.source = source
    self.destination = destination
    self.status = status
    self.error = error
    self.at = at
    self.reference = reference
  }

  init?(fields: [Substring]) {
    guard fields.count == 8, fields[7].isEmpty, let id = UInt64(fields[0]), id > 0, !fields[2].isEmpty,
      let status = Int(fields[3]).flatMap(Status.init), fields[4].utf8.count <= 6,
      fields[4].utf8.allSatisfy(\.isHexDigit), let at = Instant(epoch: fields[5]),
      fields[6].isEmpty || HTTPSMSSubmit.isReference(String(fields[6]))
    else { return nil }
    self.init(
      id: id, source: fields[1].nonEmpty, destination: String(fields[2]), status: status, error: fields[4].nonEmpty,
      at: at, reference: fields[6].nonEmpty)
  }

  var part: String {
    let fields = ["\(id)", source ?? "", destination, "\(status.rawValue)", error ?? "", at.epoch, reference ?? "", ""]
    return fields.map(\.withoutSeparators).joined(separator: ":")
  }
}

extension UInt8 {
  var isHexDigit: Bool { isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }
}

extension Substring {
  var nonEmpty: String? { isEmpty ? nil : String(self) }
}

extension String {
  /// Without the characters that hold an envelope together.
  var withoutSeparators: String { contains { $0 == ":" || $0 == "#" } ? filter { $0 != ":" && $0 != "#" } : self }
}

extension Instant {
  /// Seconds since 1970 in ten digits.
  var epoch: String {
    let digits = String(Swift.max(0, milliseconds / 1000))
    return String(repeating: "0", count: Swift.max(0, 10 - digits.utf8.count)) + digits
  }

  init?(epoch digits: Substring) {
    guard (1...11).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit), let seconds = Int64(digits) else {
      return nil
    }
    self.init(milliseconds: seconds * 1000)
  }
}
