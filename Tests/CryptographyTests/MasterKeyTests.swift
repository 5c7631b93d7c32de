import Cryptography
import Foundation
import Testing

@Suite("Master key") struct MasterKeyTests {
  private let key: MasterKey
  private let other: MasterKey

  init() throws {
    key = try #require(MasterKey(hex: String(repeating: "01", count: 32)))
    other = try #require(MasterKey(hex: String(repeating: "02", count: 32)))
  }

  @Test func whatWasSealedOpensForItsPurposeOnly() throws {
    let box = key.seal([1, 2, 3], purpose: "carrier password")
    #expect(try key.open(box, purpose: "carrier password") == [1, 2, 3])
    #expect(throws: MasterKey.OpenError.damaged) { try key.open(box, purpose: "device code") }
    #expect(throws: MasterKey.OpenError.damaged) { try key.open([], purpose: "carrier password") }
    #expect(throws: MasterKey.OpenError.damaged) { try key.open(Array(box.dropLast()), purpose: "carrier password") }
    #expect(key.id != other.id)
    let error = #expect(throws: MasterKey.OpenError.self) { try other.open(box, purpose: "carrier password") }
    #expect(
      error?.description
        == "This secret was encrypted with another master key. Put that key back, or enter the secret again.")
  }

  @Test func hashesDependOnKeyPurposeAndToken() {
    let hash = key.hash("token", purpose: "session")
    #expect(hash.count == 32)
    #expect(hash == key.hash("token", purpose: "session"))
    #expect(hash != key.hash("token", purpose: "API key"))
    #expect(hash != key.hash("tokeN", purpose: "session"))
    #expect(hash != other.hash("token", purpose: "session"))
    #expect(key.subkey("session") != key.subkey("API key"))
  }

  /// What is stored today must open after the next release: these values may never change.
  @Test func derivationIsFixed() throws {
    #expect(key.id == 0x85)
    #expect(
      Hex.encode(key.hash("token", purpose: "session"))
        == "1786f3470915c24876de711862ccf39e327d9098282479627e04766055b7b02c")
    let box = try #require(
      Hex.decode(
        "851bf3498aba4d35a0fb4283d5f8a2093d726464c3c88cd561ee36d361171cb57c2cb1d8"
          + "d410983c50664a8b43511d"))
    #expect(try key.open(box, purpose: "carrier password") == Array("secret".utf8))
  }

  // MARK: The file

  private func folder() throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private func put(_ text: String, at path: String, mode: mode_t = 0o600) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, mode) == 0)
  }

  @Test func theFirstStartMakesTheFileAndTheNextReadsIt() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/master.key"
    let made = try MasterKey.load(file: path)
    let read = try MasterKey.load(file: path)
    #expect(made.subkey("x") == read.subkey("x"))
    let mode = try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)
    #expect(mode.intValue == 0o600)
    #expect(try String(contentsOfFile: path, encoding: .utf8).count == 65)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["master.key"], "no draft is left")
  }

  @Test func programsThatStartTogetherUseOneKey() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/master.key"
    let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<16 { group.addTask { try MasterKey.load(file: path).subkey("x") } }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o610] as [mode_t])
  func aFileThatOthersCanReadIsRefused(mode: mode_t) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/master.key"
    try put(String(repeating: "ab", count: 32), at: path, mode: mode)
    let error = #expect(throws: MasterKey.LoadError.self) { try MasterKey.load(file: path) }
    #expect(
      error?.description
        == "Others can read the master key \(path) (its mode is 0\(String(mode, radix: 8))), so nothing was started. "
        + "Run `chmod 600 \(path)`; if somebody may have read it, replace the key and the secrets under it.")
  }

  @Test(
    arguments: [
      "", "\n", String(repeating: "ab", count: 31), String(repeating: "ab", count: 33),
      String(repeating: "xy", count: 32), String(repeating: "ab", count: 32) + String(repeating: " ", count: 400),
    ])
  func aFileThatIsNoKeyIsRefusedAndKept(text: String) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/master.key"
    try put(text, at: path)
    #expect(throws: MasterKey.LoadError.notAKey(path: path)) { try MasterKey.load(file: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func aPlaceThatCanNotBeWrittenOrReadIsNamed() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let missing = folder + "/missing/master.key"
    let error = #expect(throws: MasterKey.LoadError.self) { try MasterKey.load(file: missing) }
    #expect(
      error?.description
        == "A new master key can not be written to \(missing) (No such file or directory), so nothing was started.")
    #expect(throws: MasterKey.LoadError.notReadable(path: folder, reason: "it is not a file")) {
      try MasterKey.load(file: folder)
    }
  }

  @Test func theVariableTakesTheSameDigitsAndIsNeverShown() throws {
    let value = String(repeating: "01", count: 32)
    let read = try MasterKey(environmentValue: value + "\n", name: "SWITCHBOARD_MASTER_KEY")
    #expect(read.subkey("x") == key.subkey("x"))
    let error = #expect(throws: MasterKey.LoadError.self) {
      try MasterKey(environmentValue: "hunter2", name: "SWITCHBOARD_MASTER_KEY")
    }
    #expect(error?.description.contains("hunter2") == false)
    #expect(error?.description.hasPrefix("SWITCHBOARD_MASTER_KEY is not 64 hexadecimal digits") == true)
  }
}
