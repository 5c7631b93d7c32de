import Contract
import Delivery
import Exchange
import Testing

struct AcceptTests {
  @Test func whatIsAcceptedIsStoredAsItWasAsked() throws {
    let bench = try Bench()
    var new = bench.new(text: "hyvää huomenta", parts: 2, price: 70_000)
    new.reference = "order 7"
    let acceptance = try bench.ask(new)
    guard case .accepted(let id, .queued, bench.now) = acceptance else {
      throw Unexpected(description: "\(acceptance)")
    }
    let record = try bench.record(id)
    #expect(record.account == Bench.alice)
    #expect(record.address == Bench.helsinki)
    #expect(record.body == Array("hyvää huomenta".utf8))
    #expect(record.reference == "order 7")
    #expect(record.parts == 2)
    #expect(record.price == Price(micros: 70_000, currency: "EUR"))
    #expect(record.expires == bench.now + .seconds(86_400))
    #expect(record.attempt == 0)
    #expect(try bench.events() == ["message.queued"])
    #expect(try bench.outbox.delivery(id, of: Bench.bob, tx: bench.database) == nil)
  }

  @Test func theSameKeyMakesOneMessage() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(key: "k"))
    #expect(try bench.ask(bench.new(key: "k")) == .repeated(id))
    #expect(try bench.ask(bench.new(text: "other", key: "k")) == .keyReused)
    // Another account's keys are its own.
    _ = try bench.accept(bench.new(Bench.bob, key: "k"))
    // Long after, and when all is over.
    try bench.turns()
    bench.answer(id, .refusedMessage)
    try bench.turn()
    bench.wait(.seconds(40 * 86_400))
    #expect(try bench.ask(bench.new(key: "k")) == .repeated(id))
    #expect(try bench.events() == ["message.queued", "message.rejected"])
  }

  @Test func theFirstAnswerCanBeRepeatedAsItWas() throws {
    let bench = try Bench()
    let new = bench.new(notBefore: bench.now + .seconds(60), key: "k")
    guard case .accepted(let id, let state, let at) = try bench.ask(new) else {
      throw Unexpected(description: "it was not accepted")
    }
    let first = DeliveryRecord(accepted: new, id: id, state: state, at: at)
    bench.wait(.seconds(60))
    try bench.turns()
    bench.answer(id, .taken)
    try bench.turn()
    #expect(try bench.state(id) == .submitted)
    #expect(DeliveryRecord(asAccepted: try bench.record(id)) == first)
  }

  @Test func withoutAKeyEachRequestIsAMessage() throws {
    let bench = try Bench()
    #expect(try bench.accept(bench.new()) != bench.accept(bench.new()))
  }

  @Test func theKeyOfACodeTellsNothingAboutIt() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(class: .code, text: "123456", key: "k"))
    #expect(try bench.record(id).requestHash != Array("123456".utf8))
    #expect(try bench.ask(bench.new(class: .code, text: "123456", key: "k")) == .repeated(id))
    #expect(try bench.ask(bench.new(class: .code, text: "123457", key: "k")) == .keyReused)
  }

  @Test func anAccountsListIsNewestFirstAndItsOwn() throws {
    let bench = try Bench()
    var ids: [DeliveryID] = []
    for number in 0..<5 {
      ids.append(try bench.accept(bench.new(text: "\(number)")))
      _ = try bench.accept(bench.new(Bench.bob))
      bench.wait(.milliseconds(1))
    }
    let page = try bench.outbox.deliveries(of: Bench.alice, before: nil, limit: 3, tx: bench.database)
    #expect(page.map(\.id) == [ids[4], ids[3], ids[2]])
    let rest = try bench.outbox.deliveries(of: Bench.alice, before: ids[2], limit: 3, tx: bench.database)
    #expect(rest.map(\.id) == [ids[1], ids[0]])
  }

  // MARK: Money

  @Test func theCapOfADayHolds() throws {
    let bench = try Bench()
    _ = try bench.accept(bench.new(price: 60, cap: 100))
    #expect(try bench.ask(bench.new(price: 50, cap: 100)) == .overCap(spent: 60, cap: 100))
    _ = try bench.accept(bench.new(price: 40, cap: 100))
    #expect(try bench.ask(bench.new(price: 1, cap: 100)) == .overCap(spent: 100, cap: 100))
    #expect(try bench.spent() == 100)
    // What costs nothing goes; another account's money is its own; tomorrow is another day.
    _ = try bench.accept(bench.new(cap: 100))
    _ = try bench.accept(bench.new(Bench.bob, price: 90, cap: 100))
    bench.wait(.seconds(86_400))
    _ = try bench.accept(bench.new(price: 100, cap: 100))
    #expect(try bench.ask(bench.new(price: 101, cap: 100)) == .overCap(spent: 100, cap: 100))
    #expect(try bench.events().count == 4)
  }

  @Test func aMessageOverTheCapByItselfIsRefused() throws {
    let bench = try Bench()
    #expect(try bench.ask(bench.new(price: 101, cap: 100)) == .overCap(spent: 0, cap: 100))
    #expect(try bench.ask(bench.new(price: 1, cap: 0)) == .overCap(spent: 0, cap: 0))
  }

  @Test func aRepeatedRequestIsChargedOnce() throws {
    let bench = try Bench()
    _ = try bench.accept(bench.new(key: "k", price: 60))
    try bench.ask(bench.new(key: "k", price: 60))
    #expect(try bench.spent() == 60)
  }

  @Test func hugeAmountsDoNotOverflow() throws {
    let bench = try Bench()
    _ = try bench.accept(bench.new(price: .max - 5))
    #expect(try bench.ask(bench.new(price: 100)) == .overCap(spent: .max - 5, cap: .max))
  }

  enum End: CaseIterable, Sendable {
    case refusedAtOnce, cancelledInQueue, cancelledScheduled, expiredInQueue, expiredWhileDown
    case refusedAfterSilence, cancelledAfterSilence, expiredAfterSilence, undeliverable, expiredAtTheCarrier, delivered
    case unknown
  }

  @Test("Money comes back only for what no carrier can have taken", arguments: End.allCases)
  func refunds(_ end: End) throws {
    let bench = try Bench()
    let begin = end == .cancelledScheduled ? bench.now + .seconds(600) : nil
    let id = try bench.accept(bench.new(notBefore: begin, expires: .seconds(3600), price: 60))
    _ = try bench.accept(bench.new(to: Bench.london, price: 5))
    func attempt(_ outcome: AttemptOutcome) throws {
      try bench.turns()
      bench.answer(id, outcome)
      try bench.turn()
    }
    switch end {
    case .refusedAtOnce: try attempt(.refusedMessage)
    case .cancelledInQueue, .cancelledScheduled: _ = try bench.cancel(id)
    case .expiredInQueue, .expiredWhileDown, .expiredAfterSilence:
      if end == .expiredWhileDown { try attempt(.isDown) }
      if end == .expiredAfterSilence { try attempt(.isSilent) }
      bench.wait(.seconds(3600))
      try bench.turn()
    case .refusedAfterSilence:
      try attempt(.isSilent)
      bench.wait(.seconds(10))
      try attempt(.refusedMessage)
    case .cancelledAfterSilence:
      try attempt(.isSilent)
      _ = try bench.cancel(id)
    case .undeliverable, .expiredAtTheCarrier, .delivered:
      try attempt(.taken)
      try bench.report(end == .delivered ? .delivered : end == .undeliverable ? .failed : .expired, id: "c1")
    case .unknown:
      try attempt(.taken)
      bench.wait(.seconds(3 * 86_400))
      try bench.turn()
    }
    let free: [End] = [.refusedAtOnce, .cancelledInQueue, .cancelledScheduled, .expiredInQueue, .expiredWhileDown]
    #expect(try bench.record(id).state.isFinal)
    let spent = try bench.outbox.spent(by: Bench.alice, on: Bench.start, tx: bench.database)
    #expect(spent == (free.contains(end) ? 5 : 65))
  }
}

