import Contract
import Delivery
import Exchange

/// What really happened in the world, whatever the exchange believes.
struct Ledger {
  /// A delivery whose acceptance was committed.
  struct Message {
    let id: DeliveryID
    let name: Int
    let new: NewDelivery
    /// Its place in the order of commits.
    let order: Int
    let acceptedAt: Instant
    /// Whether a client was told.
    var isAcknowledged = false
    var isCancelConfirmed = false
    /// The attempt during which it was called back.
    var calledBackDuring: Int?
  }

  /// One attempt at a carrier.
  struct Call {
    let lease: Lease
    let epoch: Int
    var isOver = false
    /// When the carrier took it.
    var taken: Int?
  }

  /// A carrier took a message: it may cost money, and a phone may ring.
  struct Acceptance {
    let call: Int
    let delivery: DeliveryID
    let attempt: Int
    let carrier: Int
    let order: Int
    let ids: [String]
    let parts: Int
    var arrived: Set<Int> = []
    /// Reports of it by part (0 for the whole) that the exchange has said it has.
    var acknowledged: [Int: Set<ReceiptStatus>] = [:]
    var namesReference = false
    var hasFailed = false
  }

  /// A report on its way to the exchange.
  struct Report {
    let acceptance: Int
    let part: Int
    let receipt: IncomingReceipt
    var tries = 0
  }

  struct Request {
    let deliveries: [NewDelivery]
    var tries = 0
    var isDone = false
    /// The same key with another text: to be refused.
    var isAbuse = false
  }

  var messages: [Message] = []
  var byID: [DeliveryID: Int] = [:]
  var calls: [Call] = []
  var acceptances: [Acceptance] = []
  var reports: [Report] = []
  var requests: [Request] = []
  private var order = 0

  mutating func nextOrder() -> Int {
    order += 1
    return order
  }

  func name(_ id: DeliveryID) -> String { byID[id].map { "m\($0)" } ?? "m?" }
}
