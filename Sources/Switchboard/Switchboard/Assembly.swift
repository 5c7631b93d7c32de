import Accounts
import CarrierProfiles
import Contract
import Cryptography
import Database
import Delivery
import Doors
import Exchange
import Foundation
import HTTPClient
import Network
import PhoneNumbers
import Runtime
import SMSChannel
import Texts
import WebApp

/// The exchange, put together: the one place where everything meets, from top to bottom.
struct Assembly {
  let database: SQLiteDatabase
  let server: HTTPServer
  let metricsServer: HTTPServer?
  let loader: CarrierLoader
  let accounts: AccountStore
  let carriers: CarrierStore
  /// From the first to the last; stopped the other way round: doors close first, the database last.
  let services: [(name: String, service: any Service)]
  private let clock: SystemClock
  let loops: EventLoopGroup
  let key: MasterKey
  private let isSecure: Bool
  private let listen: HostPort
  private let metricsListen: HostPort?

  init(_ settings: ServerSettings, folder: DataFolder, log: Logger) throws {
    let clock = SystemClock()
    let metrics = Metrics()
    let counts = ExchangeMetrics(metrics)

    // Base
    let key = try folder.loadKey()
    let database = try SQLiteDatabase(path: folder.database, migrations: DatabaseSchema.migrations)
    let loops = try EventLoopGroup(count: settings.loops)
    // Sending gives way to those who wait for an answer of ours.
    let sending = try EventLoop(name: "sending", niceness: 5)
    let client = HTTPClient(.init(userAgent: "switchboard/\(Version.number)"))
    let passwords = PasswordHasher()

    // Exchange
    let ids = IdentifierSource(random: SecureRandomPool())
    let hub = EventHub()
    let outbox = Outbox(ids: ids, key: key)
    let inbox = Inbox(ids: ids, join: CarrierReports.join)
    let accounts = AccountStore(ids: ids, key: key)
    let carriers = CarrierStore(key: key)

    // Channels
    let directory = CarrierDirectory()
    let sms = SMSChannel(carriers: directory, client: client, publicURL: settings.publicURL, clock: clock)
    let dispatcher = Dispatcher(
      machine: DispatchMachine(policy: RetryPolicy(), random: SecureRandom()), outbox: outbox, database: database,
      hub: hub, channels: [.sms: sms], executor: sending, attempts: counts.attempts, clock: clock,
      log: log.labelled("dispatcher"))
    let reports = CarrierReports(
      database: database, outbox: outbox, inbox: inbox, hub: hub, dispatcher: dispatcher,
      counted: counts.reports, log: log.labelled("carriers"))
    let hooks = CarrierHooks(carriers: directory, reports: reports, clock: clock, log: log.labelled("carriers"))
    let poller = CarrierPoller(
      carriers: directory, client: client, reports: reports, clock: clock, log: log.labelled("carriers"))
    let loader = CarrierLoader(
      database: database, store: carriers, profiles: ProfileLibrary(folder), directory: directory,
      dispatcher: dispatcher, clock: clock, log: log.labelled("carriers"))

    // Apps
    let numbers = PhoneNumberParser()
    let authenticator = Authenticator(store: accounts, database: database, clock: clock)
    let door = APIDoor(authenticator: authenticator, log: log.labelled("api"))
    let acceptor = Acceptor(
      outbox: outbox, database: database, hub: hub, dispatcher: dispatcher, accepted: counts.accepted, clock: clock)
    let composer = TextComposer(numbers: numbers, prices: settings.prices, defaultDailyCap: settings.dailyCap)
    let operations = OperationsDoor(
      database: database, metrics: metrics,
      refresh: {
        await counts.refresh(database: database, outbox: outbox, dispatcher: dispatcher, at: clock.now)
      })

    var router = Router()
    MessagesDoor(
      door: door, database: database, outbox: outbox, acceptor: acceptor, composer: composer, dispatcher: dispatcher,
      hub: hub, clock: clock
    ).routes(&router)
    InboxDoor(door: door, database: database, inbox: inbox, hub: hub, clock: clock).routes(&router)
    let indexer = ConversationIndexer(
      database: database, hub: hub, clock: clock, log: log.labelled("conversations"))
    ConversationsDoor(
      door: door, database: database, outbox: outbox, inbox: inbox, indexer: indexer, dispatcher: dispatcher, hub: hub,
      clock: clock
    ).routes(&router)
    SendersDoor(door: door, database: database, carriers: carriers).routes(&router)
    OperatorDoor(
      door: door, database: database, outbox: outbox, acceptor: acceptor, composer: composer, carriers: carriers,
      dispatcher: dispatcher, clock: clock
    ).routes(&router)
    EventsDoor(door: door, database: database, hub: hub, clock: clock).routes(&router)
    let attempts = AttemptLimiter()
    let erasures = ErasureStore()
    let signUps = SignUpStore(ids: ids, key: key, policy: settings.signUp)
    let start = StartDoor(
      door: door, database: database, accounts: accounts, policy: settings.signUp, version: Version.number,
      hasGateway: { dispatcher.routes.carriers.values.contains { $0.isEnabled && $0.channel == .sms } })
    start.routes(&router)
    SignUpDoor(
      door: door, database: database, policy: settings.signUp, store: signUps,
      sender: CodeSender(
        outbox: outbox, dispatcher: dispatcher, host: settings.signUp.host, prices: settings.prices,
        dailyCap: settings.dailyCap, accepted: counts.accepted),
      accounts: accounts, erasures: erasures, passwords: passwords, numbers: numbers,
      counted: counts.signUps, clock: clock
    ).routes(&router)
    SessionsDoor(
      door: door, database: database, accounts: accounts, erasures: erasures, passwords: passwords, numbers: numbers,
      attempts: attempts, region: settings.signUp.region, clock: clock
    ).routes(&router)
    AccountDoor(
      door: door, database: database, accounts: accounts, erasures: erasures, passwords: passwords,
      attempts: attempts, hub: hub, clock: clock
    ).routes(&router)
    ExportDoor(
      door: door, database: database, accounts: accounts, outbox: outbox,
      parts: TextsExport.parts(
        database: database, outbox: outbox, inbox: inbox, routes: { dispatcher.routes }),
      currency: settings.prices?.currency, clock: clock
    ).routes(&router)
    hooks.routes(&router)
    operations.routes(&router)
    DocumentRoutes.add(to: &router)
    try WebAppDoor(DocumentRoutes.web(settings)) { await start.first(for: $0) }.routes(&router)
    APIDoor.answerUnknown(&router)
    router = Self.withMetrics(router, operations, settings)
    for route in router.routes {
      log.debug("An address is served.", ["method": .text(route.method), "path": .text(route.pattern)])
    }

    // Network
    var configuration = HTTPServer.Configuration(
      host: settings.listen.host, port: Int(settings.listen.port), tls: settings.tls)
    configuration.report = { [log] sentence, data in
      log.labelled("http").info(
        "The server reports.", data.mapValues { .text($0) }.merging(["what": .text(sentence)]) { $1 })
    }
    configuration.refusal = APIDoor.refusal
    let proxies = TrustedProxies(settings.trustedProxies)
    configuration.bodyLimit = { [router] in router.maximumBody(method: $0, path: $1) }
    let server = HTTPServer(configuration: configuration, loops: loops) { [router] request in
      await router.handle(proxies.seenThrough(request))
    }

    var metricsServer: HTTPServer?
    if let listen = settings.metricsListen {
      var router = Router()
      operations.metricsRoute(&router)
      metricsServer = HTTPServer(
        configuration: .init(host: listen.host, port: Int(listen.port)), loops: loops, router: router)
    }

    let housekeeping = Housekeeping(
      database: database, accounts: accounts, signUps: signUps, outbox: outbox, inbox: inbox, hub: hub, clock: clock)
    let erasure = AccountErasure(
      database: database, erasures: erasures, eraser: AccountEraser(outbox: outbox, steps: [TextsErasure.step]),
      hub: hub, clock: clock)
    let timers = TimerService(
      database: database,
      handlers: [
        CarrierPoller.timerKind: { key in await poller.poll(key) },
        Housekeeping.timerKind: { _ in try await housekeeping.run() },
        AccountErasure.timerKind: { key in try await erasure.run(key) },
      ], clock: clock, log: log.labelled("timers"))
    let changes = ForeignChanges(
      database: database, loader: loader, authenticator: authenticator, hub: hub, dispatcher: dispatcher, clock: clock,
      log: log.labelled("changes"))
    counts.register(metrics, database: database, dispatcher: dispatcher)

    self.database = database
    self.server = server
    self.metricsServer = metricsServer
    self.loader = loader
    self.accounts = accounts
    self.carriers = carriers
    self.loops = loops
    self.clock = clock
    self.key = key
    isSecure = settings.tls != nil
    listen = settings.listen
    metricsListen = settings.metricsListen
    services =
      [
        ("database", database), ("http client", client), ("dispatcher", dispatcher),
        ("conversations", indexer), ("timers", timers), ("changes", changes),
      ] + (metricsServer.map { [("metrics", $0)] } ?? []) + [("http server", server)]
  }

  /// What must be there before the first request is taken.
  func prepare() async throws {
    try await loader.load()
    let now = clock.now
    try await database.transaction { tx in
      try TimerStore.setIfMissing(Housekeeping.timerKind, key: "", due: now, tx: tx)
    }
  }

  /// Binds the listeners.
  /// - Returns: the address of the exchange.
  func start() async throws -> String {
    let bound = try await Self.start(server, at: listen, flag: "--listen")
    if let metricsServer, let metricsListen {
      _ = try await Self.start(metricsServer, at: metricsListen, flag: "--metrics-listen")
    }
    let host = bound.host.contains(":") ? "[\(bound.host)]" : bound.host
    return "\(isSecure ? "https" : "http")://\(host):\(bound.port)"
  }

  /// Binds one listener.
  private static func start(
    _ server: HTTPServer, at place: HostPort, flag: String
  ) async throws -> (host: String, port: Int) {
    do { return try await server.start() } catch let error as SystemError {
      throw CommandError.listening(at: place, flag: flag, error)
    }
  }

  private static func withMetrics(_ router: Router, _ operations: OperationsDoor, _ settings: ServerSettings) -> Router
  {
    var router = router
    if settings.metricsListen == nil { operations.metricsRoute(&router) }
    return router
  }
}