struct PriceTests {
  @Test func theLongestPrefixSetsThePrice() {
    let list = PriceList(currency: "EUR", prefixes: ["": 100_000, "+358": 70_000, "+35840": 60_000, "+44": 0])
    #expect(list.price(to: "+358401112223", parts: 1)?.micros == 60_000)
    #expect(list.price(to: "+358501112223", parts: 3)?.micros == 210_000)
    #expect(list.price(to: "+12025550123", parts: 2)?.micros == 200_000)
    #expect(list.price(to: "+447700900123", parts: 2)?.micros == 0)
    #expect(PriceList(currency: "EUR", prefixes: ["+358": 1]).price(to: "+44", parts: 1) == nil)
  }

  @Test func aPriceThatIsTooLargeStaysOne() {
    #expect(PriceList(currency: "EUR", prefixes: ["": .max]).price(to: "+1", parts: 3)?.micros == .max)
  }

  @Test func amountsAreWrittenWithTwoToSixDigits() {
    let amounts: [(Int64, String)] = [
      (0, "0.00"), (1, "0.000001"), (60_000, "0.06"), (65_500, "0.0655"), (1_000_000, "1.00"), (-1_500_000, "-1.50"),
      (.max, "9223372036854.775807"), (.min, "-9223372036854.775808"),
    ]
    for (micros, text) in amounts { #expect(Price(micros: micros, currency: "EUR").amount == text) }
  }

  @Test func amountsAreRead() {
    #expect(Price.micros("0.06") == 60_000)
    #expect(Price.micros("12") == 12_000_000)
    #expect(Price.micros("999999999.999999") == 999_999_999_999_999)
    for text in ["", ".5", "1.", "1.0000001", "-1", "1e3", "1 ", "1000000000", "٣", "1.2.3"] {
      #expect(Price.micros(text) == nil, "\(text)")
    }
  }
}
