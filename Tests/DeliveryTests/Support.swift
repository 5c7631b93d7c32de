import Contract
import Delivery
import Runtime

extension Instant {
  static let start = Instant(milliseconds: 1_767_225_600_000)

  static func after(_ seconds: Double) -> Instant { start + .milliseconds(Int64(seconds * 1000)) }
}

extension AttemptOutcome {
  static let taken = AttemptOutcome.accepted(ids: ["a1"])
  static let refusedMessage = AttemptOutcome.refused(scope: .message, code: "bad-number", detail: "No such number.")
  static let refusedRoute = AttemptOutcome.refused(scope: .route, code: "no-route", detail: "Not served here.")
  static let refusedCarrier = AttemptOutcome.refused(scope: .carrier, code: "no-credit", detail: "No credit.")
  static let tooFast = AttemptOutcome.throttled(code: "429", detail: "Too fast.", retryAfter: nil)
  static let isDown = AttemptOutcome.unavailable(code: "503", detail: "Down.")
  static let isSilent = AttemptOutcome.uncertain(code: "timeout", detail: "No answer.")
}

func id(_ number: UInt64) -> DeliveryID { DeliveryID(ID128(high: 1, low: number)) }

func carrier(
  _ number: Int, rank: Int = 100, prefixes: [String] = [], enabled: Bool = true
) -> RouteTable.Carrier {
  RouteTable.Carrier(
    number: number, name: "carrier-\(number)", channel: .sms, isEnabled: enabled, rank: rank, prefixes: prefixes)
}

func lease(
  _ number: UInt64, by carrier: Int, attempt: Int = 1, parts: Int = 1, fixed: Int? = nil,
  history: RetryPolicy.History = RetryPolicy.History(), at now: Instant = .start
) -> Lease {
  Lease(
    delivery: id(number), account: AccountID(ID128(high: 9, low: 9)), channel: .sms, address: "+358401112223",
    deliveryClass: .normal, body: [], reference: nil, parts: parts, attempt: attempt, carrier: carrier,
    fixedCarrier: fixed, started: now, expires: now + .seconds(3600), history: history, insteadOf: nil)
}

func machine(_ carriers: [RouteTable.Carrier], limits: [Int: CarrierPace.Limits] = [:]) -> DispatchMachine {
  var machine = DispatchMachine(policy: RetryPolicy(), random: SeededRandom(seed: 7))
  machine.setRoutes(RouteTable(carriers), limits: limits, at: .start)
  return machine
}
