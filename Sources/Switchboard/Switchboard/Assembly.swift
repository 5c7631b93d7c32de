import Accounts
import AppKit
import CarrierProfiles
import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Foundation
import HTTPClient
import Network
import PhoneNumbers
import Runtime
import SMSChannel
import Texts

/// The exchange, put together: the one place where everything meets, from top to bottom.
struct Assembly {
  let database: SQLiteDatabase
  let server: HTTPServer
  let metricsServer: HTTPServer?
  let loader: CarrierLoader
  let accounts: AccountStore
  let carriers: CarrierStore
  let services: [any Service]
  let loops: EventLoopGroup

  init(_ settings: ServerSettings, folder: DataFolder, log: Logger) throws {
    let clock = SystemClock()
    let metrics = Metrics()

    // Base
    let key = try MasterKey.load(file: folder.masterKey, environment: ProcessInfo.processInfo.environment)
    let database = try SQLiteDatabase(path: folder.database, migrations: ExchangeSchema.migrations)
    let loops = try EventLoopGroup(count: settings.loops)
    let client = HTTPClient(.init(userAgent: "switchboard/\(Version.number)"))
    let passwords = PasswordHasher()

    // Exchange
    let ids = IdentifierSource(random: SecureRandom())
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
      hub: hub, channels: [.sms: sms], clock: clock, log: log.labelled("dispatcher"))
    let reports = CarrierReports(
      database: database, outbox: outbox, inbox: inbox, hub: hub, dispatcher: dispatcher, log: log.labelled("carriers"))
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
    let acceptor = Acceptor(outbox: outbox, database: database, hub: hub, dispatcher: dispatcher, clock: clock)
    let composer = TextComposer(numbers: numbers, prices: settings.prices, defaultDailyCap: settings.dailyCap)
    let operations = OperationsDoor(database: database, metrics: metrics)

    var router = Router()
    MessagesDoor(
      door: door, database: database, outbox: outbox, acceptor: acceptor, composer: composer, dispatcher: dispatcher,
      hub: hub, clock: clock
    ).routes(&router)
    InboxDoor(door: door, database: database, inbox: inbox, hub: hub, clock: clock).routes(&router)
    EventsDoor(door: door, database: database, hub: hub, clock: clock).routes(&router)
    AccountDoor(door: door, database: database, accounts: accounts, clock: clock).routes(&router)
    SessionsDoor(
      door: door, database: database, accounts: accounts, passwords: passwords, numbers: numbers, clock: clock
    ).routes(&router)
    hooks.routes(&router)
    operations.routes(&router)
    DocumentRoutes.add(to: &router)
    APIDoor.answerUnknown(&router)

    // Network
    var configuration = HTTPServer.Configuration(host: settings.host, port: settings.port, tls: settings.tls)
    configuration.report = { [log] sentence, data in
      log.labelled("http").info("The server reports.", ["what": .text(sentence), "data": .text("\(data)")])
    }
    configuration.refusal = APIDoor.refusal
    let server = HTTPServer(configuration: configuration, loops: loops, router: Self.withMetrics(router, operations, settings))

    var metricsServer: HTTPServer?
    if let (host, port) = settings.metricsListen {
      var router = Router()
      operations.metricsRoute(&router)
      metricsServer = HTTPServer(configuration: .init(host: host, port: port), loops: loops, router: router)
    }

    let housekeeping = Housekeeping(
      database: database, accounts: accounts, outbox: outbox, inbox: inbox, hub: hub, clock: clock)
    let timers = TimerService(
      database: database,
      handlers: [
        CarrierPoller.timerKind: { key in await poller.poll(key) },
        Housekeeping.timerKind: { _ in try await housekeeping.run() },
      ], clock: clock, log: log.labelled("timers"))
    let changes = ForeignChanges(
      database: database, loader: loader, authenticator: authenticator, hub: hub, dispatcher: dispatcher, clock: clock,
      log: log.labelled("changes"))
    ExchangeMetrics.register(metrics, database: database, dispatcher: dispatcher)

    self.database = database
    self.server = server
    self.metricsServer = metricsServer
    self.loader = loader
    self.accounts = accounts
    self.carriers = carriers
    self.loops = loops
    // Stopped from the last to the first: doors close first, the database last.
    services =
      [database, client, dispatcher, timers, changes] + (metricsServer.map { [$0] } ?? []) + [server]
  }

  private static func withMetrics(_ router: Router, _ operations: OperationsDoor, _ settings: ServerSettings) -> Router {
    var router = router
    if settings.metricsListen == nil { operations.metricsRoute(&router) }
    return router
  }
}
