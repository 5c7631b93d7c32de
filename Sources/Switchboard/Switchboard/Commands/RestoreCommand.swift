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
    switchboard restore FILE [--force] [--data DIR]

    Checks the archive (its digests, and the database in it) before anything is touched. A database that is there
    already is replaced only with --force, and is kept beside it under another name.

    Messages that were accepted after the backup are not in it. Those that were waiting in it are sent when the server
    starts: if they were sent meanwhile, they go out again. Look at `doctor` first.

    Example: switchboard restore switchboard-2026-11-30.tar --data /var/lib/switchboard
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let isForced = arguments.flag("--force")
    guard let archive = arguments.word() else { throw UsageError("Name the archive.") }
    try arguments.finish()
    guard let entries = ArchiveFile.entries(of: archive) else {
      throw CommandError("\(archive) is no archive of an exchange, or is damaged. Nothing was changed.")
    }
    try folder.create()
    let lock = try DataFolderLock(folder: folder.path)
    defer { withExtendedLifetime(lock) {} }
    if folder.exists, !isForced {
      throw CommandError("There is an exchange in \(folder.path) already. Nothing was changed; --force replaces it.")
    }
    let scratch = folder.path + "/restore-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.removeItem(atPath: scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    try unpack(entries, of: archive, into: scratch)
    try check(scratch)
    try put(entries, from: scratch, into: folder)
    Output.line("Restored into \(folder.path). `switchboard doctor` checks it; `switchboard serve` starts it.")
    return .done
  }

  /// Names that an archive may have: nothing is written outside the folder.
  private static func isKnown(_ name: String) -> Bool {
    if ["manifest.json", "switchboard.db", "switchboard.json5", "master.key"].contains(name) { return true }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "profiles" && parts[1] == "carriers" && parts[2].hasSuffix(".json5")
      && !parts[2].hasPrefix(".")
  }

  private static func unpack(_ entries: [ArchiveFile.Entry], of archive: String, into scratch: String) throws {
    for entry in entries {
      guard isKnown(entry.name) else {
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
      guard isKnown(member.key), let digest = Manifest.digest(of: "\(scratch)/\(member.key)"),
        digest == member.value.string
      else { throw CommandError("The archive is damaged (\(member.key) is not what it was). Nothing was changed.") }
    }
    let connection = try SQLiteConnection(.file(scratch + "/switchboard.db"))
    try connection.checkStart()
    let problems = try connection.integrityCheck()
    guard problems.isEmpty else { throw CommandError("The database in the archive is damaged. Nothing was changed.") }
  }

  private static func put(_ entries: [ArchiveFile.Entry], from scratch: String, into folder: DataFolder) throws {
    let suffix = ".before-restore-\(SystemClock().now.milliseconds / 1000)"
    for file in [folder.database, folder.database + "-wal", folder.database + "-shm"]
    where FileManager.default.fileExists(atPath: file) {
      guard rename(file, file.replacingOccurrences(of: folder.database, with: folder.database + suffix)) == 0 else {
        throw CommandError("\(file) can not be moved aside. Nothing was replaced.")
      }
    }
    for entry in entries where entry.name != "manifest.json" {
      let target = "\(folder.path)/\(entry.name)"
      try FileManager.default.createDirectory(
        atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      guard rename("\(scratch)/\(entry.name)", target) == 0 else {
        throw CommandError(
          "\(target) can not be written; the database that was there is kept as \(folder.database)\(suffix).")
      }
    }
  }
}
