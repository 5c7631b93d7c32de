import Database
import Exchange
import Foundation

/// The database's side: how many whole lives a second, how many rows each, and whether that stays so as they gather.
struct LivesBenchmark {
  private let folder: String
  private let most: Int
  private let numbers: Int
  private let batch = 256

  init(_ options: inout Options) throws {
    folder = options.value("--folder") ?? NSTemporaryDirectory() + "switchboard-lives-\(getpid())"
    most = options.integer("--most") ?? 1_000_000
    numbers = options.integer("--numbers") ?? 100_000
  }

  func run() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let peer = try ThreeStepJob(folder: folder)
    _ = try await peer.run(batch * 20, batch: batch)
    let base = try await peer.run(batch * 400, batch: batch)
    await peer.close()
    let baseCost = base.cpuSeconds / Double(batch * 400) * 1e6

    var table = Table([
      "lives in batches of 256", "stored", "per second", "CPU us each", "rows each", "of the peer's rate",
    ])
    table.add([
      "peer: three-step job in plain SQLite", "-", (Double(batch * 400) / base.seconds).text(), baseCost.text(1), "3",
      "1",
    ])
    for (kind, steps) in [
      (LifeRunner.Kind.push, [1000, 10_000, 100_000]), (.text, [1000, 10_000, 100_000, most].filter { $0 <= most }),
    ] {
      let folder = folder + "/" + kind.rawValue
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let runner = try LifeRunner(
        database: try SQLiteDatabase(path: folder + "/lives.db", migrations: ExchangeSchema.migrations),
        numbers: numbers)
      for step in steps where step <= most {
        // What is stored was a push's life where there is much of it: that is sooner done.
        if step > runner.stored {
          _ = try await runner.run(step - runner.stored, step > 100_000 ? .push : kind, batch: batch)
        }
        add(kind, at: step, try await runner.run(batch * 40, kind, batch: batch), base, &table)
      }
      if kind == .text { add(.push, at: most, try await runner.run(batch * 40, .push, batch: batch), base, &table) }
      await runner.database.close()
    }
    table.print()
  }

  private func add(
    _ kind: LifeRunner.Kind, at stored: Int, _ result: (reading: Meter.Reading, rowsPerLife: Double),
    _ base: Meter.Reading, _ table: inout Table
  ) {
    let rate = Double(batch * 40) / result.reading.seconds
    let peer = Double(batch * 400) / base.seconds
    table.add([
      kind == .text ? "text: receipt, all events" : "push: no receipt, no events", Double(stored).text(), rate.text(),
      (result.reading.cpuSeconds / Double(batch * 40) * 1e6).text(1), result.rowsPerLife.text(2), (rate / peer).text(2),
    ])
  }
}
