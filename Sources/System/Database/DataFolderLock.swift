import Foundation

/// Held by the one server that uses a data folder, as long as it lives; the system lets go of it when the process ends,
/// however that happens. Commands work beside it.
package final class DataFolderLock: Sendable {
  /// The name of the lock file inside the data folder. It stays there; only the lock on it counts.
  package static let name = "switchboard.lock"

  private let file: CInt

  /// Takes the lock on `folder` without waiting.
  package init(folder: String) throws(DataFolderLockError) {
    let path = folder.hasSuffix("/") ? folder + Self.name : folder + "/" + Self.name
    let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unusable(folder: folder, reason: String(cString: strerror(errno))) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let cause = errno
      let owner = Self.read(file)
      close(file)
      guard cause == EWOULDBLOCK else { throw .unusable(folder: folder, reason: String(cString: strerror(cause))) }
      throw .taken(folder: folder, process: owner)
    }
    self.file = file
    // For the sentence that the next one reads; the lock does not depend on it.
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(file, 0) == 0 { _ = pwrite(file, text, text.count, 0) }
  }

  deinit {
    // Closing alone would leave the lock to a child that is being started just now, until it runs.
    flock(file, LOCK_UN)
    close(file)
  }

  private static func read(_ file: CInt) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(file, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int(String(decoding: bytes.prefix(count).prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
  }
}

/// Why this server can not have a data folder.
package enum DataFolderLockError: Error, Equatable, CustomStringConvertible {
  case taken(folder: String, process: Int?)
  case unusable(folder: String, reason: String)

  package var description: String {
    switch self {
    case .taken(let folder, let process):
      "Another server\(process.map { " (process \($0))" } ?? "") uses the data folder \(folder). "
        + "Stop it first, or give this one a folder of its own."
    case .unusable(let folder, let reason):
      "The data folder \(folder) can not be used (\(reason)). Make it, and let this user write in it."
    }
  }
}
