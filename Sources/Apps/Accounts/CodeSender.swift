import Contract
import Database
import Delivery
package import Exchange
import GSMText
package import Runtime

/// Sends codes, in the exchange's own name and for its own money.
package struct CodeSender: Sendable {
  private let outbox: Outbox
  private let dispatcher: Dispatcher
  private let host: String
  private let prices: PriceList?
  private let dailyCap: Int64?
  private let accepted: Counter?

  /// - Parameters:
  ///   - dailyCap: what all codes of a day may cost, in millionths; nil for no limit.
  ///   - accepted: counts what was written down, by class.
  package init(
    outbox: Outbox, dispatcher: Dispatcher, host: String, prices: PriceList? = nil, dailyCap: Int64? = nil,
    accepted: Counter? = nil
  ) {
    self.outbox = outbox
    self.dispatcher = dispatcher
    self.host = host
    self.prices = prices
    self.dailyCap = dailyCap
    self.accepted = accepted
  }

  /// The carrier that takes a code to this number.
  func carrier(to phone: String) throws(APIError) -> Int {
    guard let carrier = dispatcher.routes.candidates(for: phone, on: .sms, fixed: nil).first else {
      throw APIError(.noCarrier)
    }
    return carrier
  }

  /// Writes a code's text down, in the caller's transaction.
  /// - Returns: false where the day's money is spent.
  func accept(
    _ code: SignUpCode, to phone: String, locale: String, by carrier: Int, expires: Instant, at now: Instant,
    tx: any Transaction
  ) throws -> Bool {
    guard let plan = CodeText(code: code, host: host, locale: locale).plan else { return false }
    // Nobody follows the exchange's own stream.
    var events = EventBatch()
    let acceptance = try outbox.accept(
      NewDelivery(
        account: .exchange, channel: .sms, address: phone, deliveryClass: .code,
        body: TextBody(text: plan.text, sender: nil, encoding: plan.encoding).bytes, carrier: carrier,
        expires: expires, events: .none, parts: plan.partCount,
        price: prices?.price(to: phone, parts: plan.partCount), dailyCap: dailyCap),
      at: now, events: &events, tx: tx)
    if case .overCap = acceptance { return false }
    return true
  }

  /// What was written down is committed.
  func wake() {
    accepted?.add(1, DeliveryClass.code.name)
    dispatcher.wake()
  }
}
