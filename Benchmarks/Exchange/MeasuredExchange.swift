/// An exchange under measure: takes messages over HTTP, hands them to the stand-in and gets its receipts.
protocol MeasuredExchange: Sendable {
  var name: String { get }
  var address: String { get }
  /// Lua for `LoadGenerator`.
  var request: String { get }
  var receipts: ReceiptForm { get }
  /// What to count CPU and memory of.
  var processes: [ChildProcess] { get }
  /// Messages that it holds and has not finished.
  func unfinished() async throws -> Int
  func stop() async
}

/// The text that both are given: 60 characters of the GSM alphabet.
let benchmarkText = "FO60 KOTONA, ulkona -12 astetta, ovi on lukossa, kaikki hyvin"
