import Accounts
import Contract
import Cryptography
import Database
import Exchange
import Formats
import Foundation
import HTTPClient
import Network
import Runtime
import Sandbox

/// The sandbox beside the exchange: its carriers set up here, and a demo account to try everything with.
enum DemoWorld {
  /// A phone of the sandbox that answers.
  static let phone = "+358401234567"
  /// The country of its phones.
  static let region = "FI"
  /// Each with a number of ours that messages come from, since nobody can answer a name.
  private static let carriers = [
    (name: "fast", profile: "httpsms", number: "+358457000001"),
    (name: "global", profile: "smsglobal", number: "+358457000002"),
  ]
  private static let demoName = "Demo"
  private static let keyName = "demo"

  /// Starts the sandbox where one is wanted in this process.
  static func prepare(
    _ settings: ServerSettings, folder: DataFolder, assembly: Assembly, log: Logger
  ) async throws -> (service: any Service, address: String)? {
    guard settings.sandbox else { return nil }
    let server = SandboxServer(
      configuration: SandboxConfiguration(
        host: settings.sandboxListen.host, port: Int(settings.sandboxListen.port), dataFolder: folder.sandbox),
      loops: assembly.loops, log: log.labelled("sandbox"))
    let bound: (host: String, port: Int)
    do { bound = try await server.start() } catch let error as SystemError {
      throw CommandError.listening(at: settings.sandboxListen, flag: "--sandbox-listen", error)
    }
    return (server, "http://\(bound.host):\(bound.port)")
  }

  /// Sets the carriers and the demo account up, once the exchange listens.
  /// - Returns: what to print.
  static func welcome(
    sandbox: String, folder: DataFolder, assembly: Assembly, address: String
  ) async throws -> String {
    let created = try await createCarriers(assembly, sandbox: sandbox)
    try await tell(sandbox, created, exchange: address, assembly)
    let demo = try await demoAccount(assembly)
    let data = folder.path == DataFolder.defaultPath ? "" : " --data \(folder.path)"
    return """

      Switchboard runs at \(address), its sandbox at \(sandbox).

        Send a text to a phone of the sandbox and watch its life:

          \(programPath) send --to \(phone) --text 'Hello' --wait\(data)

        The phone answers. Read the inbox, or follow what happens:

          curl -s -H 'Authorization: Bearer \(demo.key)' \(address)/api/v1/inbox
          curl -sN -H 'Authorization: Bearer \(demo.key)' \(address)/api/v1/events

        Or open \(address) in a browser, and the sandbox's phones at \(sandbox).

        The demo account is \(demo.phone) with the password \(demo.password) (new at every start, as the key is).
        Anybody can sign up with a number of Finland (+358 40 …); the code comes to its phone of the sandbox.
        What the phone got: \(sandbox)/sandbox/phones/\(phone)/messages
        Ctrl-C stops all of it.

      """
  }

  /// As it can be typed in the folder where the server was started.
  private static var programPath: String { CommandLine.arguments.first ?? "switchboard" }

  private static func createCarriers(_ assembly: Assembly, sandbox: String) async throws -> [CarrierRecord] {
    let existing = try await assembly.database.read { [store = assembly.carriers] tx in try store.carriers(tx: tx) }
    var created: [CarrierRecord] = []
    for (index, carrier) in carriers.enumerated() {
      let settings = ["url": sandbox, "user": "sandbox", "password": "sandbox", "sender": carrier.number]
      if let record = existing.first(where: { $0.name == carrier.name }) {
        // A real carrier that happens to have the name is left alone.
        guard record.settings["user"] == settings["user"], record.settings["password"] == settings["password"] else {
          continue
        }
        created.append(record)
        // The sandbox may be at another address than last time.
        guard record.settings["url"] != sandbox else { continue }
        try await assembly.database.transaction { [store = assembly.carriers] tx in
          try store.setSettings(settings, of: record, at: SystemClock().now, tx: tx)
        }
        continue
      }
      let record = CarrierRecord(
        name: carrier.name, profile: carrier.profile, settings: settings,
        callbackSecret: Base64URL.encode(randomBytes(24)), rank: 100 + index, allowsPrivateAddresses: true)
      try await assembly.database.transaction { [store = assembly.carriers] tx in
        let number = try store.create(record, at: SystemClock().now, tx: tx)
        try store.assign(carrier.number, to: number, account: nil, tx: tx)
      }
      created.append(record)
    }
    try await assembly.loader.load()
    return created
  }

  /// Tells the sandbox where its carriers find us.
  private static func tell(
    _ sandbox: String, _ carriers: [CarrierRecord], exchange: String, _ assembly: Assembly
  ) async throws {
    let client = HTTPClient(.init(userAgent: "switchboard/\(Version.number)"))
    let running = Task { try await client.run() }
    defer { running.cancel() }
    for carrier in carriers {
      let callback = "\(exchange)/hooks/\(carrier.name)/\(carrier.callbackSecret)"
      let body = JSONWriter.object { json in
        json.field("receiptURL", callback)
        json.field("incomingURL", callback)
        json.field("numbers", [carrier.settings["sender"]].compactMap(\.self)) { $0.string($1) }
      }
      let request = OutgoingRequest(
        method: "PUT", url: "\(sandbox)/sandbox/carriers/\(carrier.name)",
        headers: [(name: "Content-Type", value: "application/json")], body: body, allowsPrivateAddresses: true)
      let response: OutgoingResponse
      do { response = try await client.send(request) } catch {
        throw CommandError("The sandbox at \(sandbox) can not be reached: \(error)")
      }
      guard response.status < 300 else {
        throw CommandError("The sandbox at \(sandbox) refused the carrier \(carrier.name) (\(response.status)).")
      }
    }
  }

  private static func demoAccount(_ assembly: Assembly) async throws -> (phone: String, password: String, key: String) {
    let password = Base64URL.encode(randomBytes(9))
    let hash = try await PasswordHasher().hash(password)
    let demoPhone = "+358401110000"
    let key = try await assembly.database.transaction { [accounts = assembly.accounts] tx in
      let now = SystemClock().now
      let known = try accounts.account(phone: demoPhone, tx: tx)
      let id =
        try known?.id
        ?? accounts.create(
          phone: demoPhone, name: demoName, role: .admin, password: hash, region: region, at: now, tx: tx)
      try accounts.setPassword(hash, of: id, at: now, tx: tx)
      // Whoever tried what deleting does begins anew, too.
      _ = try ErasureStore().undo(id, tx: tx)
      for key in try accounts.keys(of: id, tx: tx) where key.name == keyName {
        _ = try accounts.removeKey(key.id, tx: tx)
      }
      return try accounts.createKey(for: id, name: keyName, scopes: [.all], at: now, tx: tx).key
    }
    return (demoPhone, password, key)
  }
}
