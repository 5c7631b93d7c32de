import Contract
import Formats
import Foundation
import HTTPClient
import Runtime

/// The real program under load, killed again and again; then its records are held against the carriers' ledgers.
struct Torture {
  private let options: Options
  private let folder: String
  private let wire: Wire
  private let client: HTTPClient
  private let exchange = Lock("http://127.0.0.1:9")
  private let journal = Journal()
  private var random: SeededRandom

  init(_ options: Options) throws {
    self.options = options
    folder = NSTemporaryDirectory() + "switchboard-torture-\(options.seed)-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    client = HTTPClient(.init(userAgent: "torture"))
    wire = Wire(client)
    random = SeededRandom(seed: options.seed)
  }

  /// - Returns: whether everything held.
  func run() async -> Bool {
    var copy = self
    say("torture: seed \(options.seed), \(options.kills) kills of \(options.program)")
    let interrupts = Self.endChildrenOnSignals()
    defer { for source in interrupts { source.cancel() } }
    let running = Task { [client] in try await client.run() }
    defer { running.cancel() }
    let problems: [String]
    let checks: Int
    do {
      (problems, checks) = try await copy.work()
    } catch {
      (problems, checks) = (["the run could not be finished: \(error)"], 0)
    }
    Child.killAll()
    for problem in problems.prefix(40) { say("FAILED  \(problem)") }
    if problems.count > 40 { say("FAILED  and \(problems.count - 40) more") }
    if problems.isEmpty {
      try? FileManager.default.removeItem(atPath: folder)
    } else {
      say("torture: seed \(options.seed); everything is kept in \(folder)")
    }
    say("torture: \(options.kills + checks) passed, \(problems.count) failed")
    return problems.isEmpty
  }

  private mutating func work() async throws -> (problems: [String], checks: Int) {
    var world = try await startSandbox(listen: "127.0.0.1:0")
    let sandbox = world.address
    var carriers = Carriers(wire: wire, sandbox: sandbox)
    var program = try await startUntilReady(sandbox)
    let key = try await makeKey()
    carriers.hooks = try await hooks()
    try await carriers.misbehave(&random)
    let follower = EventFollower(exchange: exchange, key: key)
    let following = Task { await follower.run() }
    let load = Load(wire: wire, journal: journal, exchange: exchange, key: key, seed: options.seed)
    let loading = Task { await load.run() }
    defer {
      loading.cancel()
      following.cancel()
    }

    let began = ContinuousClock.now
    var sandboxRestarted: Instant?
    for number in 1...options.kills {
      let moment = Moment.draw(&random, number: number)
      switch moment {
      case .starting(let delay):
        try await Task.sleep(for: delay)
      case .burst(let count):
        try await waitUntilReady(&program, sandbox)
        await waitForAccepted(count)
      case .load(let delay):
        try await waitUntilReady(&program, sandbox)
        try await Task.sleep(for: delay)
      }
      if let status = program.ended, status != -SIGKILL {
        return (["kill \(number): the exchange had ended by itself with \(status): \(program.printed.suffix(500))"], 0)
      }
      program.kill()
      if number == max(1, options.kills / 2) {
        world.child.kill()
        world = try await startSandbox(listen: String(sandbox.dropFirst("http://".count)))
        sandboxRestarted = SystemClock().now
        try await carriers.misbehave(&random)
      } else if number % 4 == 0 {
        try await carriers.misbehave(&random)
      }
      program = try start(sandbox, number)
    }
    try await waitUntilReady(&program, sandbox)
    say("torture: \(options.kills) kills in \(seconds(since: began)) s, \(journal.count) messages accepted")

    loading.cancel()
    await loading.value
    try await carriers.behave()
    let account = Account(wire: wire, exchange: exchange.withLock { $0 }, key: key)
    try await settle(account, carriers)
    following.cancel()
    await following.value
    say("torture: settled after \(seconds(since: began)) s")

    let verdict = Verdict(
      try await .gather(journal, account, carriers, follower.seen, phonesSince: sandboxRestarted))
    var problems = verdict.problems
    program.signal(SIGTERM)
    let end = ContinuousClock.now + .seconds(40)
    while program.ended == nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
    if program.ended != 0 { problems.append("SIGTERM at the end did not stop the exchange with status 0") }
    say("torture: \(verdict.summary)")
    return (problems, verdict.checks + 1)
  }

  private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  private func seconds(since began: ContinuousClock.Instant) -> Int64 {
    (ContinuousClock.now - began).inMilliseconds / 1000
  }

  // MARK: Processes

