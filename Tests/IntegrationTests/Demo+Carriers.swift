import Formats
import Foundation

/// What the carriers' side and the operator's commands look like from a test.
extension Demo {
  /// Sets how a carrier of the sandbox misbehaves; what is left out is off.
  func faults(_ carrier: String, _ faults: String) async throws {
    let answer = try await world("PUT", "/carriers/\(carrier)/faults", faults)
    guard answer.status == 200 else { throw Failure("the faults were refused: \(answer.json)") }
  }

  /// The texts that a carrier took, in order.
  func ledger(_ carrier: String) async throws -> [String] {
    let answer = try await world("GET", "/carriers/\(carrier)/ledger")
    return try answer.bytes.split(separator: 0x0A).map { try JSON.parse(Array($0))["text"]?.string ?? "" }
  }

  /// The texts that a phone shows.
  func phone(_ number: String) async throws -> [String] {
    try await world("GET", "/phones/\(number)/messages").json.array?.compactMap { $0["text"]?.string } ?? []
  }

  /// An operator's command beside the server.
  func command(_ words: [String], input: String? = nil) async throws -> (status: Int32, printed: String) {
    try await RunningProgram.run(words + ["--data", data], folder: folder, input: input)
  }

  /// What a command prints for programs.
  func commandJSON(_ words: [String], input: String? = nil) async throws -> JSONValue {
    let (status, printed) = try await command(words + ["--json"], input: input)
    guard status == 0 else { throw Failure("`\(words.joined(separator: " "))` ended with \(status): \(printed)") }
    return try JSON.parse(Array(printed.utf8))
  }

  /// Looks again until it holds.
  func wait(
    until what: String, within limit: Duration = .seconds(30), _ holds: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if try await holds() { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Failure("it did not come true that \(what)")
  }

  func message(_ id: String) async throws -> JSONValue { try await call("GET", "/api/v1/messages/\(id)").json }

  /// The shipped profile of HTTPSMS with another name and time-out, in service before all others. It speaks to the
  /// sandbox's carrier `fast`, whose receipts then come to it.
  func createQuickCarrier(timeout: String = "1s", rank: Int = 1) async throws {
    let profiles = data + "/profiles/carriers"
    try FileManager.default.createDirectory(atPath: profiles, withIntermediateDirectories: true)
    let shipped = try String(contentsOfFile: Self.shippedProfile("httpsms"), encoding: .utf8)
    try shipped.replacing("name: \"httpsms\"", with: "name: \"quick\"")
      .replacing("timeout: \"20s\"", with: "timeout: \"\(timeout)\"")
      .write(toFile: profiles + "/quick.json5", atomically: true, encoding: .utf8)
    let made = try await commandJSON([
      "carrier", "create", "quick", "--profile", "quick", "--set", "url=\(sandbox)", "--set", "user=sandbox", "--set",
      "password=sandbox", "--set", "sender=Quick", "--rank", String(rank), "--allow-private",
    ])
    guard let callback = made["callback"]?.string else { throw Failure("no callback: \(made)") }
    let told = try await world("PUT", "/carriers/fast", #"{"receiptURL":"\#(address)\#(callback)"}"#)
    guard told.status == 200 else { throw Failure("the sandbox refused the callback: \(told.json)") }
    _ = try await commandJSON(["carrier", "disable", "fast"])
    try await waitUntilServed(by: "quick")
  }

  /// A running server follows a command within a second; a text says that it did.
  func waitUntilServed(by carrier: String) async throws {
    try await wait(until: "\(carrier) takes texts") {
      let id = try await text("+358401110099", "Are you there?")
      // One that still went by another need never be delivered: its receipt may come to this one.
      return try await wait(for: id, in: ["submitted", "delivered"])["carrier"]?.string == carrier
    }
  }

  static func shippedProfile(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .path + "/Profiles/carriers/\(name).json5"
  }
}

extension JSONValue {
  /// The steps of a message's timeline that are called `event`.
  func steps(_ event: String) -> [JSONValue] {
    self["timeline"]?.array?.filter { $0["event"]?.string == event } ?? []
  }

  /// Whether the timeline says what a carrier did, with a sentence.
  func says(_ event: String, by carrier: String) -> Bool {
    steps(event).contains { step in
      step["carrier"]?.string == carrier
        && step["detail"]?.string.map { $0.hasSuffix(".") && $0.contains(" ") } ?? false
    }
  }
}
