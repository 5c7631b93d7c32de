import CSodium

/// Random numbers from the kernel, fit for keys and tokens.
package struct SecureRandom: RandomNumberGenerator, Sendable {
  package init() { _ = Sodium.isReady }

  package mutating func next() -> UInt64 {
    var number: UInt64 = 0
    randombytes_buf(&number, MemoryLayout<UInt64>.size)
    return number
  }
}

/// - Parameter count: less than nothing counts as nothing.
package func randomBytes(_ count: Int) -> [UInt8] {
  _ = Sodium.isReady
  var bytes = [UInt8](repeating: 0, count: max(0, count))
  randombytes_buf(&bytes, bytes.count)
  return bytes
}
