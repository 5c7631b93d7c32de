import Formats
import Foundation
import Testing

/// A database that the disk or somebody's hand has damaged, and backups, which are the way back.
@Suite struct DamagedDatabaseTests {
  private static let phone = "+358401110005"

  /// A folder whose server sent some messages and was stopped.
  private func stoppedDemo(messages: Int) async throws -> (folder: TemporaryFolder, data: String, ids: [String]) {
    let demo = try await Demo()
    var ids: [String] = []
    for number in 0..<messages { ids.append(try await demo.text(Self.phone, "Number \(number)")) }
    for id in ids { _ = try await demo.wait(for: id, in: ["delivered"]) }
    demo.program.kill(SIGTERM)
    #expect(try await demo.program.waitForEnd() == 0)
    return (demo.folder, demo.data, ids)
  }

  private func overwrite(_ path: String, from: Double, to: Double) throws {
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw Failure("no file \(path)") }
    defer { close(file) }
    let size = Double(lseek(file, 0, SEEK_END))
    let garbage = [UInt8](repeating: 0xA5, count: Int(size * (to - from)))
    guard pwrite(file, garbage, garbage.count, off_t(size * from)) == garbage.count else {
      throw Failure("not written")
    }
  }

  @Test("A database whose beginning is gone is not started; the sentence names the way back, and doctor finds it")
  func damagedHeader() async throws {
    let (folder, data, _) = try await stoppedDemo(messages: 1)
    try overwrite(data + "/switchboard.db", from: 0, to: 0.05)
    let started = try await RunningProgram.run(
      ["serve", "--data", data, "--listen", "127.0.0.1:0"], folder: folder)
    #expect(started.status == 1)
    #expect(
      started.printed.contains("damaged") && started.printed.contains("switchboard restore"), "\(started.printed)")
    let doctor = try await RunningProgram.run(["doctor", "--data", data], folder: folder)
    #expect(doctor.status == 1)
    #expect(doctor.printed.contains("WRONG  database"), "\(doctor.printed)")
  }

  @Test("A database that is damaged deeper takes nothing more, says so, and doctor finds it")
  func damagedPages() async throws {
    let (folder, data, _) = try await stoppedDemo(messages: 150)
    try overwrite(data + "/switchboard.db", from: 0.5, to: 1)
    let doctor = try await RunningProgram.run(["doctor", "--data", data], folder: folder)
    #expect(doctor.status == 1)
    #expect(doctor.printed.contains("WRONG  database") && doctor.printed.contains("restore"), "\(doctor.printed)")

    let demo: Demo
    do { demo = try await Demo(folder: folder) } catch {
      // It may meet the damage while it starts; then it must say so.
      #expect("\(error)".contains("damaged") && "\(error)".contains("switchboard restore"), "\(error)")
      return
    }
    var refusal: (status: Int, json: JSONValue)?
    for number in 0..<500 where refusal == nil {
      let answer = try await demo.call(
        "POST", "/api/v1/messages", #"{"to":"+3584011200\#(10 + number % 80)","text":"x"}"#)
      if answer.status != 202 { refusal = (answer.status, answer.json) }
    }
    let refused = try #require(refusal)
    #expect(refused.status == 503, "\(refused.json)")
    #expect(refused.json["error"]?["code"]?.string == "database-damaged")
    #expect(refused.json["error"]?["message"]?.string?.contains("restore") == true)
    #expect(try await demo.call("GET", "/health/ready").status == 503)
    #expect(try await demo.call("GET", "/health/live").status == 200)
  }

  @Test("A backup made while messages are sent brings everything back that was accepted before it")
  func backupAndRestore() async throws {
    let demo = try await Demo()
    var ids: [String] = []
    for number in 0..<20 { ids.append(try await demo.text(Self.phone, "Kept \(number)")) }
    for id in ids { _ = try await demo.wait(for: id, in: ["delivered"]) }
    let sending = Task {
      var number = 0
      while !Task.isCancelled {
        number += 1
        _ = try await demo.text("+358401110006", "Meanwhile \(number)")
      }
    }
    let archive = demo.folder.path + "/backup.tar"
    let made = try await demo.commandJSON(["backup", archive, "--with-key"])
    #expect(made["hasKey"]?.bool == true)
    sending.cancel()
    _ = await sending.result
    let again = try await demo.command(["backup", archive])
    #expect(again.status == 1)
    #expect(again.printed.contains("exists already"))
    let running = try await demo.command(["restore", archive, "--force"])
    #expect(running.status == 1)
    #expect(running.printed.contains("Another server"), "\(running.printed)")
    demo.program.kill(SIGTERM)
    #expect(try await demo.program.waitForEnd() == 0)

    let there = try await demo.command(["restore", archive])
    #expect(there.status == 1)
    #expect(there.printed.contains("--force"), "\(there.printed)")

    // Into an empty folder, with the key.
    let folder = try TemporaryFolder()
    let restored = try await RunningProgram.run(
      ["restore", archive, "--data", folder.path + "/data"], folder: folder)
    #expect(restored.status == 0, "\(restored.printed)")
    let second = try await Demo(folder: folder)
    for (number, id) in ids.enumerated() {
      let message = try await second.message(id)
      #expect(message["state"]?.string == "delivered")
      #expect(message["text"]?.string == "Kept \(number)")
    }
    _ = try await second.wait(for: try await second.text(Self.phone, "Goes on"), in: ["delivered"])

    // Over what is there, which is kept.
    let forced = try await demo.command(["restore", archive, "--force"])
    #expect(forced.status == 0, "\(forced.printed)")
    let files = try FileManager.default.contentsOfDirectory(atPath: demo.data)
    #expect(files.contains { $0.hasPrefix("switchboard.db.before-restore-") }, "\(files)")
    #expect(files.contains { $0.hasPrefix("master.key.before-restore-") }, "\(files)")
    #expect(!files.contains { $0.hasPrefix("restore-") || $0.hasPrefix("backup-") }, "\(files)")
  }

  @Test("Without its master key a restored database is not started, and no new key is made for it")
  func restoreWithoutKey() async throws {
    let (folder, data, ids) = try await stoppedDemo(messages: 1)
    let archive = folder.path + "/backup.tar"
    #expect(try await RunningProgram.run(["backup", archive, "--data", data], folder: folder).status == 0)
    let other = folder.path + "/other"
    let restored = try await RunningProgram.run(["restore", archive, "--data", other, "--json"], folder: folder)
    #expect(try JSON.parse(Array(restored.printed.utf8))["needsKey"]?.bool == true)
    let started = try await RunningProgram.run(
      ["serve", "--data", other, "--listen", "127.0.0.1:0"], folder: folder)
    #expect(started.status == 1)
    #expect(started.printed.contains("master key"), "\(started.printed)")
    #expect(!FileManager.default.fileExists(atPath: other + "/master.key"))

    try FileManager.default.copyItem(atPath: data + "/master.key", toPath: other + "/master.key")
    let demo = try await Demo(folder: folder, data: other)
    #expect(try await demo.message(ids[0])["state"]?.string == "delivered")
  }

  @Test("An archive that is damaged, cut, or none is refused, and nothing is touched")
  func damagedArchive() async throws {
    let (folder, data, _) = try await stoppedDemo(messages: 3)
    let archive = folder.path + "/backup.tar"
    #expect(try await RunningProgram.run(["backup", archive, "--data", data], folder: folder).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: data + "/switchboard.db"))

    func refused(_ what: String, _ change: (inout Data) -> Void) async throws {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: archive))
      change(&bytes)
      let path = folder.path + "/changed.tar"
      try bytes.write(to: URL(fileURLWithPath: path))
      let result = try await RunningProgram.run(["restore", path, "--force", "--data", data], folder: folder)
      #expect(result.status == 1, "\(what): \(result.printed)")
      #expect(result.printed.contains("Nothing was changed."), "\(what): \(result.printed)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: data + "/switchboard.db")) == before, "\(what)")
    }
    // The database begins behind the manifest's header, the manifest and its own header.
    try await refused("a byte of the database is another") { $0[$0.count / 2] ^= 0x40 }
    try await refused("the end is missing") { $0.removeLast($0.count / 3) }
    try await refused("a header is damaged") { $0[0] ^= 1 }
    try await refused("it is empty") { $0 = Data() }
    try await refused("it is something else") { $0 = Data("This is no archive.".utf8) }
    try await refused("it is all zeros") { $0 = Data(count: 4096) }
  }

  @Test(
    "An archive with a file that does not belong into it is refused",
    arguments: [
      "../x", "/tmp/x", "profiles/carriers/../../../x.json5", "profiles/carriers/.json5", "other.txt",
    ])
  func foreignFile(name: String) async throws {
    let folder = try TemporaryFolder()
    let archive = folder.path + "/foreign.tar"
    try Data(Self.tar(name, Array("Hello".utf8))).write(to: URL(fileURLWithPath: archive))
    let result = try await RunningProgram.run(["restore", archive, "--data", folder.path + "/a/data"], folder: folder)
    #expect(result.status == 1)
    #expect(result.printed.contains("does not belong into it"), "\(result.printed)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/a/x"))
    #expect(!FileManager.default.fileExists(atPath: "/tmp/x"))
  }

  /// A ustar archive with one file, whose checksum is right.
  private static func tar(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ offset: Int) {
      for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
    }
    func octal(_ value: Int, _ width: Int) -> String {
      let digits = String(value, radix: 8)
      return String(repeating: "0", count: width - digits.count) + digits
    }
    put(name, 0)
    put("0000600", 100)
    put(octal(content.count, 11), 124)
    put("        ", 148)
    put("0", 156)
    put("ustar", 257)
    put("00", 263)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", 148)
    return header + content + [UInt8](repeating: 0, count: 512 - content.count % 512 + 1024)
  }
}
