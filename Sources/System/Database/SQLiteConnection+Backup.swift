import CSQLite
import Foundation

extension SQLiteConnection {
  /// Writes a consistent copy of the whole database to a new file, and returns when it is on disk.
  ///
  /// The copy is made under another name first, so that a file at `target` is always a whole one.
  /// - Throws: `.unavailable` where `target` exists or can not be written, `.full`, `.damaged`.
  package func backup(to target: String) throws {
    let part = target + ".part"
    guard !FileManager.default.fileExists(atPath: target) else {
      throw DatabaseError.unavailable("\(target) exists already")
    }
    unlink(part)
    Self.makePrivateFile(at: part)
    defer { unlink(part) }
    try run("VACUUM INTO $1", [.text(part)])
    try Self.sync(part)
    guard rename(part, target) == 0 else { throw Self.systemError(target) }
    try Self.sync((target as NSString).deletingLastPathComponent)
  }

  /// Waits until a file, or the names in a folder, are on disk.
  private static func sync(_ path: String) throws(DatabaseError) {
    let file = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw systemError(path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw systemError(path) }
  }

  private static func systemError(_ path: String) -> DatabaseError {
    let cause = errno
    return cause == ENOSPC || cause == EDQUOT
      ? .full : .unavailable("\(path) can not be written, \(String(cString: strerror(cause)))")
  }
}
