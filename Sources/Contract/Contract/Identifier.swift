/// 128 bits, time first and then random, so that new rows go to the end of every index.
///
/// The high 48 bits are milliseconds since 1970; the other 80 are random (the layout of RFC 9562 UUIDv7 without its
/// version bits). The same value is written with another prefix where another protocol wants it.
public struct ID128: Hashable, Sendable, Comparable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// An id made at `instant` from 80 random bits of `random`.
  ///
  /// An instant before 1970 or beyond 48 bits (the year 10889) is taken as the nearest that fits, so that order holds.
  public init(at instant: Instant, using random: inout some RandomNumberGenerator) {
    let milliseconds = min(UInt64(clamping: instant.milliseconds), 0xFFFF_FFFF_FFFF)
    high = milliseconds << 16 | random.next() & 0xFFFF
    low = random.next()
  }

  /// 32 lower-case or upper-case hexadecimal digits; nil for anything else.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8
    guard digits.count == 32 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for (index, digit) in digits.enumerated() {
      let nibble: UInt8
      switch digit {
      case 0x30...0x39: nibble = digit - 0x30
      case 0x61...0x66: nibble = digit - 0x61 + 10
      case 0x41...0x46: nibble = digit - 0x41 + 10
      default: return nil
      }
      if index < 16 { high = high << 4 | UInt64(nibble) } else { low = low << 4 | UInt64(nibble) }
    }
    self.init(high: high, low: low)
  }

  /// 32 lower-case hexadecimal digits.
  public var hex: String {
    String(unsafeUninitializedCapacity: 32) { buffer in
      for index in 0..<32 {
        let word = index < 16 ? high : low
        let nibble = UInt8(truncatingIfNeeded: word >> UInt64((15 - index % 16) * 4)) & 0xF
        buffer[index] = nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10
      }
      return 32
    }
  }

  public static func < (left: ID128, right: ID128) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// What an identifier names; gives its written form a prefix.
public protocol IdentifierKind: Sendable {
  static var prefix: String { get }
}

/// The id of one kind of record, written as `prefix_` and 32 hexadecimal digits.
public struct Identifier<Kind: IdentifierKind>: Hashable, Sendable, Comparable, CustomStringConvertible, Codable {
  public var value: ID128

  public init(_ value: ID128) { self.value = value }

  /// Reads `prefix_` and 32 hexadecimal digits; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let head = Kind.prefix + "_"
    guard text.hasPrefix(head), let value = ID128(hex: text.dropFirst(head.count)) else { return nil }
    self.value = value
  }

  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = Self(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not an id that begins with \(Kind.prefix)_"))
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  public var description: String { "\(Kind.prefix)_\(value.hex)" }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

public enum AccountKind: IdentifierKind { public static let prefix = "acc" }
public enum MessageKind: IdentifierKind { public static let prefix = "msg" }
public enum InboundKind: IdentifierKind { public static let prefix = "in" }
public enum KeyKind: IdentifierKind { public static let prefix = "key" }
public enum SessionKind: IdentifierKind { public static let prefix = "ses" }
public enum CarrierKind: IdentifierKind { public static let prefix = "car" }

public typealias AccountID = Identifier<AccountKind>
/// A message is a delivery on the SMS channel: both have this one id.
public typealias MessageID = Identifier<MessageKind>
public typealias DeliveryID = Identifier<MessageKind>
public typealias InboundID = Identifier<InboundKind>
public typealias KeyID = Identifier<KeyKind>
public typealias SessionID = Identifier<SessionKind>
public typealias CarrierID = Identifier<CarrierKind>
