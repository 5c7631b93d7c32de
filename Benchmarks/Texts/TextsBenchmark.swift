import Contract
import Database
import Exchange
import Formats
import Foundation
import HTTPClient
import Runtime

/// An account with many messages, as its conversations are read by HTTP: the list, a search that finds and one that
/// finds nothing, and a page of one conversation. Beside the same questions to the same texts in one plain table.
struct TextsBenchmark {
  private let folder: String
  private let program: String
  private let messages: Int
  private let peers: Int
  private let rounds = 30

  init(_ options: inout Options) throws {
    folder = options.value("--folder") ?? NSTemporaryDirectory() + "switchboard-texts-\(getpid())"
    program = options.value("--program") ?? ".build/release/switchboard"
    messages = options.integer("--messages") ?? 100_000
    peers = options.integer("--peers") ?? 2000
  }

  func run() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let data = folder + "/data"
    let (account, key) = try await prepare(data)
    let texts = SeededTexts(account: account, messages: messages, peers: peers)
    try await texts.write(to: data + "/switchboard.db")
    let plain = try PlainTable(folder: folder, texts: texts)

    let port = try LoopbackPort.free(1)[0]
    let server = try ChildProcess(
      program, ["serve", "--data", data, "--listen", "127.0.0.1:\(port)"], log: folder + "/serve.log")
    do {
      try await LoopbackPort.wait(for: port, of: server)
      try await measure(TextsClient(port: port, key: key), plain, texts)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop(within: .seconds(40))
  }

  /// The program's own database, and an account in it.
  private func prepare(_ data: String) async throws -> (AccountID, key: String) {
    func command(_ words: String...) async throws -> JSONValue {
      try JSON.parse(Array(try await ChildProcess.output(program, words + ["--data", data, "--json"]).utf8))
    }
    let port = try LoopbackPort.free(1)[0]
    let server = try ChildProcess(
      program, ["serve", "--data", data, "--listen", "127.0.0.1:\(port)"], log: folder + "/first.log")
    try await LoopbackPort.wait(for: port, of: server)
    await server.stop()
    let account = try await command("account", "create", "--name", "bench")["id"]?.string ?? ""
    let key = try await command("key", "create", "--account", account, "--scopes", "*")["key"]?.string
    guard let id = AccountID(account), let key else { throw BenchmarkError("there is no account") }
    return (id, key)
  }

  private func measure(_ client: TextsClient, _ plain: PlainTable, _ texts: SeededTexts) async throws {
    let running = Task { try await client.run() }
    defer { running.cancel() }
    let began = ContinuousClock.now
    _ = try await client.items("/conversations")
    let first = (ContinuousClock.now - began).inSeconds

    var table = Table([
      "\(Double(messages).text()) messages, \(Double(peers).text()) peers", "ms", "ms at most",
      "peer: plain SQLite, ms",
      "of the peer's time",
    ])
    for question in Question.allCases {
      var times: [Double] = []
      for _ in 0..<rounds {
        let began = ContinuousClock.now
        let found = try await client.items(question.path(texts))
        times.append((ContinuousClock.now - began).inSeconds * 1000)
        guard found == question.expected(texts) else {
          throw BenchmarkError("\(question.rawValue) gave \(found) items")
        }
      }
      let peer = try plain.milliseconds(question, rounds: rounds)
      let ours = times.sorted()[rounds / 2]
      table.add([
        question.rawValue, ours.text(1), (times.max() ?? 0).text(1), peer.text(1), (ours / peer).text(2),
      ])
    }
    table.print()
    Output.line("  the first list, which makes the conversations of all messages: \((first * 1000).text()) ms")
    Output.line("")
  }
}

/// What is asked, of us by HTTP and of the plain table by SQL.
enum Question: String, CaseIterable {
  case list = "list of conversations, half of the texts unread"
  case hit = "search, found everywhere"
  case rare = "search, found once"
  case miss = "search, not found"
  case page = "a page of one conversation"

  func path(_ texts: SeededTexts) -> String {
    switch self {
    case .list: "/conversations"
    case .hit: "/conversations?q=message"
    case .rare: "/conversations?q=needle"
    case .miss: "/conversations?q=absent"
    case .page: "/conversations/\(texts.peer(7))/messages"
    }
  }

  func expected(_ texts: SeededTexts) -> Int {
    switch self {
    case .list, .hit: min(50, texts.peers)
    case .rare: 1
    case .miss: 0
    case .page: min(50, texts.messages / texts.peers)
    }
  }
}

/// One client with one connection.
struct TextsClient {
  private let client = HTTPClient(.init(userAgent: "switchboard-bench"))
  private let address: String
  private let key: String

  init(port: Int, key: String) {
    address = "http://127.0.0.1:\(port)/api/v1"
    self.key = key
  }

  func run() async throws { try await client.run() }

  /// - Returns: how many items the answer has.
  func items(_ path: String) async throws -> Int {
    let answer = try await client.send(
      OutgoingRequest(
        method: "GET", url: address + path, headers: [(name: "Authorization", value: "Bearer \(key)")], body: [],
        maximumResponse: 8 << 20, allowsPrivateAddresses: true))
    guard answer.status == 200, let items = try JSON.parse(answer.body)["items"]?.array else {
      throw BenchmarkError("\(path) was answered with \(answer.status)")
    }
    return items.count
  }
}
