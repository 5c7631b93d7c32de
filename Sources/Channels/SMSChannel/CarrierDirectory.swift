package import CarrierProfiles
package import Delivery
package import Exchange
import Runtime

/// One configured carrier with its profile.
package struct Carrier: Sendable {
  package let record: CarrierRecord
  package let profile: CarrierProfile

  package init(record: CarrierRecord, profile: CarrierProfile) {
    self.record = record
    self.profile = profile
  }

  /// How fast it may be spoken to: the operator's word before the profile's.
  package var limits: CarrierPace.Limits {
    CarrierPace.Limits(
      partsPerSecond: record.partsPerSecond ?? profile.rates.partsPerSecond ?? profile.rates.messagesPerSecond
        ?? 10_000,
      window: record.window ?? 100)
  }
}

/// The carriers in service, by number and by name; replaced as a whole when the operator changes one.
package final class CarrierDirectory: Sendable {
  private let carriers = Lock<[Int: Carrier]>([:])

  package init() {}

  package func replace(with carriers: [Carrier]) {
    self.carriers.withLock { $0 = Dictionary(carriers.map { ($0.record.number, $0) }, uniquingKeysWith: { $1 }) }
  }

  package var all: [Carrier] {
    carriers.withLock { $0.values.sorted { $0.record.number < $1.record.number } }
  }

  package func carrier(_ number: Int) -> Carrier? { carriers.withLock { $0[number] } }

  package func carrier(named name: String) -> Carrier? {
    carriers.withLock { $0.values.first { $0.record.name == name } }
  }
}
