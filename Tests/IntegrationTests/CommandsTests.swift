import Formats
import Foundation
import Testing

/// What an operator types, beside a running server and without one.
@Suite struct CommandsTests {
  private static let phone = "+358401110007"
  private static let commands = [
    "serve", "sandbox", "account", "key", "carrier", "send", "backup", "restore", "doctor", "version",
  ]

  // MARK: Words

  @Test("Every command explains itself, with an example", arguments: commands)
  func help(name: String) async throws {
    let folder = try TemporaryFolder()
    let help = try await RunningProgram.run([name, "--help"], folder: folder)
    #expect(help.status == 0)
    #expect(help.printed.hasPrefix("switchboard \(name)"))
    #expect(help.printed.contains("Example: "))
    let overview = try await RunningProgram.run(["--help"], folder: folder)
    #expect(overview.status == 0)
    #expect(overview.printed.contains("  \(name) "))
  }

  @Test(
    "Wrong words end with 2 and a sentence",
    arguments: [
      ["fly"], ["serve", "--wings"], ["serve", "up"], ["serve", "--listen", "nowhere"], ["serve", "--listen"],
      ["sandbox", "--listen", "x"], ["account"], ["account", "fly"], ["account", "show", "7"],
      ["account", "create", "--role", "king"], ["account", "create", "--phone", "12"], ["key", "create"],
      ["key", "create", "--account", "x", "--scopes", "*"], ["carrier"], ["carrier", "create", "A b"],
      ["carrier", "show"], ["send"], ["send", "--to", "+358401234567"],
      ["send", "--to", "+358401234567", "--text", "x", "--class", "loud"],
      ["send", "--to", "1", "--text", "x", "--up"],
      ["backup"], ["restore"], ["doctor", "now"], ["version", "please"],
    ])
  func wrongWords(words: [String]) async throws {
    let folder = try TemporaryFolder()
    let wrong = try await RunningProgram.run(words, folder: folder)
    #expect(wrong.status == 2, "\(wrong.printed)")
    #expect(wrong.printed.hasPrefix("switchboard: "))
    #expect(wrong.printed.contains(".") && wrong.printed.contains("--help"), "\(wrong.printed)")
  }

  @Test(
    "A command without its exchange says how to get one",
    arguments: [
      ["account", "list"], ["doctor"], ["send", "--to", "+358401234567", "--text", "x"], ["carrier", "list"],
      ["backup", "x.tar"],
    ])
  func noExchange(words: [String]) async throws {
    let folder = try TemporaryFolder()
    let result = try await RunningProgram.run(words + ["--data", folder.path + "/none"], folder: folder)
    #expect(result.status == 1)
    #expect(result.printed.contains("There is no exchange in"), "\(result.printed)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
  }

  // MARK: Beside the server

