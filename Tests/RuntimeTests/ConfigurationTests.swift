import Foundation
import Runtime
import Testing

@Suite("Configuration") struct ConfigurationTests {
  private enum Mode: String, CaseIterable { case open, household }

  private let listen = Setting(
    "listen", .hostPort, default: HostPort(host: "127.0.0.1", port: 8080), "Where the exchange listens.")
  private let publicURL = Setting("publicURL", .url, "The address under which phones reach the exchange.")
  private let workers = Setting("workers", .integer(in: 1...64), default: 2, "How many loops serve requests.")
  private let sandbox = Setting("sandbox", .bool, default: false, "Runs the sandbox too.")
  private let grace = Setting("grace", .duration(), default: .seconds(30), "How long a stop may take.")
  private let proxies = Setting("trustedProxies", .list, default: [], "Whose forwarding headers are believed.")
  private let mode = Setting("mode", .word, default: Mode.open, "Who may sign up.")
  private let secret = Setting("masterKey", .string, "The master key.", places: [.variable, .file], isSecret: true)
  private let config = Setting("config", .path, "This file.", places: [.flag])

  private var settings: [any AnySetting] {
    [listen, publicURL, workers, sandbox, grace, proxies, mode, secret, config]
  }

  private func read(
    _ arguments: [String] = [], _ environment: [String: String] = [:], file: String? = nil
  ) throws -> Configuration {
    try Configuration(
      settings, flags: Flags(arguments, settings: settings), environment: environment,
      file: file.map { ("switchboard.json5", Array($0.utf8)) })
  }

  private func message(
    _ arguments: [String] = [], _ environment: [String: String] = [:], file: String? = nil
  ) -> String? {
    do {
      _ = try read(arguments, environment, file: file)
      return nil
    } catch { return String(describing: error) }
  }

  @Test func flagsComeBeforeVariablesBeforeTheFileBeforeDefaults() throws {
    let file = "{ workers: 3, grace: '1m', mode: 'household' }"
    let environment = ["SWITCHBOARD_WORKERS": "4", "SWITCHBOARD_GRACE": "2m", "HOME": "/root"]
    let configuration = try read(["--workers", "5"], environment, file: file)
    #expect(configuration[workers] == 5)
    #expect(configuration[grace] == .seconds(120))
    #expect(configuration[mode] == .household)
    #expect(configuration[listen] == HostPort(host: "127.0.0.1", port: 8080))
    #expect(configuration.source(of: workers) == .flag("--workers"))
    #expect(configuration.source(of: grace).description == "SWITCHBOARD_GRACE")
    #expect(configuration.source(of: mode).description == "switchboard.json5, line 1")
    #expect(configuration.source(of: listen).description == "default")
  }

  @Test func everyKindCanBeWrittenEverywhere() throws {
    let file = """
      {
        listen: "[::1]:0", publicURL: 'https://sms.example.org/x/', workers: 64, sandbox: true, grace: "500ms",
        trustedProxies: ["10.0.0.1", "10.0.0.2"], mode: null, masterKey: "s3cret",
      }
      """
    let fromFile = try read(file: file)
    let fromEnvironment = try read(
      [],
      [
        "SWITCHBOARD_LISTEN": "[::1]:0", "SWITCHBOARD_PUBLIC_URL": "https://sms.example.org/x",
        "SWITCHBOARD_WORKERS": "64", "SWITCHBOARD_SANDBOX": "yes", "SWITCHBOARD_GRACE": "500ms",
        "SWITCHBOARD_TRUSTED_PROXIES": "10.0.0.1, 10.0.0.2", "SWITCHBOARD_MODE": "open",
        "SWITCHBOARD_MASTER_KEY": "s3cret",
      ])
    let fromFlags = try read([
      "--listen=[::1]:0", "--public-url", "https://sms.example.org/x", "--workers", "64", "--sandbox", "--grace=500ms",
      "--trusted-proxies", "10.0.0.1", "--trusted-proxies", "10.0.0.2", "--mode=open",
    ])
    for configuration in [fromFile, fromEnvironment, fromFlags] {
      #expect(configuration[listen] == HostPort(host: "::1", port: 0))
      #expect(configuration[publicURL] == "https://sms.example.org/x")
      #expect(configuration[workers] == 64)
      #expect(configuration[sandbox])
      #expect(configuration[grace] == .milliseconds(500))
      #expect(configuration[proxies] == ["10.0.0.1", "10.0.0.2"])
      #expect(configuration[mode] == .open)
    }
    #expect(fromFile[secret] == "s3cret")
    #expect(fromEnvironment[secret] == "s3cret")
    #expect(fromFlags[secret] == nil)
    #expect(try read()[publicURL] == nil)
    #expect(try read(["--sandbox=false"], ["SWITCHBOARD_SANDBOX": "1"])[sandbox] == false)
    #expect(try read([], ["SWITCHBOARD_WORKERS": ""])[workers] == 2, "an empty variable sets nothing")
  }

