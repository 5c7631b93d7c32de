import Contract
import Database
import Doors
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
    // What was changed between the start and the first look counts as a change, too.
    var seen: Int64?
    var isFailing = false
    while !Task.isCancelled {
      do {
        let version = try await database.dataVersion()
        if seen != version {
          authenticator.forget()
          try await loader.load()
          hub.signalAll()
          dispatcher.wake()
        }
        seen = version
        isFailing = false
      } catch {
        // Said once, not four times a second for as long as it lasts.
        if !isFailing {
          log.error("Changes by other programs can not be looked for now.", ["error": .error(error)])
        }
        isFailing = true
      }
      try? await clock.sleep(until: clock.now + Self.interval)
    }
  }
}
