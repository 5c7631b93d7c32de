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
    switchboard backup FILE [--with-key] [--data DIR] [--json]

    Writes a consistent copy of the database and the operator's own profiles into a tar archive. The master key is left
    out unless --with-key is given: without the key nobody can read the secrets in the archive, and neither can you, so
    keep a copy of it in another place.

    Example: switchboard backup switchboard-$(date +%F).tar
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let folder = try DataFolder(&arguments)
    let withKey = arguments.flag("--with-key")
    let isJSON = arguments.flag("--json")
    guard let target = arguments.word() else { throw UsageError("Name the file to write.") }
    try arguments.finish()
    guard !FileManager.default.fileExists(atPath: target) else {
      throw CommandError("\(target) exists already; nothing was written. Name another file.")
    }
    let open = try folder.open()
    let scratch = try folder.makeScratch(for: "backup")
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let copy = scratch + "/switchboard.db"
    try await open.use { open in try await open.database.backup(to: copy) }
    var files = [(name: "switchboard.db", path: copy)]
    if FileManager.default.fileExists(atPath: folder.configuration) {
      files.append(("switchboard.json5", folder.configuration))
    }
    for profile in (try? FileManager.default.contentsOfDirectory(atPath: folder.carrierProfiles))?.sorted() ?? [] {
      let name = "profiles/carriers/\(profile)"
      if Manifest.mayHold(name) { files.append((name, "\(folder.carrierProfiles)/\(profile)")) }
    }
    if withKey {
      guard FileManager.default.fileExists(atPath: folder.masterKey) else {
        throw CommandError(
          "The master key comes from \(DataFolder.keyVariable), so there is no file of it to put into the archive. "
            + "Nothing was written; leave --with-key out.")
      }
      files.append(("master.key", folder.masterKey))
    }
    let manifest = scratch + "/manifest.json"
    try Data(try Manifest.bytes(of: files)).write(to: URL(fileURLWithPath: manifest))
    try ArchiveFile.write([("manifest.json", manifest)] + files, to: target)
    Output.done(
      "\(target) is written\(withKey ? ", with the master key in it: keep it safe" : "").", isJSON: isJSON
    ) { json in
      json.field("file", target)
      json.field("hasKey", withKey)
    }
    return .done
  }
}

/// What an archive says of itself.
enum Manifest {
  static let format = 1

  /// Names that an archive may have: nothing is written outside the folder.
  static func mayHold(_ name: String) -> Bool {
    if ["manifest.json", "switchboard.db", "switchboard.json5", "master.key"].contains(name) { return true }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "profiles" && parts[1] == "carriers" && parts[2].hasSuffix(".json5")
      && !parts[2].hasPrefix(".") && name.utf8.count < 100
  }

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
