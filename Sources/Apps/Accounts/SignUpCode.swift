import Cryptography

/// The six digits that prove that somebody has a phone.
///
/// A code is stored nowhere, neither readable nor as a hash, of which a million would be tried in no time: it is derived
/// from random bytes of its own by the master key, so that the same can be sent again while it lasts.
struct SignUpCode: Sendable, Equatable {
  let digits: String

  private static let purpose: MasterKey.Purpose = "sign-up code"
  static let length = 6
  static let nonceLength = 32

  init(nonce: [UInt8], key: MasterKey) {
    // 64 bits of the hash, so that no code is more likely than another by more than one in 10^13.
    let number = key.hash(nonce, purpose: Self.purpose).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let text = String(number % 1_000_000)
    digits = String(repeating: "0", count: Self.length - text.count) + text
  }

  /// Takes as long for every guess of the right length.
  func isEqual(to guess: String) -> Bool { constantTimeEqual(Array(digits.utf8), Array(guess.utf8)) }
}
