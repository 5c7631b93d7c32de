import Foundation
import Network
import Runtime
import Sandbox

enum SandboxCommand: Command {
  static let name = "sandbox"
  static let summary = "run the sandbox by itself: carriers and phones to try everything with"
  static let help = """
    switchboard sandbox [--listen HOST:PORT] [--data DIR]

    The outside world in a box. Point an exchange at it with `serve --sandbox-at http://127.0.0.1:8090`. With --data
    its ledger is kept on disk.

    Example: switchboard sandbox --listen 127.0.0.1:8090 --data sandbox
    """

  static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
    guard let listen = HostPort(try arguments.value("--listen") ?? "127.0.0.1:8090") else {
      throw UsageError("--listen is a host and a port, like 127.0.0.1:8090.")
    }
    let data = try arguments.value("--data")
    try arguments.finish()
    let log = Logger("sandbox", sink: DescriptorSink())
    let server = SandboxServer(
      configuration: SandboxConfiguration(host: listen.host, port: Int(listen.port), dataFolder: data),
      loops: try EventLoopGroup(), log: log)
    let (host, port): (String, Int)
    do { (host, port) = try await server.start() } catch let error as SystemError {
      throw CommandError.listening(at: listen, flag: "--listen", error)
    }
    Output.line("The sandbox runs at http://\(host):\(port).")
    try await ServiceGroup([("sandbox", server)], signals: [SIGTERM, SIGINT], logger: log).run()
    return .done
  }
}
