package import Contract
package import Cryptography
import Database
package import Delivery
import Runtime

/// Every delivery's record, from acceptance to its end. The functions run inside a transaction that the caller holds,
/// so that a room's own rows commit together with them.
package struct Outbox: Sendable {
  package let ids: IdentifierSource
  let key: MasterKey

  package init(ids: IdentifierSource, key: MasterKey) {
    self.ids = ids
    self.key = key
  }

  /// Bodies that are secret are encrypted for this purpose.
  static let bodyPurpose: MasterKey.Purpose = "delivery.body"
  static let requestPurpose: MasterKey.Purpose = "delivery.request"
}

/// Which of a delivery's changes make events. The raw values are stored.
package enum EventPolicy: Int, Sendable {
  case none = 0
  case final = 1
  case all = 2
}

/// What is asked of the exchange.
package struct NewDelivery: Sendable {
  package var account: AccountID
  package var channel: Channel
  package var address: String
  package var deliveryClass: DeliveryClass
  package var body: [UInt8]
  /// The best carrier for it now, in whose queue it waits.
  package var carrier: Int
  /// The carrier that the sender insisted on.
  package var fixedCarrier: Int?
  package var notBefore: Instant?
  package var expires: Instant
  package var events: EventPolicy
  package var idempotencyKey: String?
  /// A digest of the whole request, compared when the same key comes again.
  package var requestHash: [UInt8]?
  package var reference: String?
  package var parts: Int
  package var price: Price?
  /// What the account may spend in one day; nil for no limit.
  package var dailyCap: Int64?

  package init(
    account: AccountID, channel: Channel, address: String, deliveryClass: DeliveryClass = .normal, body: [UInt8],
    carrier: Int, fixedCarrier: Int? = nil, notBefore: Instant? = nil, expires: Instant, events: EventPolicy = .all,
    idempotencyKey: String? = nil, requestHash: [UInt8]? = nil, reference: String? = nil, parts: Int = 1,
    price: Price? = nil, dailyCap: Int64? = nil
  ) {
    self.account = account
    self.channel = channel
    self.address = address
    self.deliveryClass = deliveryClass
    self.body = body
    self.carrier = carrier
    self.fixedCarrier = fixedCarrier
    self.notBefore = notBefore
    self.expires = expires
    self.events = events
    self.idempotencyKey = idempotencyKey
    self.requestHash = requestHash
    self.reference = reference
    self.parts = parts
    self.price = price
    self.dailyCap = dailyCap
  }
}

/// What became of a request.
package enum Acceptance: Sendable, Equatable {
  case accepted(id: DeliveryID, state: DeliveryState, at: Instant)
  /// The same key came before with the same request: this is the delivery that it made.
  case repeated(DeliveryID)
  /// The same key came before with another request.
  case keyReused
  /// The account's limit for today would be passed; nothing was kept.
  case overCap(spent: Int64, cap: Int64)
}
