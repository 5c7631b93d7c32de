/// Where a delivery stands. Docs/DeliveryLife.md draws it; `Life` has one function for each arrow.
///
/// The raw values are stored. The states up to `held` are unfinished.
package enum DeliveryState: Int, Sendable, CaseIterable {
  /// Waits for its time.
  case scheduled = 0
  /// Waits for a carrier: for its turn, for a later try, or for an earlier one to the same address.
  case queued = 1
  /// An attempt is recorded and may be under way.
  case leased = 2
  /// A carrier took it; its last word is awaited.
  case submitted = 3
  /// An attempt's fate is uncertain and somebody must decide.
  case held = 4

  /// The carrier says that it arrived.
  case delivered = 10
  /// No carrier will take it.
  case rejected = 11
  /// A carrier took it and then said that it can not be delivered.
  case undeliverable = 12
  /// Its time ran out before a carrier took it, or before the carrier could deliver it.
  case expired = 13
  /// Called back before a carrier took it.
  case cancelled = 14
  /// A carrier took it, or may have, and never said more. A late receipt still corrects this.
  case unknown = 15

  package var isFinal: Bool { rawValue >= Self.delivered.rawValue }

  /// The word of the API.
  package var name: String { "\(self)" }
}

/// How urgent a delivery is; a lower one goes first. The raw values are stored.
package enum DeliveryClass: Int, Sendable, CaseIterable, Comparable {
  /// A code that somebody waits for; its body is encrypted and erased when final.
  case code = 0
  case alarm = 1
  case normal = 2
  case bulk = 3

  package init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }

  package var name: String { "\(self)" }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The kinds of way out. The raw values are stored.
package enum Channel: Int, Sendable {
  case sms = 1

  /// What becomes of an attempt whose answer never came.
  package var whenUncertain: WhenUncertain {
    switch self {
    case .sms: .sendAgain
    }
  }

  package enum WhenUncertain: Sendable {
    /// Sent again, and marked as a possible double.
    case sendAgain
    /// Held until somebody decides: for what must not happen twice.
    case hold
  }
}

/// Which worker's a delivery is: `FNV-1a(channel, address) mod 1024`.
package enum Lane {
  package static let count = 1024

  package static func of(_ channel: Channel, _ address: String) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    mix(UInt8(channel.rawValue))
    for byte in address.utf8 { mix(byte) }
    return Int(hash % UInt64(count))
  }
}
