package import Contract
package import Delivery
package import Exchange
package import GSMText
package import PhoneNumbers

/// A text as somebody asks for it.
package struct TextRequest: Sendable, Equatable {
  package var to: String
  package var text: String
  package var from: String?
  package var deliveryClass: DeliveryClass = .normal
  package var notBefore: Instant?
  package var expiresAt: Instant?
  /// The carrier's name, where the sender insists on one.
  package var carrier: String?
  package var reference: String?
  /// Replace characters by lookalikes where that makes the text fit the GSM alphabet.
  package var smart = false

  package init(to: String, text: String) {
    self.to = to
    self.text = text
  }
}

/// Checks a text before it is accepted: number, sender, characters, length, times, price, and that a carrier serves it.
package struct TextComposer: Sendable {
  package static let longestLife: Duration = .seconds(7 * 24 * 3600)
  package static let farthestSchedule: Duration = .seconds(366 * 24 * 3600)
  package static let mostParts = 10

  private let numbers: PhoneNumberParser
  private let prices: PriceList?
  private let defaultDailyCap: Int64?
  private let defaultLife: Duration

  package init(
    numbers: PhoneNumberParser, prices: PriceList?, defaultDailyCap: Int64?,
    defaultLife: Duration = .seconds(24 * 3600)
  ) {
    self.numbers = numbers
    self.prices = prices
    self.defaultDailyCap = defaultDailyCap
    self.defaultLife = defaultLife
  }

  package func compose(
    _ request: TextRequest, for account: AccountRecord, routes: RouteTable, at now: Instant
  ) throws(APIError) -> NewDelivery {
    let address = try number(request.to, region: account.region)
    let sender = try request.from.map { value throws(APIError) in try self.sender(value) }
    let text = try checked(request.text, smart: request.smart)
    let plan = try self.plan(text)
    let expires = try times(request, at: now)
    if let reference = request.reference, reference.unicodeScalars.count > 255 {
      throw APIError(.invalidField, detail: "reference has at most 255 characters")
    }
    let fixed = try request.carrier.map { name throws(APIError) in try carrier(named: name, in: routes) }
    guard let carrier = routes.candidates(for: address, on: .sms, fixed: fixed).first else {
      throw APIError(.noCarrier)
    }
    return NewDelivery(
      account: account.id, channel: .sms, address: address, deliveryClass: request.deliveryClass,
      body: TextBody(text: plan.text, sender: sender, encoding: plan.encoding).bytes, carrier: carrier,
      fixedCarrier: fixed, notBefore: request.notBefore, expires: expires, events: .all,
      reference: request.reference, parts: plan.partCount,
      price: prices?.price(to: address, parts: plan.partCount), dailyCap: account.dailyCap ?? defaultDailyCap)
  }

  /// A number as people read it.
  package struct ReadNumber: Sendable, Equatable {
    package let e164: String
    /// ISO 3166-1, two letters; nil for numbers of no country.
    package let country: String?
    /// As it is written inside its country.
    package let national: String
  }

  /// What a text will be, and whom it goes to: for the counter beside the field. A number that is not finished yet keeps
  /// nobody from counting.
  package func preview(
    _ text: String, to: String?, smart: Bool, region: String?
  ) throws(APIError) -> (preview: TextPreview, number: Result<ReadNumber, APIError>?, price: Price?) {
    let plan = try self.plan(try checked(text, smart: smart))
    guard let to else { return (plan.preview, nil, nil) }
    let number: PhoneNumber
    do { number = try numbers.parse(to, region: region) } catch {
      return (plan.preview, .failure(APIError(.invalidNumber, detail: error.description)), nil)
    }
    let details = numbers.details(of: number)
    let read = ReadNumber(e164: number.e164, country: details.region, national: details.national)
    return (plan.preview, .success(read), prices?.price(to: number.e164, parts: plan.partCount))
  }

  // MARK: Checks

  private func number(_ text: String, region: String?) throws(APIError) -> String {
    do { return try numbers.parse(text, region: region).e164 } catch {
      throw APIError(.invalidNumber, detail: error.description)
    }
  }

  private func sender(_ text: String) throws(APIError) -> String {
    let bytes = Array(text.utf8)
    let digits = bytes.first == 0x2B ? bytes.dropFirst() : bytes[...]
    let isNumber = (3...16).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
    let isName =
      (1...11).contains(bytes.count) && bytes.first != 0x20 && bytes.last != 0x20
      && bytes.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x20
      }
    guard isNumber || isName else { throw APIError(.invalidSender) }
    return text
  }

  private func checked(_ text: String, smart: Bool) throws(APIError) -> String {
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { throw APIError(.emptyText) }
    // More can not fit, whatever the alphabet: looked at before anything slower.
    guard text.utf8.count <= Self.mostParts * 153 * 4 else { throw tooLong }
    guard !text.unicodeScalars.contains(where: { $0 == "\0" }) else {
      throw APIError(.invalidField, detail: "text has a null character, which no phone can show")
    }
    return smart ? SmartReplacement.replaced(text).text : text
  }

  private var tooLong: APIError { APIError(.textTooLong, detail: "at most \(Self.mostParts) parts") }

  private func plan(_ text: String) throws(APIError) -> TextPlan {
    guard let plan = try? TextPlan(text, maximumParts: Self.mostParts) else { throw tooLong }
    return plan
  }

  /// - Returns: when the message expires.
  private func times(_ request: TextRequest, at now: Instant) throws(APIError) -> Instant {
    let start = max(now, request.notBefore ?? now)
    guard start <= now + Self.farthestSchedule else {
      throw APIError(.invalidTime, detail: "notBefore is more than a year ahead")
    }
    guard let expires = request.expiresAt else { return start + defaultLife }
    guard expires > start else { throw APIError(.invalidTime, detail: "expiresAt is before the message can be sent") }
    guard expires <= start + Self.longestLife else {
      throw APIError(.invalidTime, detail: "expiresAt is more than seven days after the message can be sent")
    }
    return expires
  }

  private func carrier(named name: String, in routes: RouteTable) throws(APIError) -> Int {
    guard let carrier = routes.carriers.values.first(where: { $0.name == name && $0.isEnabled }) else {
      throw APIError(.invalidField, detail: "carrier names none that is in service")
    }
    return carrier.number
  }
}
