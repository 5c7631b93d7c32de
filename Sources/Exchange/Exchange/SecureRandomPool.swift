import Cryptography
import Runtime

/// Random numbers drawn from the kernel in larger draughts: for ids and the like, of which there are many. One that is
/// drawn lay in memory before, so this is not for keys.
package final class SecureRandomPool: RandomNumberGenerator, Sendable {
  private let numbers = Lock([UInt64]())

  package init() {}

  package func next() -> UInt64 {
    numbers.withLock { numbers in
      if numbers.isEmpty {
        randomBytes(64 * 8).withUnsafeBytes { numbers.append(contentsOf: $0.bindMemory(to: UInt64.self)) }
      }
      return numbers.removeLast()
    }
  }
}
