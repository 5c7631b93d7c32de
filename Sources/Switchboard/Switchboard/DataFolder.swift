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
    path =
      try arguments.value("--data") ?? ProcessInfo.processInfo.environment["SWITCHBOARD_DATA"] ?? Self.defaultPath
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

  private static let keyVariable = "SWITCHBOARD_MASTER_KEY"

  /// The master key: from the environment where it is there, else from its file, which is made at first start.
  func loadKey() throws -> MasterKey {
    if let value = ProcessInfo.processInfo.environment[Self.keyVariable] {
      return try MasterKey(environmentValue: value, name: Self.keyVariable)
    }
    return try MasterKey.load(file: masterKey)
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
    database = try SQLiteDatabase(path: folder.database, migrations: ExchangeSchema.migrations)
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
