import Contract
import HTTPSMS
import Runtime

/// One carrier of the world.
struct CarrierState {
  let name: String
  let kind: SandboxConfiguration.Carrier.Kind
  let user: String
  let password: String
  let zoneOffset: Duration
  private(set) var ledger: Ledger

  var receiptURL: String?
  var incomingURL: String?
  /// Digits without `+`.
  var numbers: Set<String>
  private(set) var faults: CarrierFaults
  var random: SeededRandom
  private var bucket: TokenBucket?
  private var nextID: UInt64
  /// The reference in the headers of long messages.
  var concatenation: UInt8 = 0
  var polled = Ring<IncomingEnvelope.Item>()
  var counts = Counts()

  /// Since the start.
  struct Counts {
    var accepted = 0
    var refused = 0
    var told = 0
    /// Given up, or with no address to go to.
    var untold = 0
  }

  /// Ids have at most 16 digits; a ledger that comes near the end of them was not written by the sandbox.
  private static let idLimit: UInt64 = 9_990_000_000_000_000

  /// Ids begin at the microseconds since 1970, so that they rise from one start to the next without a ledger too.
  init(_ carrier: SandboxConfiguration.Carrier, ledger: Ledger, faults: CarrierFaults, now: Instant) {
    name = carrier.name
    kind = carrier.kind
    user = carrier.user
    password = carrier.password
    zoneOffset = carrier.zoneOffset
    self.ledger = ledger
    receiptURL = carrier.receiptURL
    incomingURL = carrier.incomingURL
    numbers = Set(carrier.numbers.map(Self.digits))
    self.faults = faults
    random = SeededRandom(seed: faults.seed)
    let milliseconds = min(max(now.milliseconds, 1_000_000_000_000), 9_000_000_000_000)
    nextID = UInt64(milliseconds) * 1000
  }

  /// From now on this is the ledger, and ids are higher than those in it.
  mutating func use(_ ledger: Ledger) throws(SandboxError) {
    guard ledger.lastID < Self.idLimit else { throw .ledgerDamaged(name) }
    self.ledger = ledger
    nextID = max(nextID, ledger.lastID + 1)
  }

  static func digits(_ number: String) -> String { number.hasPrefix("+") ? String(number.dropFirst()) : number }

  mutating func takeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  mutating func set(_ faults: CarrierFaults, now: Instant) {
    self.faults = faults
    random = SeededRandom(seed: faults.seed)
    bucket = faults.throttle.map { TokenBucket(perSecond: $0, now: now) }
  }

  mutating func isThrottled(_ count: Int, at now: Instant) -> Bool { bucket?.take(count, at: now) == false }

  /// Whether something of that share happens now.
  mutating func happens(_ share: Double) -> Bool {
    // 53 bits of the generator, as a number from 0 to below 1.
    Double(random.next() >> 11) * 0x1p-53 < share
  }
}
