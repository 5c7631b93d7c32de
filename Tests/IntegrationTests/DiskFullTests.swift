import Formats
import Foundation
import Testing

/// A data folder on a disk that fills up.
@Suite struct DiskFullTests {
  private static let phone = "+358401110004"

  private static let canMount: Bool = {
    let folder = NSTemporaryDirectory() + "mount-\(UUID().uuidString)"
    guard getuid() == 0, mkdir(folder, 0o700) == 0 else { return false }
    defer { rmdir(folder) }
    guard mount("tmpfs", folder, "tmpfs", 0, "size=64k") == 0 else { return false }
    umount(folder)
    return true
  }()

  /// A file system of a few megabytes that goes away with the test.
  private final class TinyDisk: Sendable {
    let path: String

    init(in folder: TemporaryFolder) throws {
      path = folder.path + "/disk"
      guard mkdir(path, 0o700) == 0, mount("tmpfs", path, "tmpfs", 0, "size=12m") == 0 else {
        throw Failure("no disk can be made: \(String(cString: strerror(errno)))")
      }
    }

    private var ballast: String { path + "/ballast" }

    /// Takes every byte that is left.
    func fill() throws {
      let file = open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      guard file >= 0 else { throw Failure("no ballast") }
      defer { close(file) }
      for size in [65_536, 4096, 1] {
        let block = [UInt8](repeating: 0, count: size)
        while write(file, block, size) == size {}
      }
    }

    func makeRoom() { unlink(ballast) }

    deinit { umount2(path, Int32(MNT_DETACH)) }
  }

  @Test(
    "A full disk refuses new messages and loses none; with room again everything goes on",
    .enabled(if: canMount, "Only root may mount the small disk that is filled here."))
  func fullDisk() async throws {
    let folder = try TemporaryFolder()
    let disk = try TinyDisk(in: folder)
    let world = try await SandboxProcess(folder: folder)
    let demo = try await Demo(folder: folder, data: disk.path + "/data", sandboxAt: world.address)
    var accepted: [String: String] = [:]
    for number in 0..<20 {
      let text = "Before \(number)"
      accepted[try await demo.text(Self.phone, text)] = text
    }

    try disk.fill()
    var refusal: (status: Int, json: JSONValue)?
    // What is left in the log that is there already may still take a few.
    for number in 0..<2000 where refusal == nil {
      let text = "While it fills \(number)"
      let answer = try await demo.call("POST", "/api/v1/messages", #"{"to":"\#(Self.phone)","text":"\#(text)"}"#)
      if answer.status == 202, let id = answer.json["id"]?.string {
        accepted[id] = text
      } else {
        refusal = (answer.status, answer.json)
      }
    }
    let refused = try #require(refusal)
    #expect(refused.status == 507, "\(refused.json)")
    #expect(refused.json["error"]?["code"]?.string == "disk-full")
    #expect(refused.json["error"]?["message"]?.string?.contains("disk") == true)

    // It stays up, and can be read.
    #expect(try await demo.call("GET", "/health/live").status == 200)
    #expect(try await demo.call("GET", "/api/v1/messages?limit=5").json["items"]?.array?.count == 5)
    for id in accepted.keys.prefix(5) { #expect(try await demo.message(id)["id"]?.string == id) }

    disk.makeRoom()
    try await demo.wait(until: "messages are accepted again") {
      let text = "After"
      let answer = try await demo.call("POST", "/api/v1/messages", #"{"to":"\#(Self.phone)","text":"\#(text)"}"#)
      if answer.status == 202, let id = answer.json["id"]?.string { accepted[id] = text }
      return answer.status == 202
    }
    for id in accepted.keys { _ = try await demo.wait(for: id, in: ["delivered"], within: .seconds(60)) }
    #expect(try await demo.call("GET", "/health/ready").status == 200)
    // Exactly what was accepted, each once.
    #expect(try await (demo.ledger("fast") + demo.ledger("global")).sorted() == accepted.values.sorted())

    demo.program.kill(SIGTERM)
    #expect(try await demo.program.waitForEnd() == 0)
    let doctor = try await demo.command(["doctor", "--json"])
    let findings = try JSON.parse(Array(doctor.printed.utf8))["items"]?.array ?? []
    let database = findings.filter { $0["what"]?.string == "database" }
    #expect(database.allSatisfy { $0["problem"]?.isNull == true } && !database.isEmpty, "\(doctor.printed)")
  }
}