  @Test("Accounts and keys made beside the server count within a second, and removed ones no longer")
  func keys() async throws {
    let demo = try await Demo()
    let account = try await demo.commandJSON(
      ["account", "create", "--phone", "+358 40 111 2233", "--name", "Aino", "--role", "admin", "--password-stdin"],
      input: "a good long password\n")
    let id = try #require(account["id"]?.string)
    #expect(account["phone"]?.string == "+358401112233")
    let twice = try await demo.command(["account", "create", "--phone", "+358401112233"])
    #expect(twice.status == 1)
    #expect(twice.printed.contains("already"))
    let weak = try await demo.command(["account", "create", "--password-stdin"], input: "short\n")
    #expect(weak.status == 2)

    let listed = try await demo.commandJSON(["account", "list"])
    #expect(listed["items"]?.array?.contains { $0["id"]?.string == id } == true)
    #expect(try await demo.commandJSON(["account", "show", id])["name"]?.string == "Aino")

    let made = try await demo.commandJSON(
      ["key", "create", "--account", id, "--scopes", "messages:read,messages:send", "--name", "mine"])
    let key = try #require(made["key"]?.string)
    #expect(try await demo.call("GET", "/api/v1/messages", key: key).status == 200)
    // A key that is used all the time is remembered; its end must be noticed all the same.
    let keyID = try #require(made["id"]?.string)
    #expect(try await demo.commandJSON(["key", "list", "--account", id])["items"]?.array?.count == 1)
    _ = try await demo.commandJSON(["key", "remove", keyID])
    try await demo.wait(until: "the removed key is refused") {
      try await demo.call("GET", "/api/v1/messages", key: key).status == 401
    }
    #expect(try await demo.command(["key", "remove", keyID]).status == 1)

    _ = try await demo.commandJSON(["account", "password", id, "--password-stdin"], input: "another long password\n")
    let session = try await demo.send(
      "POST", demo.address + "/api/v1/sessions", #"{"phone":"+358401112233","password":"another long password"}"#, [:])
    #expect((200..<300).contains(session.status), "\(session.json)")
    _ = try await demo.commandJSON(["account", "limit", id, "--daily", "12.50"])
    _ = try await demo.commandJSON(["account", "limit", id, "--none"])
  }

  @Test("A carrier is tried by one message that goes by no other")
  func carrierTest() async throws {
    let demo = try await Demo()
    let tried = try await demo.command(["carrier", "test", "global", "--to", Demo.phone])
    #expect(tried.status == 0, "\(tried.printed)")
    #expect(tried.printed.contains("by global") && !tried.printed.contains("by fast"), "\(tried.printed)")
    let unknown = try await demo.command(["carrier", "test", "nobody", "--to", Demo.phone])
    #expect(unknown.status == 1)
    #expect(unknown.printed.contains("carrier names none"), "\(unknown.printed)")
  }

  @Test("A carrier made beside the server serves, and one that is removed does not")
  func carriers() async throws {
    let demo = try await Demo()
    try await demo.createQuickCarrier(timeout: "5s")
    let shown = try await demo.commandJSON(["carrier", "show", "quick"])
    #expect(shown["settings"]?["user"]?.string == "sandbox")
    #expect(shown["settings"]?["password"] == nil)
    #expect(shown["callback"]?.string?.hasPrefix("/hooks/quick/") == true)
    let text = try await demo.command(["carrier", "show", "quick"])
    #expect(text.printed.contains("password = (set)"), "\(text.printed)")
    let listed = try await demo.commandJSON(["carrier", "list"])
    #expect(listed["items"]?.array?.compactMap { $0["name"]?.string } == ["fast", "global", "quick"])
    let twice = try await demo.command([
      "carrier", "create", "quick", "--profile", "quick", "--set", "user=a", "--set", "password=b",
    ])
    #expect(twice.status == 1)
    let missing = try await demo.command(["carrier", "create", "other", "--profile", "httpsms"])
    #expect(missing.status == 2)
    #expect(missing.printed.contains("url, user, password"), "\(missing.printed)")
    let unknown = try await demo.command(["carrier", "create", "other", "--profile", "pigeon"])
    #expect(unknown.status == 1)
    #expect(unknown.printed.contains("httpsms"))

    _ = try await demo.commandJSON(["carrier", "remove", "quick"])
    try await demo.waitUntilServed(by: "global")
    #expect(try await demo.command(["carrier", "enable", "quick"]).status == 1)
    #expect(try await demo.command(["carrier", "show", "quick"]).status == 1)
    // The name is free again.
    try await demo.createQuickCarrier(timeout: "5s")
  }

  @Test("Profiles can be listed and checked")
  func profiles() async throws {
    let folder = try TemporaryFolder()
    let known = try await RunningProgram.run(
      ["carrier", "profiles", "--data", folder.path + "/none", "--json"], folder: folder)
    let names = try JSON.parse(Array(known.printed.utf8))["items"]?.array?.compactMap { $0["name"]?.string }
    #expect(names == ["httpsms", "smsglobal"])
    let good = try await RunningProgram.run(["carrier", "check", Demo.shippedProfile("httpsms")], folder: folder)
    #expect(good.status == 0, "\(good.printed)")
    let path = folder.path + "/wrong.json5"
    try String(contentsOfFile: Demo.shippedProfile("httpsms"), encoding: .utf8)
      .replacing("\"5\": \"expired\"", with: "\"5\": \"eaten\"")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let wrong = try await RunningProgram.run(["carrier", "check", path], folder: folder)
    #expect(wrong.status == 1)
    #expect(wrong.printed.contains("wrong.json5:128: incoming.records[0].statuses.5"), "\(wrong.printed)")
  }

  @Test("send says what became of a message, for people and for programs, with a status")
  func send() async throws {
    let demo = try await Demo()
    let accepted = try await demo.commandJSON(["send", "--to", Self.phone, "--text", "First"])
    let id = try #require(accepted["id"]?.string)
    _ = try await demo.wait(for: id, in: ["delivered"])
    let waited = try await demo.commandJSON(["send", "--to", Self.phone, "--text", "Second", "--wait"])
    #expect(waited["state"]?.string == "delivered")
    try await demo.faults("fast", #"{"refuse":{"code":-15,"share":1}}"#)
    try await demo.faults("global", #"{"refuse":{"code":102,"share":1}}"#)
    let refused = try await demo.command(["send", "--to", Self.phone, "--text", "Third", "--wait"])
    #expect(refused.status == 3, "\(refused.printed)")
    #expect(refused.printed.contains("rejected"))
    for carrier in ["fast", "global"] { try await demo.faults(carrier, #"{"down":true}"#) }
    let open = try await demo.command(["send", "--to", Self.phone, "--text", "Fourth", "--wait", "--seconds", "1"])
    #expect(open.status == 4, "\(open.printed)")
    let wrong = try await demo.command(["send", "--to", "+3584", "--text", "x"])
    #expect(wrong.status == 1)
    #expect(wrong.printed.contains("number"))
  }

  @Test("doctor finds a sound exchange sound, beside the server, and changes nothing")
  func doctor() async throws {
    let demo = try await Demo()
    let healthy = try await demo.command(["doctor"])
    #expect(healthy.status == 0, "\(healthy.printed)")
    #expect(healthy.printed.split(separator: "\n").allSatisfy { $0.hasPrefix("good ") })
    // A carrier whose profile is gone.
    try await demo.createQuickCarrier(timeout: "5s")
    try FileManager.default.removeItem(atPath: demo.data + "/profiles/carriers/quick.json5")
    let sick = try await demo.command(["doctor", "--json"])
    #expect(sick.status == 1)
    let items = try JSON.parse(Array(sick.printed.utf8))["items"]?.array ?? []
    let wrong = items.filter { $0["problem"]?.isNull == false }
    #expect(wrong.compactMap { $0["what"]?.string } == ["carrier quick"], "\(sick.printed)")
  }

  // MARK: Start and stop

  @Test("A second server on the same folder is refused with a sentence")
  func secondServer() async throws {
    let demo = try await Demo()
    let second = try await RunningProgram.run(
      ["serve", "--data", demo.data, "--listen", "127.0.0.1:0"], folder: demo.folder)
    #expect(second.status == 1)
    #expect(second.printed.contains("Another server (process \(demo.program.pid)) uses the data folder"))
    #expect(try await demo.call("GET", "/health/ready").status == 200)
  }

  @Test("A port that is taken is named")
  func portTaken() async throws {
    let demo = try await Demo()
    let address = try #require(demo.address.split(separator: "/").last.map(String.init))
    let second = try await RunningProgram.run(
      ["serve", "--data", demo.folder.path + "/second", "--listen", address], folder: demo.folder)
    #expect(second.status == 1)
    #expect(second.printed.contains("\(address) can not be listened on"), "\(second.printed)")
    #expect(second.printed.contains("--listen"), "\(second.printed)")
    let sandbox = try await RunningProgram.run(["sandbox", "--listen", address], folder: demo.folder)
    #expect(sandbox.status == 1)
    #expect(sandbox.printed.contains("\(address) can not be listened on"), "\(sandbox.printed)")
  }

  @Test(
    "A mistake in the configuration file is named with file, line and key",
    arguments: [
      ("{\n  listen: 7,\n}", "switchboard.json5:2:", "listen"),
      ("{\n  logLevel: \"loud\",\n}", "switchboard.json5:2:", "logLevel"),
      ("{\n\n  lisen: \"127.0.0.1:0\",\n}", "switchboard.json5:3:", "listen"),
      ("{ listen: \"127.0.0.1:0\"", "switchboard.json5:1:", "switchboard.json5"),
    ])
  func configuration(text: String, place: String, key: String) async throws {
    let folder = try TemporaryFolder()
    let data = folder.path + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try text.write(toFile: data + "/switchboard.json5", atomically: true, encoding: .utf8)
    let started = try await RunningProgram.run(["serve", "--data", data], folder: folder)
    #expect(started.status == 1)
    #expect(started.printed.contains(place) && started.printed.contains(key), "\(started.printed)")
    #expect(!FileManager.default.fileExists(atPath: data + "/switchboard.db"))
  }

  @Test("The configuration that serve writes at first start is one that it reads")
  func template() async throws {
    let folder = try TemporaryFolder()
    let first = try await Demo(folder: folder)
    let configuration = try String(contentsOfFile: first.data + "/switchboard.json5", encoding: .utf8)
    #expect(configuration.contains("publicURL"))
    first.program.kill(SIGTERM)
    #expect(try await first.program.waitForEnd() == 0)
    _ = try await Demo(folder: folder)
  }

  @Test("A master key that others can read is refused")
  func openKey() async throws {
    let demo = try await Demo()
    demo.program.kill(SIGTERM)
    #expect(try await demo.program.waitForEnd() == 0)
    chmod(demo.data + "/master.key", 0o644)
    for words in [["serve", "--listen", "127.0.0.1:0"], ["account", "list"], ["doctor"]] {
      let result = try await demo.command(words)
      #expect(result.status == 1)
      #expect(result.printed.contains("chmod 600"), "\(words): \(result.printed)")
    }
  }

  @Test("SIGTERM waits for the attempts under way, writes their answers down, and ends with 0")
  func gracefulStop() async throws {
    let folder = try TemporaryFolder()
    let world = try await SandboxProcess(folder: folder)
    let demo = try await Demo(folder: folder, sandboxAt: world.address)
    try await demo.faults("fast", #"{"delayMs":2000,"receipts":{"lost":1}}"#)
    var ids: [String] = []
    for number in 0..<5 { ids.append(try await demo.text("+35840111010\(number)", "Under way \(number)")) }
    try await demo.wait(until: "all are under way") {
      for id in ids where try await demo.message(id).steps("attempt").isEmpty { return false }
      return true
    }
    demo.program.kill(SIGTERM)
    #expect(try await demo.program.waitForEnd() == 0, "\(demo.program.printed)")
    #expect(demo.program.printed.contains("The exchange has stopped."))
    try await demo.faults("fast", "{}")

    let again = try await Demo(folder: folder, sandboxAt: world.address)
    for id in ids {
      let message = try await again.message(id)
      #expect(message["state"]?.string == "submitted", "\(message)")
      #expect(message.steps("attempt").count == 1)
      #expect(message.steps("submitted").first?["carrierID"]?.string != nil)
      #expect(message.steps("uncertain").isEmpty)
    }
    #expect(try await again.ledger("fast").count == 5)
  }
}
