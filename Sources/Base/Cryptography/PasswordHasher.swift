import CSodium
import Dispatch
import Foundation
import Synchronization

/// Hashes passwords with Argon2id (RFC 9106) at 19 MiB and two passes, as OWASP's cheat sheet advises.
///
/// One hash takes about 20 ms, so all of them run one after another on a queue of their own, and no more than a set
/// number wait. What is kept is a PHC string with its parameters in it, so that they can rise later.
package final class PasswordHasher: Sendable {
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// Too many wait already; nothing was done.
    case busy
    /// Empty, or longer than 1,024 bytes.
    case badLength
    /// The machine has no 19 MiB left.
    case noMemory

    package var description: String {
      switch self {
      case .busy: "Too many people sign in at this moment. Nothing was changed; try again in some seconds."
      case .badLength: "A password has from 1 to 1,024 bytes."
      case .noMemory: "There is no memory left to check a password. Nothing was changed; try again later."
      }
    }
  }

  package static let longestPassword = 1024

  /// Hashes of one's own are never above this; a foreign one that asks for more is not computed.
  private static let memoryCeiling = 256 << 20
  private static let passesCeiling: UInt64 = 10

  private let passes: UInt64
  private let memory: Int
  private let waitingLimit: Int
  private let waiting = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "password hashing")
  /// What a password is compared with where there is no account, so that the answer takes as long.
  let nobody: String

  /// - Parameters:
  ///   - waitingLimit: how many hashes may wait before the next is refused.
  ///   - memory: bytes; from 8 KiB.
  package init(waitingLimit: Int = 64, passes: Int = 2, memory: Int = 19 << 20) {
    self.passes = UInt64(max(1, passes))
    self.memory = max(8 << 10, memory)
    self.waitingLimit = waitingLimit
    // Nobody knows a password of this hash; only its parameters matter.
    let zeros = String(repeating: "A", count: 22)
    nobody =
      "$argon2id$v=19$m=\(self.memory >> 10),t=\(self.passes),p=1$\(zeros)$\(String(repeating: "A", count: 43))"
  }

  /// The PHC string to keep.
  package func hash(_ password: String) async throws(Failure) -> String {
    let bytes = try Self.checked(password)
    let memory = memory
    let passes = passes
    let hash = try await run { Self.hash(bytes, passes: passes, memory: memory) }
    guard let hash else { throw .noMemory }
    return hash
  }

  /// Whether the password is the one that was hashed.
  /// - Parameter hash: nil where there is no such account; that takes as long and is never true.
  package func verify(_ password: String, against hash: String?) async throws(Failure) -> Bool {
    let bytes = try Self.checked(password)
    let known = hash.flatMap { Self.isAffordable($0) ? $0 : nil }
    let against = known ?? nobody
    guard let isRight = try await run({ Self.isRight(bytes, against: against) }) else { throw .noMemory }
    return isRight && known != nil
  }

  /// Whether the hash has other parameters than new ones get; then hash the password again at the next sign-in.
  package func needsRehash(_ hash: String) -> Bool {
    crypto_pwhash_str_needs_rehash(hash, passes, memory) != 0
  }

  // MARK: The queue

  private func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws(Failure) -> Result {
    guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= waitingLimit else {
      waiting.wrappingSubtract(1, ordering: .relaxed)
      throw .busy
    }
    return await withCheckedContinuation { continuation in
      queue.async {
        let result = work()
        self.waiting.wrappingSubtract(1, ordering: .relaxed)
        continuation.resume(returning: result)
      }
    }
  }

  private static func checked(_ password: String) throws(Failure) -> [UInt8] {
    let bytes = Array(password.utf8)
    guard (1...longestPassword).contains(bytes.count) else { throw .badLength }
    return bytes
  }

  private static func hash(_ password: [UInt8], passes: UInt64, memory: Int) -> String? {
    _ = Sodium.isReady
    var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let result = crypto_pwhash_str(
      &text, password.map(CChar.init(bitPattern:)), UInt64(password.count), passes, memory)
    guard result == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// - Returns: nil where there was no memory to find out.
  private static func isRight(_ password: [UInt8], against hash: String) -> Bool? {
    _ = Sodium.isReady
    errno = 0
    if crypto_pwhash_str_verify(hash, password.map(CChar.init(bitPattern:)), UInt64(password.count)) == 0 {
      return true
    }
    // libsodium says EINVAL for a password that does not fit, and nothing of its own for a failure to try.
    return errno == ENOMEM ? nil : false
  }

  /// Reads `m` (KiB) and `t` of a PHC string.
  private static func isAffordable(_ hash: String) -> Bool {
    let parts = hash.split(separator: "$")
    guard hash.utf8.count < Int(crypto_pwhash_STRBYTES), parts.count == 5, parts[0] == "argon2id" else { return false }
    var memory: Int?
    var passes: UInt64?
    for parameter in parts[2].split(separator: ",") {
      if parameter.hasPrefix("m=") { memory = Int(parameter.dropFirst(2)) }
      if parameter.hasPrefix("t=") { passes = UInt64(parameter.dropFirst(2)) }
    }
    guard let memory, let passes else { return false }
    return memory <= memoryCeiling >> 10 && passes <= passesCeiling
  }
}