  @Test func wordsBesideTheFlagsAreKept() throws {
    let flags = try Flags(["account", "--workers", "3", "create", "--", "--workers", "-x"], settings: settings)
    #expect(flags.words == ["account", "create", "--workers", "-x"])
    #expect(flags.text(for: workers) == "3")
    #expect(flags.text(for: listen) == nil)
    #expect(try read(["--workers", "3", "--config", "/etc/s.json5"])[config] == "/etc/s.json5")
  }

  @Test func aFlagThatCanNotBeIsRefused() {
    #expect(message(["--worker", "3"]) == "--worker is not known. Was --workers meant?")
    #expect(message(["--colour"]) == "--colour is not known.")
    #expect(message(["--master-key", "x"]) == "--master-key is not known.", "a secret has no flag: ps would show it")
    #expect(message(["--workers"]) == "--workers needs a value: a whole number from 1 to 64.")
    #expect(message(["--workers", "--sandbox"]) == "--workers needs a value: a whole number from 1 to 64.")
    #expect(message(["--workers", "1", "--workers=2"]) == "--workers stands twice.")
    #expect(message(["--workers", "65"]) == "--workers must be a whole number from 1 to 64, not \"65\".")
    #expect(message(["--sandbox=maybe"]) == "--sandbox must be true or false, not \"maybe\".")
  }

