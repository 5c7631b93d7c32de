import CarrierProfiles
import Contract
import GSMText

extension Submission {
  /// A message with the plainest surroundings.
  static func of(
    _ text: String, to: String = "+358401234567", from: String? = "Info", reference: String = "r_1",
    flash: Bool = false, validity: Duration? = nil, callbackURL: String? = nil, wantsReceipt: Bool = true
  ) throws -> Submission {
    Submission(
      id: ID128(high: 1, low: 2), reference: reference, to: to, from: from, plan: try TextPlan(text), flash: flash,
      validity: validity, callbackURL: callbackURL, wantsReceipt: wantsReceipt)
  }
}

extension CarrierCall {
  /// The fields of its form, as a server sees them.
  var fields: [(String, [UInt8])] { FormField.decode(body).map { ($0.name, $0.value) } }
}

enum Settings {
  static let all: [String: [String: String]] = [
    "httpsms": ["user": "cabin", "password": "p&ss=1"],
    "smsglobal": ["user": "cabin", "password": "p&ss=1"],
    "example-telecom": ["account": "77", "token": "t0ken"],
  ]
}

/// 2026-11-30T04:06:03Z.
let now = Instant(milliseconds: 1_796_011_563_000)

/// Numbers that are the same in every run (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// `octets` with one to four of them changed, left out, doubled or put in.
  mutating func damage(_ octets: [UInt8], with favourites: String) -> [UInt8] {
    var octets = octets
    for _ in 0..<Int.random(in: 1...4, using: &self) where !octets.isEmpty {
      let index = Int.random(in: 0..<octets.count, using: &self)
      switch Int.random(in: 0..<4, using: &self) {
      case 0: octets[index] = UInt8.random(in: 0...255, using: &self)
      case 1: octets.remove(at: index)
      case 2: octets.insert(octets[index], at: index)
      default: octets.insert(Array(favourites.utf8).randomElement(using: &self) ?? 0, at: index)
      }
    }
    return octets
  }

  /// A text of characters that are apt to get lost.
  mutating func text() -> String {
    let characters: [Character] = [
      "a", "Z", "9", " ", "@", "$", "_", "€", "[", "~", "|", "ä", "Ö", "é", "Ç", "ç", "¤", "Π", "Ω", "\n", "\r\n", "\"",
      "&",
      "=", "+", "%", "<", "😀", "👩‍👩‍👧", "🇫🇮", "Ж", "中", "е\u{301}", "\u{C}", "\\", "{", "}", "#", ";", "\u{0}",
    ]
    let isPlain = Bool.random(using: &self)
    return String(
      (0..<Int.random(in: 1...90, using: &self)).map { _ in
        characters[..<(isPlain ? 15 : characters.count)].randomElement(using: &self) ?? "a"
      })
  }
}
