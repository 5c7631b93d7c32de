import Contract
import Foundation
import Network
import Runtime
import Sandbox
import Testing

@Suite struct LedgerTests {
  private let to = "DA=358400000001&SA=358401111111&ST=1"

  @Test func theLedgerOutlivesTheSandboxAndIDsGoOnRising() async throws {
    try await withFolder { folder in
      let configuration = SandboxConfiguration(dataFolder: folder)
      let before = Lock<[String]>([])
      try await withSandbox(configuration) { (sandbox) async throws in
        for number in 0..<3 { _ = try await sandbox.httpsms("\(to)&M=\(number)&UR=r\(number)") }
        _ = try await sandbox.smsglobal("to=358400000001&from=Info&text=Hi")
        let ids = try await sandbox.ledger("fast").map { $0.text("id") }
        before.withLock { $0 = ids }
        let file = try #require(FileManager.default.contents(atPath: "\(folder)/ledger-fast.jsonl"))
        let shown = try await sandbox.ask("GET", "/sandbox/carriers/fast/ledger").text
        #expect(String(decoding: file, as: UTF8.self) == shown)
      }
      // As a sandbox leaves it that was killed in the midst of a line.
      let file = try #require(FileHandle(forWritingAtPath: "\(folder)/ledger-fast.jsonl"))
      try file.seekToEnd()
      try file.write(contentsOf: Data(#"{"id":"99999"#.utf8))
      try file.close()
      try await withSandbox(configuration) { (sandbox) async throws in
        let ids = before.withLock { $0 }
        #expect(ids.count == 3)
        #expect(try await sandbox.ledger("fast").map { $0.text("id") } == ids)
        _ = try await sandbox.httpsms("\(to)&M=3")
        let after = try await sandbox.ledger("fast")
        #expect(after.map { $0.text("text") } == ["0", "1", "2", "3"])
        let numbers = after.compactMap { UInt64($0.text("id")) }
        #expect(numbers == numbers.sorted() && Set(numbers).count == 4)
        #expect(try await sandbox.ledger("global").count == 1)
      }
    }
  }

  @Test func twoSandboxesDoNotShareAFolder() async throws {
    try await withFolder { folder in
      let configuration = SandboxConfiguration(port: 0, dataFolder: folder)
      try await withSandbox(configuration) { _ in
        let loops = try EventLoopGroup()
        defer { loops.stop() }
        await #expect(throws: SandboxError.ledgerInUse("\(folder)/ledger-fast.jsonl")) {
          _ = try await SandboxServer(configuration: configuration, loops: loops, log: .silent).start()
        }
      }
    }
  }

  @Test func aDamagedLedgerIsNotWrittenTo() async throws {
    try await withFolder { folder in
      let path = "\(folder)/ledger-fast.jsonl"
      try Data("not a ledger\n".utf8).write(to: URL(fileURLWithPath: path))
      let loops = try EventLoopGroup()
      defer { loops.stop() }
      await #expect(throws: SandboxError.ledgerDamaged(path)) {
        let configuration = SandboxConfiguration(port: 0, dataFolder: folder)
        _ = try await SandboxServer(configuration: configuration, loops: loops, log: .silent).start()
      }
      #expect(FileManager.default.contents(atPath: path) == Data("not a ledger\n".utf8))
    }
  }

  @Test func aDiskThatTakesNothingRefusesTheMessage() async throws {
    try await withFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/ledger-fast.jsonl", withDestinationPath: "/dev/full")
      try await withSandbox(SandboxConfiguration(dataFolder: folder)) { (sandbox) async throws in
        #expect(try await sandbox.httpsms("\(to)&M=Hi&DR=1").text == "ERR -20")
        #expect(try await sandbox.messages(of: "358400000001").isEmpty)
        #expect(try await sandbox.smsglobal("to=358400000001&from=Info&text=Hi").text.hasPrefix("OK: 0;"))
      }
    }
  }

  @Test func inMemoryTheOldestLinesGo() async throws {
    var configuration = SandboxConfiguration()
    configuration.bounds.ledger = 1000
    try await withSandbox(configuration) { (sandbox) async throws in
      let text = String(repeating: "a", count: 400)
      for _ in 0..<4000 { _ = try await sandbox.httpsms("\(to)&M=\(text)") }
      let entries = try await sandbox.ledger("fast")
      #expect(entries.count > 100 && entries.count < 4000)
      #expect(entries.last?.text("text") == text)
    }
  }
}