  private func startSandbox(listen: String) async throws -> (child: Child, address: String) {
    // The port that it had may be in another's hands for a moment.
    for attempt in 1...50 {
      let child = try Child(
        options.program, ["sandbox", "--listen", listen, "--data", folder + "/world"],
        output: "\(folder)/sandbox-\(attempt)-\(UUID().uuidString.prefix(8)).txt")
      let address = await child.waitUntilPrinted(within: .seconds(20)) {
        $0.firstMatch(of: /The sandbox runs at (http:\S+)\.\n/).map { String($0.1) }
      }
      if let address { return (child, address) }
      child.kill()
      try await Task.sleep(for: .milliseconds(100))
    }
    throw Failure("the sandbox does not start")
  }

  private func start(_ sandbox: String, _ number: Int) throws -> Child {
    try Child(
      options.program,
      ["serve", "--data", folder + "/data", "--sandbox-at", sandbox, "--listen", "127.0.0.1:0"],
      output: "\(folder)/exchange-\(number).txt")
  }

  private func startUntilReady(_ sandbox: String) async throws -> Child {
    var child = try start(sandbox, 0)
    try await waitUntilReady(&child, sandbox)
    return child
  }

  private func waitUntilReady(_ child: inout Child, _ sandbox: String) async throws {
    let address = await child.waitUntilPrinted(within: .seconds(30)) {
      $0.firstMatch(of: /Switchboard runs at (http:[^\s,]+),/).map { String($0.1) }
    }
    guard let address else { throw Failure("the exchange did not start: \(child.printed.suffix(1000))") }
    exchange.withLock { $0 = address }
  }

  private func waitForAccepted(_ count: Int) async {
    let before = journal.count
    let end = ContinuousClock.now + .seconds(5)
    while journal.count < before + count, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// An account of its own beside the running server, since the demo's key changes at every start.
  private func makeKey() async throws -> String {
    let account = try await command(["account", "create", "--name", "Torture", "--json"])
    guard let id = account["id"]?.string else { throw Failure("no account was made") }
    let key = try await command(["key", "create", "--account", id, "--scopes", "messages:send,messages:read", "--json"])
    guard let key = key["key"]?.string else { throw Failure("no key was made") }
    return key
  }

  private func hooks() async throws -> [String: String] {
    var hooks: [String: String] = [:]
    for name in Carriers.names {
      let shown = try await output(of: ["carrier", "show", name])
      hooks[name] = shown.firstMatch(of: /callbacks at (\/hooks\/\S+)/).map { String($0.1) }
    }
    return hooks
  }

  private func command(_ words: [String]) async throws -> JSONValue {
    try JSON.parse(Array(try await output(of: words).utf8))
  }

  private func output(of words: [String]) async throws -> String {
    let child = try Child(
      options.program, words + ["--data", folder + "/data"], output: "\(folder)/command-\(UUID().uuidString).txt")
    let end = ContinuousClock.now + .seconds(30)
    while child.ended == nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    guard child.ended == 0 else { throw Failure("`\(words.joined(separator: " "))` failed: \(child.printed)") }
    return child.printed
  }

  private static func endChildrenOnSignals() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        Child.killAll()
        exit(130)
      }
      source.resume()
      return source
    }
  }

  // MARK: The end

  private static let settleLimit: Duration = .seconds(300)

  /// Waits until every message has ended. Carriers that went down with their receipts, or lost them, bring them late.
  private func settle(_ account: Account, _ carriers: Carriers) async throws {
    let end = ContinuousClock.now + Self.settleLimit
    var rounds = 0
    while true {
      let open = try await account.messages().filter { !Account.finals.contains($0.state) }
      if open.isEmpty || ContinuousClock.now >= end { return }
      rounds += 1
      // Only where nothing more comes by itself.
      if rounds % 5 == 0 {
        let waiting = Set(open.filter { $0.state == "submitted" }.compactMap(\.reference))
        let texts = Set(journal.accepted.filter { waiting.contains($0.name) }.map(\.text))
        for copy in try await carriers.ledgers() where texts.contains(copy.text) {
          await carriers.report(copy, to: exchange.withLock { $0 })
        }
      }
      try await Task.sleep(for: .seconds(1))
    }
  }
}

/// When the next kill falls.
private enum Moment {
  /// So long after the process was made, ready or not.
  case starting(Duration)
  /// Right after so many messages were accepted.
  case burst(Int)
  /// So long after it was ready.
  case load(Duration)

  static func draw(_ random: inout SeededRandom, number: Int) -> Moment {
    // Never two starts in a row: what is interrupted three times is given up, as it should be.
    switch UInt8.random(in: 0..<10, using: &random) {
    case 0..<4 where number % 2 == 0: .starting(.milliseconds(Int.random(in: 0...250, using: &random)))
    case 4..<7: .burst(Int.random(in: 1...30, using: &random))
    default: .load(.milliseconds(Int.random(in: 0...2500, using: &random)))
    }
  }
}
