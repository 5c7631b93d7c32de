import Contract
import Formats
import Foundation
import HTTPClient

/// `serve --sandbox` with its demo account: the exchange and the world in one process.
final class Demo: Sendable {
  let folder: TemporaryFolder
  let data: String
  let program: RunningProgram
  let address: String
  let sandbox: String
  let key: String
  private let client: HTTPClient
  private let running: Task<Void, any Error>

  static let phone = "+358401234567"

  /// - Parameters:
  ///   - data: another place for the data folder than inside `folder`.
  ///   - sandboxAt: the address of a sandbox in a process of its own.
  init(
    _ words: [String] = [], folder: TemporaryFolder? = nil, data: String? = nil, sandboxAt: String? = nil
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    self.data = data ?? folder.path + "/data"
    let sandbox = sandboxAt.map { ["--sandbox-at", $0] } ?? ["--sandbox", "--sandbox-listen", "127.0.0.1:0"]
    program = try RunningProgram(
      ["serve", "--data", self.data, "--listen", "127.0.0.1:0"] + sandbox + words, folder: folder)
    (address, self.sandbox, key) = try await program.waitUntilPrinted { printed in
      guard let match = printed.firstMatch(of: /Switchboard runs at (\S+), its sandbox at (\S+)\./),
        let key = printed.firstMatch(of: /Bearer (sb_[\w-]+)'/)
      else { return nil }
      return (String(match.1), String(match.2), String(key.1))
    }
    let client = HTTPClient(.init(userAgent: "switchboard-tests"))
    self.client = client
    running = Task { try await client.run() }
  }

  deinit { running.cancel() }

  /// One call to the exchange, with the demo key.
  func call(
    _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:], key: String? = nil
  ) async throws -> (status: Int, json: JSONValue, bytes: [UInt8]) {
    try await send(
      method, address + path, body, ["Authorization": "Bearer \(key ?? self.key)"].merging(headers) { $1 })
  }

  /// One call to the sandbox.
  func world(
    _ method: String, _ path: String, _ body: String? = nil
  ) async throws -> (status: Int, json: JSONValue, bytes: [UInt8]) {
    try await send(method, sandbox + "/sandbox" + path, body, [:])
  }

  func send(
    _ method: String, _ url: String, _ body: String?, _ headers: [String: String]
  ) async throws -> (status: Int, json: JSONValue, bytes: [UInt8]) {
    var headers = headers
    if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    let response = try await client.send(
      OutgoingRequest(
        method: method, url: url, headers: headers.filter { !$0.value.isEmpty }.map { (name: $0.key, value: $0.value) },
        body: Array((body ?? "").utf8), maximumResponse: 8 << 20, allowsPrivateAddresses: true))
    return (response.status, (try? JSON.parse(response.body)) ?? .null, response.body)
  }

  /// Sends a text and gives its id.
  func text(_ to: String, _ text: String, _ more: String = "") async throws -> String {
    let answer = try await call("POST", "/api/v1/messages", #"{"to":"\#(to)","text":"\#(text)"\#(more)}"#)
    guard answer.status == 202, let id = answer.json["id"]?.string else {
      throw Failure("not accepted: \(String(decoding: answer.bytes, as: UTF8.self))")
    }
    return id
  }

  /// Waits until the message is in one of `states`, and gives it with its timeline.
  func wait(
    for id: String, in states: Set<String>, within limit: Duration = .seconds(40)
  ) async throws -> JSONValue {
    let end = ContinuousClock.now + limit
    var last = JSONValue.null
    while ContinuousClock.now < end {
      last = try await call("GET", "/api/v1/messages/\(id)").json
      // A receipt may overtake the answer to its attempt, which then takes the place of a record that says so.
      let isOvertaken =
        last["timeline"]?.array?.contains { $0["detail"]?.string?.contains("before this attempt was answered") == true }
        ?? false
      if let state = last["state"]?.string, states.contains(state), !isOvertaken { return last }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Failure("the message is \(last["state"]?.string ?? "?"), not one of \(states)")
  }
}

extension JSONValue {
  /// The events of a message's timeline.
  var timeline: [String] { self["timeline"]?.array?.compactMap { $0["event"]?.string } ?? [] }
}
