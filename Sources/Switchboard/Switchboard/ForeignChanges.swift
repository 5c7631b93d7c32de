import AppKit
import Contract
import Database
import Exchange
import Runtime

/// Notices what commands change in the database beside the running server: messages, accounts, keys, carriers.
struct ForeignChanges: Service {
  let database: SQLiteDatabase
  let loader: CarrierLoader
  let authenticator: Authenticator
  let hub: EventHub
  let dispatcher: Dispatcher
  let clock: any WallClock
  let log: Logger

  private static let interval: Duration = .milliseconds(250)

  func run() async throws {
    var seen: Int64?
    while !Task.isCancelled {
      do {
        let version = try await database.dataVersion()
        if let seen, seen != version {
          authenticator.forget()
          try await loader.load()
          hub.signalAll()
          dispatcher.wake()
        }
        seen = version
      } catch {
        log.error("Changes by other programs could not be looked for.", ["error": .error(error)])
      }
      try? await clock.sleep(until: clock.now + Self.interval)
    }
  }
}
