import Contract
import Foundation
import HTTPClient
import Network
import Runtime
import Sandbox
import Testing

/// A sandbox on loopback, and the carriers' client: a server that takes what is pushed.
final class TestSandbox: Sendable {
  struct TimedOut: Error { var wanted: Int, found: [[String: String]] }

  let url: String
  let port: Int
  let client: HTTPClient
  /// What the sandbox has in place of the machine's clock; stands still.
  let clock: ManualClock
  /// Forms that were pushed, in the order in which they came.
  let pushed: Lock<[[String: String]]>
  /// What the carriers' client answers.
  let answer: Lock<@Sendable ([String: String]) async -> HTTPResponse>

  init(
    port: Int, client: HTTPClient, clock: ManualClock, pushed: Lock<[[String: String]]>,
    answer: Lock<@Sendable ([String: String]) async -> HTTPResponse>
  ) {
    url = "http://127.0.0.1:\(port)"
    self.port = port
    self.client = client
    self.clock = clock
    self.pushed = pushed
    self.answer = answer
  }

  // MARK: - Asking

  struct Answer: Sendable {
    var status: Int
    var text: String

    var json: JSONObject { JSONObject(text) }
    var items: [JSONObject] { json.objects("items") }
    var list: [JSONObject] { JSONObject("{\"list\":\(text)}").objects("list") }
    var errorCode: String? { json.object("error").text("code") }
    var errorMessage: String { json.object("error").text("message") }
  }

  func ask(
    _ method: String, _ path: String, _ body: String = "", type: String? = nil, headers: [(String, String)] = [],
    timeout: Duration = .seconds(10)
  ) async throws -> Answer {
    let type = type ?? (path.hasPrefix("/sandbox") ? "application/json" : "application/x-www-form-urlencoded")
    let response = try await client.send(
      OutgoingRequest(
        method: method, url: url + path,
        headers: (body.isEmpty ? [] : [("Content-Type", type)]) + headers.map { (name: $0.0, value: $0.1) },
        body: Array(body.utf8), timeout: timeout, maximumResponse: 64 << 20, allowsPrivateAddresses: true))
    return Answer(status: response.status, text: String(decoding: response.body, as: UTF8.self))
  }

  func put(_ path: String, _ body: String) async throws {
    let answer = try await ask("PUT", "/sandbox\(path)", body)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// A submission to the carrier `fast`.
  func httpsms(_ fields: String, user: String = "UN=sandbox&P=sandbox") async throws -> Answer {
    try await ask("POST", "/HTTPSMS", "S=H&\(user)&\(fields)")
  }

  /// A submission to the carrier `global`.
  func smsglobal(_ fields: String, user: String = "user=sandbox&password=sandbox") async throws -> Answer {
    try await ask("POST", "/http-api.php", "action=sendsms&\(user)&\(fields)")
  }

  func messages(of phone: String, _ direction: String = "received") async throws -> [JSONObject] {
    try await ask("GET", "/sandbox/phones/\(phone)/messages?direction=\(direction)").list
  }

  func ledger(_ carrier: String) async throws -> [JSONObject] {
    let answer = try await ask("GET", "/sandbox/carriers/\(carrier)/ledger")
    return answer.text.split(separator: "\n").compactMap { TestSandbox.Answer(status: 200, text: String($0)).json }
  }

  func poll() async throws -> String {
    try await ask("GET", "/ClientDR/ClientDR?&UN=sandbox&P=sandbox").text
  }

  // MARK: - Pushes

  /// Returns once so many forms were pushed.
  func pushes(_ count: Int) async throws -> [[String: String]] {
    let end = ContinuousClock.now + .seconds(10)
    while true {
      let forms = pushed.withLock { $0 }
      if forms.count >= count { return forms }
      guard ContinuousClock.now < end else { throw TimedOut(wanted: count, found: forms) }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Returns once HTTPSMS has pushed so many receipts and messages, in however many calls.
  func parts(_ count: Int) async throws -> [String] {
    let end = ContinuousClock.now + .seconds(10)
    while true {
      let forms = pushed.withLock { $0 }
      let parts = forms.flatMap { ($0["INCOMING"] ?? "").split(separator: "#").dropFirst().map(String.init) }
      if parts.count >= count { return parts }
      guard ContinuousClock.now < end else { throw TimedOut(wanted: count, found: forms) }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}

/// Runs a sandbox for the length of `body`.
/// - Parameter isPushing: whether both carriers know where their client is.
func withSandbox(
  isPushing: Bool = true, _ configuration: SandboxConfiguration = SandboxConfiguration(), clock: ManualClock = .init(),
  _ body: @Sendable (TestSandbox) async throws -> Void
) async throws {
  let loops = try EventLoopGroup()
  defer { loops.stop() }
  let pushed = Lock<[[String: String]]>([])
  let answer = Lock<@Sendable ([String: String]) async -> HTTPResponse>({ _ in HTTPResponse(text: "OK") })
  let receiver = HTTPServer(configuration: .init(), loops: loops) { request in
    let pairs = FormDecoding().parse(request.body) ?? []
    let form = Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }.merging(["path": request.path]) { $1 }
    let answer = answer.withLock { $0 }
    let response = await answer(form)
    pushed.withLock { $0.append(form) }
    return response
  }
  var configuration = configuration
  configuration.port = 0
  let server = SandboxServer(configuration: configuration, loops: loops, clock: clock, log: .silent)
  let client = HTTPClient(.init(userAgent: "test", stopLimit: .milliseconds(100)))
  try await withThrowingTaskGroup(of: Void.self) { group in
    let receiverPort = try await receiver.start().port
    let port = try await server.start().port
    group.addTask { try await receiver.run() }
    group.addTask { try await server.run() }
    group.addTask { try await client.run() }
    if isPushing {
      for carrier in configuration.carriers {
        let base = "http://127.0.0.1:\(receiverPort)/\(carrier.name)"
        server.setCallbacks(of: carrier.name, receiptURL: "\(base)/receipt", incomingURL: "\(base)/incoming")
      }
    }
    defer { group.cancelAll() }
    try await body(TestSandbox(port: port, client: client, clock: clock, pushed: pushed, answer: answer))
    group.cancelAll()
    try await group.waitForAll()
  }
}

/// A folder of its own for the length of `body`.
func withFolder(_ body: (String) async throws -> Void) async throws {
  let folder = NSTemporaryDirectory() + "sandbox-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}

/// An object of a JSON text; what is not there is empty.
struct JSONObject: @unchecked Sendable {
  private let members: [String: Any]

  init(_ text: String) {
    members = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
  }

  private init(_ members: [String: Any]) { self.members = members }

  func text(_ key: String) -> String { members[key] as? String ?? "" }
  func number(_ key: String) -> Double? { (members[key] as? NSNumber)?.doubleValue }
  func bool(_ key: String) -> Bool? { (members[key] as? NSNumber)?.boolValue }
  func isNull(_ key: String) -> Bool { members[key] is NSNull }
  func object(_ key: String) -> JSONObject { JSONObject(members[key] as? [String: Any] ?? [:]) }
  func objects(_ key: String) -> [JSONObject] { (members[key] as? [[String: Any]] ?? []).map(JSONObject.init) }
}
