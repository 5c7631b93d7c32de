import Database
import Delivery
import Formats
import Foundation
import Runtime

/// The program of this package, as its user runs it.
struct Switchboard: MeasuredExchange {
  let name = "Switchboard"
  let address: String
  let request: String
  let receipts: ReceiptForm
  let processes: [ChildProcess]
  private let folder: String

  static func start(program: String, in folder: String, standIn: Int, rate: Int?) async throws -> Switchboard {
    let port = try LoopbackPort.free(1)[0]
    let data = folder + "/data"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let server = try ChildProcess(
      program, ["serve", "--data", data, "--listen", "127.0.0.1:\(port)"], log: folder + "/serve.log")
    do {
      try await LoopbackPort.wait(for: port, of: server)
      func command(_ words: String...) async throws -> JSONValue {
        try JSON.parse(
          Array(try await ChildProcess.output(program, words + ["--data", data, "--json"]).utf8))
      }
      let account = try await command("account", "create", "--name", "bench")["id"]?.string ?? ""
      let key = try await command("key", "create", "--account", account, "--scopes", "messages:send")["key"]?.string
      let callback = try await command(
        "carrier", "create", "standin", "--profile", "httpsms", "--set", "url=http://127.0.0.1:\(standIn)", "--set",
        "user=bench", "--set", "password=bench", "--set", "sender=Info", "--allow-private", "--window", "100",
        "--parts-per-second", String(rate ?? 100_000))["callback"]?.string
      guard let key, let callback else { throw BenchmarkError("the exchange was not set up") }
      // A running server notices within a second what the commands changed.
      try await Task.sleep(for: .seconds(2))
      return Switchboard(port: port, key: key, callback: callback, folder: data, server)
    } catch {
      await server.stop()
      throw error
    }
  }

  private init(port: Int, key: String, callback: String, folder: String, _ server: ChildProcess) {
    address = "http://127.0.0.1:\(port)"
    receipts = .httpsms(port: port, path: callback)
    self.folder = folder
    processes = [server]
    request = """
      return wrk.format("POST", "/api/v1/messages",
          {["Authorization"] = "Bearer \(key)", ["Content-Type"] = "application/json"},
          '{"to":"+' .. number .. '","text":"\(benchmarkText)"}')
      """
  }

  func unfinished() async throws -> Int {
    let counts = try states()
    return counts.filter { !($0.key?.isFinal ?? false) }.values.reduce(0, +)
  }

  /// How many deliveries stand where.
  func states() throws -> [DeliveryState?: Int] {
    let connection = try SQLiteConnection(.file(folder + "/switchboard.db"), access: .readOnly)
    return try connection.transaction { tx in
      var counts: [DeliveryState?: Int] = [:]
      try tx.rows("SELECT state, COUNT(*) FROM deliveries GROUP BY state", []) { row in
        counts[DeliveryState(rawValue: row.int(0)), default: 0] += row.int(1)
      }
      return counts
    }
  }

  func stop() async { for process in processes { await process.stop(within: .seconds(40)) } }
}
