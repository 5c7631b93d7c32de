import Contract
import Database
import Delivery
import Exchange
import Foundation
import Runtime

/// The program at rest: how soon it answers, what it holds in memory with 100,000 queued, and how soon it goes on with a
/// million.
struct RestBenchmark {
  private let folder: String
  private let program: String
  private let most: Int
  private let password = "a good long password"

  init(_ options: inout Options) throws {
    folder = options.value("--folder") ?? NSTemporaryDirectory() + "switchboard-rest-\(getpid())"
    program = options.value("--program") ?? ".build/release/switchboard"
    most = options.integer("--most") ?? 1_000_000
  }

  func run() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let standIn = try StandIn()
    let standInPort = try await standIn.start()
    defer { standIn.stop() }
    let ours = try await Switchboard.start(program: program, in: folder, standIn: standInPort, rate: 1)
    standIn.serve(ours.receipts)
    await ours.stop()
    let data = folder + "/data"
    _ = try await ChildProcess.output(
      program, ["account", "create", "--phone", "+358401234567", "--password-stdin", "--data", data],
      input: password + "\n")

    var table = Table(["at rest", "start ms", "first one sent after ms", "MB", "MB after a sign-in", "MB at most"])
    var stored = 0
    for step in [0, 100_000, most] where step <= most {
      if step > stored { try await queue(step - stored, in: data, seed: UInt64(step)) }
      stored = max(stored, step)
      table.add(try await measure(standIn, data, stored))
    }
    table.print()
  }

  private func measure(_ standIn: StandIn, _ data: String, _ stored: Int) async throws -> [String] {
    var starts: [Double] = []
    var row: [String] = []
    for round in 0..<3 {
      let port = try LoopbackPort.free(1)[0]
      let before = standIn.counts.taken
      let began = ContinuousClock.now
      let server = try ChildProcess(
        program, ["serve", "--data", data, "--listen", "127.0.0.1:\(port)"], log: folder + "/serve.log")
      do {
        try await LoopbackPort.wait(for: port, of: server)
        starts.append((ContinuousClock.now - began).inSeconds * 1000)
        if round == 2 { row = try await details(server, port, standIn, before, began, stored) }
      } catch {
        await server.stop()
        throw error
      }
      await server.stop(within: .seconds(40))
    }
    let name = stored == 0 ? "nothing queued" : "\(Double(stored).text()) queued"
    return [name, starts.sorted()[1].text()] + row
  }

  private func details(
    _ server: ChildProcess, _ port: Int, _ standIn: StandIn, _ before: Int, _ began: ContinuousClock.Instant,
    _ stored: Int
  ) async throws -> [String] {
    var firstSent = "-"
    while stored > 0, ContinuousClock.now - began < .seconds(60) {
      if standIn.counts.taken > before {
        firstSent = ((ContinuousClock.now - began).inSeconds * 1000).text()
        break
      }
      try await Task.sleep(for: .milliseconds(2))
    }
    try await Task.sleep(for: .seconds(3))
    let resting = ProcessTable.residentMegabytes(server.pid)
    let answer = try await ChildProcess.output(
      "/usr/bin/env",
      [
        "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-H",
        "Origin: http://127.0.0.1:\(port)", "-d", #"{"phone":"+358401234567","password":"\#(password)"}"#,
        "http://127.0.0.1:\(port)/api/v1/sessions",
      ])
    guard answer.hasPrefix("2") else { throw BenchmarkError("the sign-in was answered with \(answer)") }
    let signedIn = ProcessTable.residentMegabytes(server.pid)
    let most = ProcessTable.mostResidentMegabytes(server.pid)
    return [firstSent, resting.text(), signedIn.text(), most.text()]
  }

  /// Writes them as the server would have, while it does not run.
  private func queue(_ count: Int, in data: String, seed: UInt64) async throws {
    let database = try SQLiteDatabase(path: data + "/switchboard.db", migrations: ProgramSchema.migrations)
    let runner = try LifeRunner(database: database, numbers: 1_000_000, seed: seed)
    try await runner.accept(count, batch: 1000)
    await database.close()
  }
}
