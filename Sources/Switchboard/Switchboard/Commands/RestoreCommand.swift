import Contract
import Database
import Exchange
import Formats
import Foundation
import Runtime

enum RestoreCommand: Command {
  static let name = "restore"
  static let summary = "put an archive back, with the server stopped"
  static let help = """
    switchboard restore FILE [--force] [--data DIR] [--json]

    Checks the archive (its digests, and the database in it) before anything is touched. What is there already is
    replaced only with --force, and is kept beside it under another name. An archive without the master key needs the
    key that was in use when it was made: put it into the folder as master.key before the server is started.

    Messages that were accepted after the backup are not in it. Those that were waiting in it are sent when the server
    starts: if they were sent meanwhile, they go out again. Look at `doctor` first.

    Example: switchboard restore switchboard-2026-11-30.tar --data /var/lib/switchboard
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let isForced = arguments.flag("--force")
    let isJSON = arguments.flag("--json")
    guard let archive = arguments.word() else { throw UsageError("Name the archive.") }
    try arguments.finish()
    guard FileManager.default.fileExists(atPath: archive) else {
      throw CommandError("There is no file \(archive). Nothing was changed.")
    }
    guard let entries = ArchiveFile.entries(of: archive) else {
      throw CommandError("\(archive) is no archive of an exchange, or is damaged. Nothing was changed.")
    }
    try folder.create()
    let lock = try DataFolderLock(folder: folder.path)
    defer { withExtendedLifetime(lock) {} }
    if folder.exists, !isForced {
      throw CommandError("There is an exchange in \(folder.path) already. Nothing was changed; --force replaces it.")
    }
    let scratch = try folder.makeScratch(for: "restore")
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    try unpack(entries, of: archive, into: scratch)
    try check(scratch)
    try put(entries, from: scratch, into: folder)
    let needsKey = !FileManager.default.fileExists(atPath: folder.masterKey)
    Output.done(
      "Restored into \(folder.path). "
        + (needsKey ? "Put its master key there as \(folder.masterKey) (mode 0600) first. " : "")
        + "`switchboard doctor` checks it; `switchboard serve` starts it.", isJSON: isJSON
    ) { json in
      json.field("data", folder.path)
      json.field("needsKey", needsKey)
    }
    return .done
  }

  private static func unpack(_ entries: [ArchiveFile.Entry], of archive: String, into scratch: String) throws {
    for entry in entries {
      guard Manifest.mayHold(entry.name) else {
        throw CommandError("The archive has a file that does not belong into it. Nothing was changed.")
      }
      let target = "\(scratch)/\(entry.name)"
      try FileManager.default.createDirectory(
        atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try ArchiveFile.extract(entry, from: archive, to: target)
    }
  }

  private static func check(_ scratch: String) throws {
    guard let bytes = FileReading.bytes(of: scratch + "/manifest.json", limit: 1 << 20),
      let manifest = try? JSON.parse(bytes), manifest["format"]?.integer == Int64(Manifest.format),
      let digests = manifest["sha256"]?.object, digests.contains(where: { $0.key == "switchboard.db" })
    else {
      throw CommandError("The archive's manifest can not be read, or is of a newer program. Nothing was changed.")
    }
    for member in digests {
      guard Manifest.mayHold(member.key), let digest = Manifest.digest(of: "\(scratch)/\(member.key)"),
        digest == member.value.string
      else { throw CommandError("The archive is damaged (\(member.key) is not what it was). Nothing was changed.") }
    }
    do {
      let connection = try SQLiteConnection(.file(scratch + "/switchboard.db"))
      defer { connection.finish() }
      try connection.checkStart()
      guard try connection.integrityCheck().isEmpty else { throw DatabaseError.damaged("it does not hold together") }
    } catch {
      throw CommandError("The database in the archive is damaged. Nothing was changed.")
    }
  }

  /// Moves what is there aside and the restored files in; where that fails, all of it back.
  private static func put(_ entries: [ArchiveFile.Entry], from scratch: String, into folder: DataFolder) throws {
    let suffix = ".before-restore-\(SystemClock().now.milliseconds)"
    let names = entries.map(\.name).filter { $0 != "manifest.json" }
    var moves: [(from: String, to: String)] = []
    for name in names + ["switchboard.db-wal", "switchboard.db-shm"] {
      let target = "\(folder.path)/\(name)"
      guard FileManager.default.fileExists(atPath: target) else { continue }
      // The log keeps the name of its database, so that the two can still be opened together.
      moves.append((target, name.hasPrefix("switchboard.db") ? kept(name, suffix, folder) : target + suffix))
    }
    for name in names { moves.append(("\(scratch)/\(name)", "\(folder.path)/\(name)")) }
    for (index, move) in moves.enumerated() {
      try FileManager.default.createDirectory(
        atPath: (move.to as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      guard rename(move.from, move.to) == 0 else {
        let reason = String(cString: strerror(errno))
        for done in moves[..<index].reversed() { _ = rename(done.to, done.from) }
        throw CommandError("\(move.to) can not be written (\(reason)). Nothing was changed.")
      }
    }
    for path in [folder.path, folder.carrierProfiles] { sync(path) }
  }

  private static func kept(_ name: String, _ suffix: String, _ folder: DataFolder) -> String {
    folder.database + suffix + name.dropFirst("switchboard.db".count)
  }

  /// Waits until the names in a folder are on disk.
  private static func sync(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
