import CSodium
import Foundation

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

/// The same, drawn from the kernel in larger draughts: for ids and the like, of which there are many. One that is drawn
/// lay in memory before, so this is not for keys.
package final class SecureRandomPool: RandomNumberGenerator, @unchecked Sendable {
  // Guarded by the lock.
  private var numbers = [UInt64](repeating: 0, count: 64)
  private var left = 0
  private let lock = NSLock()

  package init() { _ = Sodium.isReady }

  package func next() -> UInt64 {
    lock.withLock {
      if left == 0 {
        randombytes_buf(&numbers, numbers.count * MemoryLayout<UInt64>.size)
        left = numbers.count
      }
      left -= 1
      return numbers[left]
    }
  }
}
