import Foundation
import HTTPClient
package import Network
package import Runtime

/// The sandbox as a service: the carriers' addresses and `/sandbox` on one listener, and pushes to the carriers' client.
package final class SandboxServer: Service {
  private let configuration: SandboxConfiguration
  private let core: SandboxCore
  private let server: HTTPServer
  private let client: HTTPClient
  private let pushes: PushSender
  private let log: Logger
  private let isStarted = Lock(false)

  package init(
    configuration: SandboxConfiguration, loops: EventLoopGroup, clock: any WallClock = SystemClock(), log: Logger
  ) {
    self.configuration = configuration
    core = SandboxCore(configuration, clock: clock)
    client = HTTPClient(
      .init(
        userAgent: "switchboard-sandbox/1", maximumConnectionsPerHost: PushLanes.concurrency,
        stopLimit: .seconds(1)))
    pushes = PushSender(core: core, client: client, log: log)
    self.log = log

    let hosts = HostRule(configuration)
    var router = Router()
    CarrierDoors(core: core, carriers: configuration.carriers).routes(&router)
    ControlDoor(core: core).routes(&router)
    PageDoor(core: core).routes(&router)
    let routes = router
    var http = HTTPServer.Configuration(host: configuration.host, port: configuration.port)
    http.stopTimeout = .seconds(2)
    http.bodyLimit = { routes.maximumBody(method: $0, path: $1) }
    server = HTTPServer(configuration: http, loops: loops) { request in
      guard hosts.allows(request) else { return ControlDoor.response(.crossSite) }
      return await routes.handle(request)
    }
  }

  /// Opens the ledgers, binds and begins to answer. Call it once.
  /// - Throws: `SandboxError`; `SystemError` when the address can not be had.
  package func start() async throws -> (host: String, port: Int) {
    try configuration.validate()
    if let folder = configuration.dataFolder { try openLedgers(in: folder) }
    isStarted.withLock { $0 = true }
    let (host, port) = try await server.start()
    log.info("The sandbox answers.", ["host": .text(host), "port": .integer(port)])
    return (host, port)
  }

  private func openLedgers(in folder: String) throws(SandboxError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .folderUnusable(folder)
    }
    try core.change { (world, _) throws(SandboxError) in try world.openLedgers(in: folder) }
  }

  /// Answers and pushes until the task is cancelled. What is still to be pushed then is lost; ledgers are not.
  ///
  /// Starts it if `start` was not called.
  package func run() async throws {
    if !isStarted.withLock({ $0 }) { _ = try await start() }
    defer { core.change { world, _ in world.closeLedgers() } }
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup { [core, server, client, pushes] group in
        group.addTask { try await server.run() }
        group.addTask { try await client.run() }
        group.addTask { await pushes.run() }
        group.addTask { await core.runAgenda() }
        defer { group.cancelAll() }
        try await group.waitForAll()
      }
    } onCancel: {
      core.held.end()
    }
  }

  /// Tells a carrier where its client is; nil takes an address away.
  /// - Parameter numbers: the client's own numbers; nil leaves them as they are.
  /// - Returns: false when there is no carrier of that name.
  @discardableResult
  package func setCallbacks(
    of carrier: String, receiptURL: String?, incomingURL: String?, numbers: [String]? = nil
  ) -> Bool {
    core.change { world, _ in
      guard let index = world.carrier(named: carrier) else { return false }
      world.carriers[index].receiptURL = receiptURL
      world.carriers[index].incomingURL = incomingURL
      if let numbers { world.carriers[index].numbers = Set(numbers.map(CarrierState.digits)) }
      return true
    }
  }
}
