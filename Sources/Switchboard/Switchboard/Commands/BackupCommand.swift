import Contract
import Cryptography
import Database
import Exchange
import Formats
import Foundation
import Runtime

enum BackupCommand: Command {
  static let name = "backup"
  static let summary = "write everything into one archive, while the server runs"
  static let help = """
    switchboard backup FILE [--with-key] [--data DIR]

    Writes a consistent copy of the database and the operator's own profiles into a tar archive. The master key is left
    out unless --with-key is given: without the key nobody can read the secrets in the archive, and neither can you, so
    keep a copy of it in another place.

    Example: switchboard backup switchboard-$(date +%F).tar
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let withKey = arguments.flag("--with-key")
    guard let target = arguments.word() else { throw UsageError("Name the file to write.") }
    try arguments.finish()
    guard !FileManager.default.fileExists(atPath: target) else {
      throw CommandError("\(target) exists already; nothing was written. Name another file.")
    }
    let scratch = folder.path + "/backup-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.removeItem(atPath: scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let copy = scratch + "/switchboard.db"
    try await folder.open().use { open in try await open.database.backup(to: copy) }
    var files = [(name: "switchboard.db", path: copy)]
    if FileManager.default.fileExists(atPath: folder.configuration) {
      files.append(("switchboard.json5", folder.configuration))
    }
    for profile in (try? FileManager.default.contentsOfDirectory(atPath: folder.carrierProfiles)) ?? [] {
      files.append(("profiles/carriers/\(profile)", "\(folder.carrierProfiles)/\(profile)"))
    }
    if withKey { files.append(("master.key", folder.masterKey)) }
    let manifest = scratch + "/manifest.json"
    try Data(try Manifest.bytes(of: files)).write(to: URL(fileURLWithPath: manifest))
    try ArchiveFile.write([("manifest.json", manifest)] + files, to: target)
    Output.line("\(target) is written\(withKey ? ", with the master key in it: keep it safe" : "").")
    return .done
  }
}

/// What an archive says of itself.
enum Manifest {
  static let format = 1

  static func bytes(of files: [(name: String, path: String)]) throws -> [UInt8] {
    var digests: [(String, String)] = []
    for file in files {
      guard let digest = digest(of: file.path) else { throw CommandError("\(file.path) can not be read.") }
      digests.append((file.name, digest))
    }
    return JSONWriter.object { json in
      json.field("format", format)
      json.field("version", Version.number)
      json.field("madeAt", SystemClock().now)
      json.object("sha256") { json in
        for (name, digest) in digests {
          json.key(dynamic: name)
          json.string(digest)
        }
      }
    }
  }

  static func digest(of path: String) -> String? {
    guard let input = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? input.close() }
    var hash = SHA256()
    while let piece = try? input.read(upToCount: 1 << 20), !piece.isEmpty { hash.update(Array(piece)) }
    return Hex.encode(hash.finish())
  }
}
