import CSodium

/// libsodium wants to be set up once before anything else; each use of it passes here.
enum Sodium {
  /// True when the library is ready. Set up the first time that somebody asks; safe from any thread.
  static let isReady = sodium_init() >= 0
}

/// Overwrites bytes that were secret. What the runtime copied elsewhere stays out of reach, so this is a best effort.
package func wipe(_ bytes: inout [UInt8]) {
  sodium_memzero(&bytes, bytes.count)
  bytes.removeAll()
}

/// Compares in a time that depends on the lengths only.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count && sodium_memcmp(left, right, left.count) == 0
}
