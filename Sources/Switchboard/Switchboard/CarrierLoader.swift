import CarrierProfiles
import Contract
import Database
import Delivery
import Exchange
import Runtime
import SMSChannel

/// Brings the configured carriers from the database into service, at start and whenever an operator changes one.
struct CarrierLoader: Sendable {
  let database: any Database
  let store: CarrierStore
  let profiles: ProfileLibrary
  let directory: CarrierDirectory
  let dispatcher: Dispatcher
  let clock: any WallClock
  let log: Logger

  /// A carrier whose profile can not be read is left out, loudly; its messages wait or go by another.
  func load() async throws {
    let records = try await database.read { [store] tx in try store.carriers(tx: tx) }
    var carriers: [Carrier] = []
    var routes: [RouteTable.Carrier] = []
    for record in records {
      var route = record.route
      if record.isEnabled {
        do {
          guard record.isReadable else { throw CommandError(Self.unreadable) }
          let profile = try profiles.profile(record.profile)
          let problems = profile.problems(withSettings: record.settings)
          guard problems.isEmpty else { throw CommandError(problems.joined(separator: " ")) }
          carriers.append(Carrier(record: record, profile: profile))
        } catch {
          route.isEnabled = false
          log.error(
            "A carrier can not be used until its profile or its settings are mended.",
            ["carrier": .text(record.name), "error": .error(error)])
        }
      }
      routes.append(route)
    }
    directory.replace(with: carriers)
    dispatcher.setRoutes(
      RouteTable(routes), limits: Dictionary(carriers.map { ($0.record.number, $0.limits) }, uniquingKeysWith: { $1 }))
    try await startPolls(carriers)
  }

  static let unreadable =
    "its settings were encrypted with another master key; put that key back, or remove the carrier and create it again"

  private func startPolls(_ carriers: [Carrier]) async throws {
    let now = clock.now
    let polled = carriers.filter { $0.record.isPolled && $0.profile.pollInterval != nil }.map { $0.record.number }
    guard !polled.isEmpty else { return }
    try await database.transaction { tx in
      for number in polled {
        try TimerStore.setIfMissing(CarrierPoller.timerKind, key: String(number), due: now, tx: tx)
      }
    }
  }
}
