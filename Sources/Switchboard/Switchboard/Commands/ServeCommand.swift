import Database
import Foundation
import Runtime

enum ServeCommand: Command {
  static let name = "serve"
  static let summary = "run the exchange"
  static let help = """
    switchboard serve [--config FILE] [--data DIR] [--listen HOST:PORT] [--public-url URL]
                      [--tls-certificate FILE --tls-key FILE] [--metrics-listen HOST:PORT]
                      [--sandbox [--sandbox-listen HOST:PORT] | --sandbox-at URL] [--log-format text|json]
                      [--web DIR]

    Everything is kept in the data folder. At first start a master key and a configuration file that explains every
    key are made there. With --sandbox the outside world runs in the same process: carriers and phones to try
    everything with, and a demo account. Ctrl-C, or SIGTERM, stops it when what is under way is finished.

    Example: switchboard serve --data /var/lib/switchboard --public-url https://sms.example.org
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    let (settings, folder) = try ServerSettings.load(arguments.words)
    let log = Logger(
      "switchboard", level: settings.logLevel, sink: DescriptorSink(2, format: settings.logFormat))
    try folder.create()
    let lock = try DataFolderLock(folder: folder.path)
    defer { withExtendedLifetime(lock) {} }
    try writeTemplate(folder)
    if !folder.exists, FileManager.default.fileExists(atPath: folder.masterKey) {
      log.warning(
        "There is a master key and no database: this begins as an empty exchange. Stop it and restore a backup if that is not meant.",
        ["folder": .text(folder.path)])
    }
    if !settings.ignoredVariables.isEmpty {
      log.warning(
        "Variables that begin with SWITCHBOARD_ set nothing.",
        ["names": .text(settings.ignoredVariables.joined(separator: " "))])
    }
    let assembly = try Assembly(settings, folder: folder, log: log)
    var members = assembly.services
    var sandboxAddress = settings.sandboxAt
    if let sandbox = try await DemoWorld.prepare(settings, folder: folder, assembly: assembly, log: log) {
      members.insert(("sandbox", sandbox.service), at: 2)
      sandboxAddress = sandbox.address
    }
    try await assembly.prepare()
    let bound = try await assembly.start()
    log.info("The exchange takes requests.", ["address": .text(bound)])
    if let sandboxAddress {
      Output.line(
        try await DemoWorld.welcome(sandbox: sandboxAddress, folder: folder, assembly: assembly, address: bound))
    }
    try await ServiceGroup(members, grace: .seconds(30), signals: [SIGTERM, SIGINT], logger: log.labelled("services"))
      .run()
    log.info("The exchange has stopped.")
    return .done
  }

  private static func writeTemplate(_ folder: DataFolder) throws {
    guard !FileManager.default.fileExists(atPath: folder.configuration) else { return }
    let isWritten = FileManager.default.createFile(
      atPath: folder.configuration, contents: Data(ServerSettings.template.utf8),
      attributes: [.posixPermissions: 0o600])
    if !isWritten { throw CommandError("\(folder.configuration) can not be written.") }
  }
}
