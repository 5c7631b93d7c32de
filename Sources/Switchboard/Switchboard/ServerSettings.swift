import Accounts
import Exchange
import Foundation
import Network
import Runtime

/// What the exchange was told, checked: flags first, then `SWITCHBOARD_*` variables, then the file, then the defaults.
struct ServerSettings {
  var listen: HostPort
  var tls: TLSFiles?
  /// Where the world reaches us, without a slash at the end; nil where it can not.
  var publicURL: String?
  var trustedProxies: [String]
  var metricsListen: HostPort?
  var loops: Int
  var prices: PriceList?
  /// Millionths of the currency that an account may spend in a day; nil for no limit.
  var dailyCap: Int64?
  var signUp: SignUpPolicy
  var logFormat: LogFormat
  var logLevel: LogLevel
  var sandbox: Bool
  var sandboxListen: HostPort
  var sandboxAt: String?
  /// A folder of the web app's sources, served instead of what is in the program.
  var web: String?
  let ignoredVariables: [String]

  static let configFlag = Setting(
    "config", .path, "The configuration file; else switchboard.json5 in the data folder.", places: .flag)
  static let data = Setting(
    "data", .path, default: DataFolder.defaultPath, "The folder in which everything is kept.",
    places: [.flag, .variable])
  private static let listen = Setting(
    "listen", .hostPort, default: HostPort(host: "127.0.0.1", port: 8080),
    "Where the exchange listens. 0.0.0.0:8080 lets everybody in; put nginx or Caddy in front for that.")
  private static let database = Setting(
    "database", databaseKind, default: "sqlite:", "The database: `sqlite:` keeps it in the data folder.")
  private static let tlsCertificate = Setting(
    "tlsCertificate", .path, "A PEM file with the certificate and its chain; with it the exchange speaks TLS itself.")
  private static let tlsKey = Setting("tlsKey", .path, "The PEM file with the key of the certificate.")
  private static let publicURL = Setting(
    "publicURL", .url, "The address at which the world reaches this exchange. Carriers are given callbacks below it.")
  private static let trustedProxies = Setting(
    "trustedProxies", .list, default: [],
    "Addresses of proxies in front (nginx, Caddy) whose X-Forwarded-For and X-Forwarded-Proto are believed.")
  private static let metricsListen = Setting(
    "metricsListen", .hostPort, "A listener of its own for /metrics, which is then not on the main one.")
  private static let loops = Setting(
    "loops", .integer(in: 1...64), default: 1, "How many event loops serve connections, a thread each.")
  private static let prices = Setting(
    "prices", .list, default: [],
    "What one part of a text costs by the beginning of its number, the longest counting: \"+358=0.05\"; \"=0.10\" for all others."
  )
  private static let currency = Setting("currency", .string, default: "EUR", "The currency of the prices (ISO 4217).")
  private static let dailyCap = Setting(
    "dailyCap", .string, "What an account may spend in a day, like 20.00, unless its own limit says otherwise.")
  private static let signUp = Setting(
    "signUp", SettingKind<SignUpMode>.word,
    "Whether people make accounts themselves, by a code sent to their phone: open or closed. Closed unless it is said, "
      + "but open with the sandbox.")
  private static let region = Setting(
    "region", regionKind,
    "The country (ISO 3166, like FI) to which a number belongs that somebody signs in or up with and that has no "
      + "country code.")
  private static let signUpCountries = Setting(
    "signUpCountries", .list, default: [],
    "The countries whose numbers may sign up, like [\"FI\", \"SE\"]; [\"*\"] for all. The region alone where not said.")
  private static let signUpDailyCodes = Setting(
    "signUpDailyCodes", .integer(in: 0...1_000_000), default: 200,
    "How many sign-up codes are sent in a day (UTC); after that nobody can sign up until the next. Each costs a text.")
  private static let signUpsPerAddress = Setting(
    "signUpsPerAddress", .integer(in: 1...1_000_000), default: 10,
    "How many codes one address may ask for in an hour. Its whole network may ask for twice as many.")
  private static let logFormat = Setting("logFormat", .word, default: LogFormat.text, "How log lines look.")
  private static let logLevel = Setting(
    "logLevel", .word, default: LogLevel.info, "The least important lines that are written.")
  private static let sandbox = Setting(
    "sandbox", .bool, default: false, "Run the sandbox too, and set its carriers and a demo account up.",
    places: [.flag, .variable])
  private static let sandboxListen = Setting(
    "sandboxListen", .hostPort, default: HostPort(host: "127.0.0.1", port: 8090), "Where the sandbox listens.")
  private static let sandboxAt = Setting(
    "sandboxAt", .url, "Use a sandbox that runs by itself at this address.", places: [.flag, .variable])

  private static let web = Setting(
    "web", .path,
    "Serve the web app from this folder of its sources instead of the program's own: only for developing it.")

  private static let databaseKind = SettingKind<String>(
    "`sqlite:` (a PostgreSQL address comes with a later version)", example: "sqlite:",
    parse: { $0 == "sqlite:" ? $0 : nil }, write: { $0 })

  private static let regionKind = SettingKind<String>(
    "two capital letters, like FI", example: "FI",
    parse: { isRegion($0) ? $0 : nil }, write: { $0 })

