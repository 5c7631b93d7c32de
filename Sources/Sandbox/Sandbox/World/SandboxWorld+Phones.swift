import Contract
import GSMText
import HTTPSMS
import SMSGlobal

/// What phones send.
extension SandboxWorld {
  /// A phone sends a text to a number; it goes to the carrier that owns the number or last carried a text from there.
  /// - Parameter number: digits with or without `+`.
  mutating func send(
    from phone: PhoneNumber, to number: String, text: String, at now: Instant
  ) throws(SandboxRefusal) -> (message: PhoneMessage, carrier: String) {
    let number = CarrierState.digits(number)
    guard Sender.isDigits(number) else { throw .notANumber }
    guard !text.isEmpty else { throw .emptyText }
    let route = phones[phone]?.route(to: number)
    guard let index = carriers.firstIndex(where: { $0.numbers.contains(number) }) ?? route?.carrier else {
      throw .noCarrier
    }
    guard !isOverloaded else { throw .overloaded }
    guard let plan = try? TextPlan(text, maximumParts: Self.partLimit) else { throw .textTooLong }
    switch carriers[index].kind {
    case .httpsms:
      for part in httpsmsParts(plan, from: phone, to: number, carrier: index, at: now) {
        tell(PushItem(content: .httpsms(.message(part)), phone: phone), carrier: index)
      }
    case .smsglobal:
      guard carriers[index].incomingURL != nil else { throw .noIncomingURL(carriers[index].name) }
      let message = SMSGlobalIncoming(
        to: number, from: phone.digits, text: text, userfield: route?.carrier == index ? route?.userfield : nil,
        date: SMSGlobalTime(now, offset: carriers[index].zoneOffset))
      tell(PushItem(content: .message(message), phone: phone), carrier: index)
    }
    let message = PhoneMessage(
      id: carriers[index].takeID(), at: now, to: PhoneNumber(number)?.description ?? number, from: phone.description,
      text: text, parts: plan.partCount, isSent: true)
    phones.add(message, to: phone)
    return (message, carriers[index].name)
  }

  /// Parts of one text that a phone sends.
  static let partLimit = 40

  /// Latin-1 where the text is in the GSM alphabet and Latin-1 has it too, UCS-2 otherwise; parts with a header.
  private mutating func httpsmsParts(
    _ plan: TextPlan, from phone: PhoneNumber, to number: String, carrier: Int, at now: Instant
  ) -> [HTTPSMSIncoming] {
    var parts = plan.encodeParts().map { octets in
      plan.encoding == .ucs2
        ? HTTPSMSIncoming(source: phone.digits, destination: number, coding: .ucs2, at: now, octets: octets)
        : HTTPSMSIncoming(source: phone.digits, destination: number, text: plan.encoding.decode(octets), at: now)
    }
    if plan.encoding == .gsm7, parts.contains(where: { $0.coding != .normal }),
      let wide = try? TextPlan(plan.text, encoding: .ucs2)
    {
      parts = wide.encodeParts().map {
        HTTPSMSIncoming(source: phone.digits, destination: number, coding: .ucs2, at: now, octets: $0)
      }
    }
    guard let total = UInt8(exactly: parts.count), total > 1 else { return parts }
    carriers[carrier].concatenation &+= 1
    for index in parts.indices {
      let header = UserDataHeader(
        .init(reference: carriers[carrier].concatenation, total: total, sequence: UInt8(truncatingIfNeeded: index + 1)))
      parts[index].header = header.octets ?? []
    }
    return parts
  }
}
