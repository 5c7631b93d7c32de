import CarrierProfiles
package import Contract
import Exchange
package import HTTPClient
package import Runtime

/// Asks carriers for receipts and incoming texts, for those that can be asked. Run by a durable timer per carrier.
package struct CarrierPoller: Sendable {
  package static let timerKind = "carrier.poll"

  private let carriers: CarrierDirectory
  private let client: HTTPClient
  private let reports: CarrierReports
  private let clock: any WallClock
  private let log: Logger

  /// How often in a row a carrier is asked that has more to tell.
  private static let mostRounds = 100

  package init(
    carriers: CarrierDirectory, client: HTTPClient, reports: CarrierReports, clock: any WallClock, log: Logger
  ) {
    self.carriers = carriers
    self.client = client
    self.reports = reports
    self.clock = clock
    self.log = log
  }

  /// The timer's work.
  /// - Parameter key: the carrier's number.
  /// - Returns: when to ask again; nil where it is not to be asked any more.
  package func poll(_ key: String) async -> Instant? {
    guard let carrier = Int(key).flatMap({ carriers.carrier($0) }), carrier.record.isEnabled,
      carrier.record.isPolled, let interval = carrier.profile.pollInterval
    else { return nil }
    for _ in 0..<Self.mostRounds {
      guard let call = carrier.profile.pollCall(settings: carrier.record.settings) else { return nil }
      do {
        let response = try await client.send(SMSChannel.request(call, carrier))
        let now = clock.now
        let reading = carrier.profile.readPoll(
          status: response.status, body: response.body, settings: carrier.record.settings, now: now)
        await store(reading, raw: response.body, from: carrier, at: now)
        if !reading.mayHaveMore { break }
      } catch {
        log.warning(
          "A carrier could not be asked for receipts and texts; it is asked again.",
          ["carrier": .text(carrier.record.name), "error": .error(error)])
        break
      }
    }
    return clock.now + interval
  }

  /// What a poll brought is gone at the carrier, so it is not let go before it is on disk (or the server stops).
  private func store(_ reading: CallbackReading, raw: [UInt8], from carrier: Carrier, at now: Instant) async {
    while true {
      do {
        return try await reports.store(reading, raw: raw, from: carrier, at: now)
      } catch {
        log.error(
          "What a carrier was asked for could not be stored; it is tried again.",
          ["carrier": .text(carrier.record.name), "error": .error(error)])
        do { try await clock.sleep(until: clock.now + .seconds(1)) } catch { return }
      }
    }
  }
}
