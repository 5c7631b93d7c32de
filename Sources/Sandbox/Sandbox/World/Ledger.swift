import Foundation
import Runtime

/// Every submission that a carrier accepted, one JSON object a line, in the order of the ids.
///
/// In a file it is written before the carrier answers, so that it outlives the process however that ends; it is not
/// synced, so a failing machine may take the last lines. In memory the oldest lines go when there are too many.
final class Ledger: Sendable {
  private struct State {
    /// -1 in memory.
    var descriptor: Int32 = -1
    var isClosed = false
    var length: Int64 = 0
    var chunks = Ring<[UInt8]>()
    var bytes = 0
  }

  private static let chunk = 1 << 20

  /// The last id in the file when it was opened; 0 for none.
  let lastID: UInt64
  private let bound: Int
  private let state: Lock<State>

  /// - Parameter bound: bytes to keep.
  init(bound: Int) {
    self.bound = bound
    lastID = 0
    state = Lock(State())
  }

  /// Opens or makes the file. A last line that was only half written is cut off: its submission was never answered.
  init(file path: String) throws(SandboxError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .ledgerUnusable(path, errno: errno) }
    do throws(SandboxError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw SandboxError.ledgerInUse(path) }
      let tail = try LedgerTail(descriptor, path)
      bound = 0
      lastID = tail.lastID
      state = Lock(State(descriptor: descriptor, length: tail.length))
    } catch {
      Foundation.close(descriptor)
      throw error
    }
  }

  deinit { close() }

  /// Gives the file back, so that the next sandbox can have it; nothing is taken or told any more.
  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      guard state.descriptor >= 0 else { return }
      // Closing alone would leave the lock to a child that is being started just now, until it runs.
      flock(state.descriptor, LOCK_UN)
      Foundation.close(state.descriptor)
    }
  }

  /// Whole lines, all of them or none.
  /// - Returns: false when the disk does not take them.
  func append(_ lines: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      guard state.descriptor >= 0 else {
        if let room = state.chunks.last.map({ Self.chunk - $0.count }), room >= lines.count {
          state.chunks.appendToLast(lines)
        } else {
          state.chunks.append(lines)
        }
        state.bytes += lines.count
        while state.bytes > bound, state.chunks.count > 1, let oldest = state.chunks.popFirst() {
          state.bytes -= oldest.count
        }
        return true
      }
      var written = 0
      while written < lines.count {
        let count = lines[written...].withUnsafeBytes { write(state.descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          ftruncate(state.descriptor, off_t(state.length))
          return false
        }
        written += count
      }
      state.length += Int64(lines.count)
      return true
    }
  }

  /// The ledger as it is now, in pieces of up to 64 kB.
  func pieces() -> Pieces {
    state.withLock { state in
      state.descriptor < 0
        ? Pieces(ledger: self, chunks: state.chunks.prefix(.max), end: 0)
        : Pieces(ledger: self, chunks: [], end: state.length)
    }
  }

  struct Pieces: Sendable {
    fileprivate let ledger: Ledger
    fileprivate let chunks: [[UInt8]]
    fileprivate let end: Int64
    private var chunk = 0
    private var place = 0
    private var offset: Int64 = 0

    fileprivate init(ledger: Ledger, chunks: [[UInt8]], end: Int64) {
      self.ledger = ledger
      self.chunks = chunks
      self.end = end
    }

    /// nil at the end, and where the file can not be read.
    mutating func next() -> [UInt8]? {
      if chunk < chunks.count {
        let piece = Array(chunks[chunk].dropFirst(place).prefix(65_536))
        place += piece.count
        if place == chunks[chunk].count { (chunk, place) = (chunk + 1, 0) }
        return piece
      }
      guard offset < end, let piece = ledger.read(Int(min(65_536, end - offset)), at: offset), !piece.isEmpty else {
        return nil
      }
      offset += Int64(piece.count)
      return piece
    }

    /// Whether all of it was given out.
    var isComplete: Bool { chunk == chunks.count && offset == end }
  }

  fileprivate func read(_ count: Int, at offset: Int64) -> [UInt8]? {
    state.withLock { $0.isClosed ? nil : readBytes($0.descriptor, count, at: offset) }
  }
}

/// The end of a ledger's file, mended.
private struct LedgerTail {
  var length: Int64
  var lastID: UInt64 = 0

  /// No line is longer: a text in a request has at most a quarter of a megabyte.
  private static let lineLimit: Int64 = 4 << 20

  init(_ descriptor: Int32, _ path: String) throws(SandboxError) {
    length = Int64(lseek(descriptor, 0, SEEK_END))
    let start = max(0, length - Self.lineLimit)
    guard length >= 0, let tail = readBytes(descriptor, Int(length - start), at: start) else {
      throw .ledgerUnusable(path, errno: errno)
    }
    let whole = tail.lastIndex(of: 0x0A).map { tail[...$0] } ?? []
    guard start == 0 || !whole.isEmpty else { throw .ledgerDamaged(path) }
    if whole.count < tail.count {
      length = start + Int64(whole.count)
      guard ftruncate(descriptor, off_t(length)) == 0 else { throw .ledgerUnusable(path, errno: errno) }
    }
    guard let line = whole.split(separator: 0x0A).last else { return }
    guard let id = LedgerEntry.id(inLine: Array(line)) else { throw .ledgerDamaged(path) }
    lastID = id
  }
}

private func readBytes(_ descriptor: Int32, _ count: Int, at offset: Int64) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  while filled < count {
    let read = bytes[filled...].withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, $0.count, off_t(offset) + off_t(filled))
    }
    if read < 0, errno == EINTR { continue }
    guard read >= 0 else { return nil }
    if read == 0 { break }
    filled += read
  }
  bytes.removeLast(count - filled)
  return bytes
}
