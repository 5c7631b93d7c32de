import Contract
import Delivery
import Exchange
import Formats

/// A carrier as the operator sees it. Its settings have secrets in them and are not shown.
struct CarrierView: Sendable {
  let record: CarrierRecord
  /// Whether it is enabled and its profile and its settings could be read.
  let isInService: Bool
  let pace: CarrierPace?
  let numbers: [String]
  let queued: Int
  let today: CarrierDays.Today
  let lastError: CarrierDays.LastError?

  func write(_ json: inout JSONWriter, at now: Instant) {
    let (health, since) = health(at: now)
    json.object { json in
      json.field("name", record.name)
      json.field("profile", record.profile)
      json.field("enabled", record.isEnabled)
      json.field("health", health)
      json.field("since", since)
      json.field("rank", record.rank)
      json.field("prefixes", record.prefixes) { $0.string($1) }
      json.field("numbers", numbers) { $0.string($1) }
      json.field("queued", queued)
      json.field("sentToday", today.sent)
      json.field("failedToday", today.failed)
      guard let lastError else { return json.field("lastError", nil as String?) }
      json.object("lastError") { json in
        json.field("code", lastError.code)
        json.field("message", lastError.message)
        json.field("at", lastError.at)
      }
    }
  }

  /// Since when is known only of what this process has seen.
  private func health(at now: Instant) -> (String, Instant?) {
    guard record.isEnabled else { return ("disabled", nil) }
    guard isInService, let pace else { return (CarrierPace.ClosedReason.misconfigured.name, nil) }
    let (trouble, since) = pace.health(at: now)
    return (trouble?.name ?? "up", since)
  }
}
