import Cryptography
import Database
import Exchange
import Foundation

/// The folder in which an exchange keeps everything: database, master key, configuration, own profiles.
struct DataFolder {
  let path: String

  static let defaultPath = "data"

  init(_ path: String) { self.path = path }

  /// The folder that a command names with `--data`, else the environment, else `data` here.
  init(_ arguments: inout Arguments) throws {
    let named = try arguments.value("--data") ?? ProcessInfo.processInfo.environment["SWITCHBOARD_DATA"]
    path = named.flatMap { $0.isEmpty ? nil : $0 } ?? Self.defaultPath
  }

  var database: String { path + "/switchboard.db" }
  var masterKey: String { path + "/master.key" }
  var configuration: String { path + "/switchboard.json5" }
  var carrierProfiles: String { path + "/profiles/carriers" }
  var sandbox: String { path + "/sandbox" }

  var exists: Bool { FileManager.default.fileExists(atPath: database) }

  func create() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("The data folder \(path) can not be made. Make it yourself, or name another with --data.")
    }
  }

  static let keyVariable = "SWITCHBOARD_MASTER_KEY"

  /// The master key: from the environment where it is there, else from its file, which is made at first start.
  ///
  /// A database without its key is not given a new one: what is encrypted in it would be unreadable, and nobody told.
  func loadKey() throws -> MasterKey {
    if let value = ProcessInfo.processInfo.environment[Self.keyVariable] {
      return try MasterKey(environmentValue: value, name: Self.keyVariable)
    }
    if exists, !FileManager.default.fileExists(atPath: masterKey) {
      throw CommandError(
        "There is a database in \(path), but the master key \(masterKey) that belongs to it is missing. Nothing was "
          + "started. Put the key back from where its copy is kept, as a file of mode 0600. If it is lost for good, "
          + "`(umask 077; openssl rand -hex 32 > \(masterKey))` makes another: then remove and create the carriers "
          + "again, since their passwords can not be read any more.")
    }
    return try MasterKey.load(file: masterKey)
  }

  /// A folder for files on their way in or out, made afresh; those of processes that died are cleared away.
  func makeScratch(for purpose: String) throws -> String {
    let prefix = "\(purpose)-"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count)), process != getpid() else { continue }
      if kill(process, 0) != 0, errno == ESRCH { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    }
    let scratch = "\(path)/\(prefix)\(getpid())"
    try? FileManager.default.removeItem(atPath: scratch)
    do {
      try FileManager.default.createDirectory(
        atPath: scratch, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("\(path) can not be written (is the disk full?). Nothing was changed.")
    }
    return scratch
  }

  /// What an operator's command works on, beside a running server or without one.
  func open() throws -> OpenFolder {
    guard exists else {
      throw CommandError(
        "There is no exchange in \(path). Start one with `switchboard serve --data \(path)`, or name its folder with --data."
      )
    }
    return try OpenFolder(self)
  }
}

/// An open database with the key that belongs to it.
struct OpenFolder {
  let folder: DataFolder
  let key: MasterKey
  let database: SQLiteDatabase
  let ids: IdentifierSource
  let accounts: AccountStore
  let outbox: Outbox

  init(_ folder: DataFolder) throws {
    self.folder = folder
    key = try folder.loadKey()
    database = try SQLiteDatabase(path: folder.database, migrations: DatabaseSchema.migrations)
    ids = IdentifierSource(random: SecureRandom())
    accounts = AccountStore(ids: ids, key: key)
    outbox = Outbox(ids: ids, key: key)
  }

  /// Runs a command's work and closes the database whatever comes of it.
  func use<Result>(_ body: (OpenFolder) async throws -> Result) async throws -> Result {
    do {
      let result = try await body(self)
      await database.close()
      return result
    } catch {
      await database.close()
      throw error
    }
  }
}