  private static func isRegion(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  static let all: [any AnySetting] = [
    configFlag, data, listen, database, tlsCertificate, tlsKey, publicURL, trustedProxies, metricsListen, loops, prices,
    currency,
    dailyCap, signUp, region, signUpCountries, signUpDailyCodes, signUpsPerAddress, logFormat, logLevel, sandbox,
    sandboxListen, sandboxAt, web,
  ]

  /// The file that `serve` writes at first start.
  static var template: String {
    Configuration.template(
      all,
      heading:
        "The configuration of this exchange. Flags and SWITCHBOARD_* variables count more than what stands here. "
        + "Restart the server after a change.")
  }

  /// For a command beside the server: what the file and the variables say.
  static func load(folder: DataFolder) throws -> ServerSettings {
    try ServerSettings(
      Configuration(
        all, environment: ProcessInfo.processInfo.environment, file: try file(named: nil, in: folder)))
  }

  /// For the server itself.
  static func load(_ words: [String]) throws -> (settings: ServerSettings, folder: DataFolder) {
    let environment = ProcessInfo.processInfo.environment
    let flags = try Flags(words, settings: all)
    if let word = flags.words.first { throw UsageError("'\(word)' is not understood here.") }
    // The data folder says where the file is, so it is looked up before the file is read.
    let first = try Configuration(all, flags: flags, environment: environment)
    let folder = DataFolder(first[data])
    let configuration = try Configuration(
      all, flags: flags, environment: environment, file: try file(named: first[configFlag], in: folder))
    return (try ServerSettings(configuration), folder)
  }

  private static func file(named name: String?, in folder: DataFolder) throws -> (name: String, bytes: [UInt8])? {
    let path = name ?? folder.configuration
    guard FileManager.default.fileExists(atPath: path) else {
      if let name { throw CommandError("The configuration file \(name) is not there.") }
      return nil
    }
    guard let bytes = FileReading.bytes(of: path, limit: 1 << 20) else {
      throw CommandError("The configuration file \(path) can not be read.")
    }
    return (path, bytes)
  }

  private init(_ configuration: Configuration) throws {
    listen = configuration[Self.listen]
    publicURL = configuration[Self.publicURL]
    trustedProxies = configuration[Self.trustedProxies]
    metricsListen = configuration[Self.metricsListen]
    loops = configuration[Self.loops]
    logFormat = configuration[Self.logFormat]
    logLevel = configuration[Self.logLevel]
    sandbox = configuration[Self.sandbox]
    sandboxListen = configuration[Self.sandboxListen]
    sandboxAt = configuration[Self.sandboxAt]
    web = configuration[Self.web]
    // Read where the key is loaded, since it is no part of the configuration.
    ignoredVariables = configuration.ignoredVariables.filter { $0 != DataFolder.keyVariable }
    switch (configuration[Self.tlsCertificate], configuration[Self.tlsKey]) {
    case (let certificate?, let key?): tls = TLSFiles(certificate: certificate, key: key)
    case (nil, nil): tls = nil
    default: throw CommandError("tlsCertificate and tlsKey belong together: give both or neither.")
    }
    signUp = try Self.signUp(configuration)
    prices = try Self.prices(configuration[Self.prices], currency: configuration[Self.currency])
    dailyCap = try configuration[Self.dailyCap].map { text in
      guard let cap = Price.micros(text) else { throw CommandError("dailyCap must be an amount like 20.00.") }
      return cap
    }
  }

  private static func signUp(_ configuration: Configuration) throws -> SignUpPolicy {
    let isSandbox = configuration[sandbox] || configuration[sandboxAt] != nil
    let isOpen = configuration[signUp].map { $0 == .open } ?? isSandbox
    let region = configuration[region] ?? (isSandbox ? DemoWorld.region : nil)
    var countries: [String]? = configuration[signUpCountries]
    if countries?.isEmpty == true { countries = region.map { [$0] } ?? [] }
    if countries == ["*"] { countries = nil }
    for country in countries ?? [] where !isRegion(country) {
      throw CommandError("signUpCountries has '\(country)'; it must be two capital letters, like FI.")
    }
    guard !isOpen || countries != [] else {
      throw CommandError(
        "signUp is open, and it is not said for which countries: set region or signUpCountries, since every code costs."
      )
    }
    return SignUpPolicy(
      isOpen: isOpen, region: region, countries: countries, codesADay: configuration[signUpDailyCodes],
      codesPerAddress: configuration[signUpsPerAddress],
      host: configuration[publicURL].flatMap { URLComponents(string: $0)?.host } ?? "localhost")
  }

  private static func prices(_ lines: [String], currency: String) throws -> PriceList? {
    guard !lines.isEmpty else { return nil }
    var prefixes: [String: Int64] = [:]
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let micros = Price.micros(String(parts[1])),
        parts[0].isEmpty || parts[0].hasPrefix("+")
      else { throw CommandError("prices has '\(line)'; it must be like +358=0.05.") }
      prefixes[String(parts[0])] = micros
    }
    return PriceList(currency: currency, prefixes: prefixes)
  }
}

/// Whether people make accounts themselves.
enum SignUpMode: String, Sendable, CaseIterable {
  case open
  case closed
}