  @Test func aVariableThatCanNotBeIsRefused() {
    #expect(
      message([], ["SWITCHBOARD_LISTEN": "8080"])
        == "SWITCHBOARD_LISTEN must be a host and a port, like 127.0.0.1:8080 or [::1]:8080, not \"8080\".")
    #expect(
      message([], ["SWITCHBOARD_PUBLIC_URL": "sms.example.org"])
        == "SWITCHBOARD_PUBLIC_URL must be an address like https://sms.example.org, not \"sms.example.org\".")
    #expect(
      message([], ["SWITCHBOARD_GRACE": "soon"])
        == "SWITCHBOARD_GRACE must be a time like 500ms, 30s, 5m, 24h or 7d, not \"soon\".")
    #expect(
      message([], ["SWITCHBOARD_MODE": "shut"]) == "SWITCHBOARD_MODE must be one of open, household, not \"shut\".")
    #expect(
      message([], ["SWITCHBOARD_TRUSTED_PROXIES": "a,,b"]) == nil, "an empty place in a list says nothing")
    #expect(
      message([], ["SWITCHBOARD_TRUSTED_PROXIES": "a, ,b"])
        == "SWITCHBOARD_TRUSTED_PROXIES must be a list of texts, not \"a, ,b\".")
  }

  @Test func variablesThatSetNothingAreListed() throws {
    let environment = ["SWITCHBOARD_PORT": "tcp://10.0.0.1:80", "SWITCHBOARD_CONFIG": "x", "OTHER": "1"]
    #expect(try read([], environment).ignoredVariables == ["SWITCHBOARD_CONFIG", "SWITCHBOARD_PORT"])
  }

  @Test(
    arguments: [
      ("{\n  worker: 3,\n}", "switchboard.json5:2:3: worker is not known. Was workers meant?"),
      ("{\n  colour: 3,\n}", "switchboard.json5:2:3: colour is not known."),
      ("{ config: 'x' }", "switchboard.json5:1:3: config can not be set in the file, only by --config."),
      (
        "{\n\n  workers: 'three' }",
        "switchboard.json5:3:12: workers must be a whole number from 1 to 64, not \"three\"."
      ),
      ("{ workers: 65 }", "switchboard.json5:1:12: workers must be a whole number from 1 to 64, not 65."),
      ("{ workers: 1.5 }", "switchboard.json5:1:12: workers must be a whole number from 1 to 64, not 1.5."),
      ("{ sandbox: 'yes' }", "switchboard.json5:1:12: sandbox must be true or false, not \"yes\"."),
      ("{ trustedProxies: 'a' }", "switchboard.json5:1:19: trustedProxies must be a list of texts, not \"a\"."),
      ("{ trustedProxies: ['a', 1] }", "switchboard.json5:1:19: trustedProxies must be a list of texts."),
      ("[]", "switchboard.json5:1:1: The file must be an object: { key: value, … }."),
      ("{ workers 3 }", "switchboard.json5:1:11: A colon should stand here, not \"3\"."),
      ("{ workers: 3,\n workers: 4 }", "switchboard.json5:2:2: The key \"workers\" stands in line 1 and again here."),
    ])
  func aFileThatCanNotBeIsRefusedWithItsLine(file: String, expected: String) {
    #expect(message(file: file) == expected)
  }

  @Test func aSecretIsNeverShown() throws {
    let expected = "switchboard.json5:1:14: masterKey must be a text that is not empty."
    #expect(message(file: "{ masterKey: 12345 }") == expected)
    let configuration = try read([], ["SWITCHBOARD_MASTER_KEY": "hunter2"])
    let shown = configuration.effective.map { "\($0.key)=\($0.value) (\($0.source))" }
    #expect(shown.contains("masterKey=(hidden) (SWITCHBOARD_MASTER_KEY)"))
    #expect(shown.contains("listen=\"127.0.0.1:8080\" (default)"))
    #expect(!shown.joined().contains("hunter2"))
    #expect(!shown.joined().contains("publicURL"), "what has no value is not listed")
  }

  @Test func theTemplateExplainsEveryKeyAndSetsNone() throws {
    let text = Configuration.template(settings, heading: "Settings of the exchange.\nFlags come first.")
    #expect(
      text.hasPrefix(
        """
        // Settings of the exchange.
        // Flags come first.
        {
          // Where the exchange listens.
          // Must be a host and a port, like 127.0.0.1:8080 or [::1]:8080.
          // Or: --listen, SWITCHBOARD_LISTEN.
          // listen: "127.0.0.1:8080",

          // The address under which phones reach the exchange.
          // Must be an address like https://sms.example.org. Not set unless you do.
          // Or: --public-url, SWITCHBOARD_PUBLIC_URL.
          // publicURL: "https://sms.example.org",

        """))
    #expect(!text.contains("config:"), "what can not stand in the file is not in it")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    let empty = try read(file: text)
    #expect(empty[workers] == 2)
    #expect(empty.source(of: workers) == .byDefault)
    // With the marks taken off every key can stand as it is written there.
    let lines = text.split(separator: "\n").map { line in
      line.range(of: #"^  // [a-zA-Z]+: .*,$"#, options: .regularExpression) == nil ? line : line.dropFirst(5)
    }
    let full = try read(file: lines.joined(separator: "\n"))
    #expect(full[workers] == 2)
    #expect(full[publicURL] == "https://sms.example.org")
    #expect(full.source(of: grace) != .byDefault)
  }

  @Test(
    arguments: [
      ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:443", "::1", 443), ("sms.example.org:0", "sms.example.org", 0),
      ("[::ffff:1.2.3.4]:65535", "::ffff:1.2.3.4", 65535),
    ] as [(String, String, UInt16)])
  func hostsAndPortsAreRead(text: String, host: String, port: UInt16) {
    #expect(HostPort(text) == HostPort(host: host, port: port))
    #expect(HostPort(text)?.description == text)
  }

  @Test(
    arguments: [
      "", ":", ":80", "a", "a:", "a:65536", "a:-1", "a:+1", "a:8 0", "::1:80", "[::1]", "[a]:80", "[]:80", "a b:80",
      "[::1]x:80", "http://a:80", "a@b:80", "a:٨", "ä:80",
    ])
  func whatIsNoHostAndPortIsRefused(text: String) {
    #expect(HostPort(text) == nil)
  }

  @Test(
    arguments: [
      ("0s", .zero, "0s"), ("500ms", .milliseconds(500), "500ms"), ("1500ms", .milliseconds(1500), "1500ms"),
      ("90s", .seconds(90), "90s"), ("120s", .seconds(120), "2m"), ("24h", .seconds(86_400), "1d"),
      ("7d", .seconds(604_800), "7d"),
    ] as [(String, Duration, String)])
  func timesAreReadAndShownInTheirLargestUnit(text: String, duration: Duration, shown: String) throws {
    let configuration = try read(["--grace", text])
    #expect(configuration[grace] == duration)
    #expect(configuration.effective.first { $0.key == "grace" }?.value == "\"\(shown)\"")
  }

  @Test(arguments: ["", "5", "s", "5 s", "-5s", "5x", "1.5s", "9223372036854775807d", "99999999999999999999s", "101y"])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(message(["--grace=\(text)"])?.hasPrefix("--grace must be a time") == true)
  }

  @Test(
    arguments: [
      "", "ftp://a", "https://", "https:///x", "//a", "https://u:p@a", "https://a?x", "https://a#x", "https://a b", "a",
    ])
  func whatIsNoAddressIsRefused(text: String) {
    #expect(message(["--public-url=\(text)"]) != nil)
  }
}
