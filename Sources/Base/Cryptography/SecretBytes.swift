import CSodium

/// Secret bytes that are kept off the disk where the system allows it, between guard pages, and overwritten when the
/// last owner lets go.
package final class SecretBytes: @unchecked Sendable {
  // Written in `init` only, so that every thread may read.
  private let memory: UnsafeMutableRawBufferPointer

  /// Copies `bytes` and wipes them.
  package init(wiping bytes: inout [UInt8]) {
    _ = Sodium.isReady
    guard let start = sodium_malloc(max(1, bytes.count)) else { preconditionFailure("no memory for a secret") }
    memory = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
    memory.copyBytes(from: bytes)
    sodium_mprotect_readonly(start)
    wipe(&bytes)
  }

  deinit { sodium_free(memory.baseAddress) }

  package var count: Int { memory.count }

  /// Shows the bytes to `body` as a copy that is wiped afterwards.
  package func withBytes<Result>(_ body: ([UInt8]) throws -> Result) rethrows -> Result {
    var copy = Array(memory)
    defer { wipe(&copy) }
    return try body(copy)
  }
}
