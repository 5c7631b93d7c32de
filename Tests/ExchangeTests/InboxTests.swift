import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Runtime
import Testing

struct InboxTests {
  static let shared = "+358450000000"

  func text(
    _ text: String = "hi", from sender: String = Bench.helsinki, to recipient: String = shared,
    reference: String? = nil, part: IncomingText.Part? = nil, digest: String? = nil
  ) -> IncomingText {
    var part = part
    part?.content.octets = Array(text.utf8)
    return IncomingText(
      sender: sender, recipient: recipient, text: text, reference: reference, at: nil, part: part,
      digest: Array((digest ?? "\(text) \(part?.number ?? 0)").utf8), raw: Array("raw \(text)".utf8))
  }

  @discardableResult
  func receive(_ text: IncomingText, _ bench: Bench, by carrier: Int = 1) throws -> Bool {
    try bench.database.transaction { tx in
      var events = EventBatch()
      let isNew = try bench.inbox.receive(text, from: carrier, at: bench.now, events: &events, tx: tx)
      _ = try events.write(in: tx, at: bench.now)
      return isNew
    }
  }

  func release(_ bench: Bench) throws {
    try bench.database.transaction { tx in
      var events = EventBatch()
      try bench.inbox.releaseIncomplete(at: bench.now, events: &events, tx: tx)
      _ = try events.write(in: tx, at: bench.now)
    }
  }

  func inbox(_ account: AccountID, _ bench: Bench, unread: Bool = false) throws -> [InboundRecord] {
    try bench.inbox.entries(of: account, unreadOnly: unread, before: nil, limit: 100, tx: bench.database)
  }

  func texts(_ account: AccountID, _ bench: Bench) throws -> [String] {
    try inbox(account, bench).reversed().map(\.text)
  }

  func admin(_ bench: Bench, name: String = "op") throws -> AccountID {
    try AccountStore(ids: bench.ids, key: bench.key).create(
      phone: nil, name: name, role: .admin, password: nil, at: bench.now, tx: bench.database)
  }

  // MARK: Whose it is

  @Test func aNumberOfOnesOwnGetsItsTexts() throws {
    let bench = try Bench()
    let store = CarrierStore(key: bench.key)
    try store.assign("+358451111111", to: 1, account: Bench.bob, tx: bench.database)
    // Also where somebody else wrote to the sender.
    _ = try bench.submit(bench.new())
    try receive(text(to: "+358451111111"), bench)
    #expect(try texts(Bench.bob, bench) == ["hi"])
    #expect(try bench.events(Bench.bob) == ["inbox.received"])
    #expect(try texts(Bench.alice, bench) == [])
  }

  @Test func anAnswerBelongsToWhoseMessageItNames() throws {
    let bench = try Bench()
    let id = try bench.submit(bench.new())
    _ = try bench.submit(bench.new(Bench.bob), ids: ["c2"])
    try receive(text("a", reference: id.value.shortReference), bench)
    #expect(try texts(Bench.alice, bench) == ["a"])
    // Not to one who never wrote to this sender.
    try receive(text("b", from: Bench.london, reference: id.value.shortReference), bench)
    #expect(try texts(Bench.alice, bench) == ["a"])
    try receive(text("c", reference: "no reference"), bench)
    #expect(try texts(Bench.bob, bench) == ["c"])
  }

  @Test func onASharedNumberWhoeverWroteLastGetsTheAnswer() throws {
    let bench = try Bench()
    try CarrierStore(key: bench.key).assign(Self.shared, to: 1, account: nil, tx: bench.database)
    _ = try bench.submit(bench.new())
    bench.wait(.seconds(60))
    _ = try bench.submit(bench.new(Bench.bob), ids: ["c2"])
    try receive(text("1"), bench)
    #expect(try texts(Bench.bob, bench) == ["1"])
    // Who only meant to write did not.
    _ = try bench.accept(bench.new(notBefore: bench.now + .seconds(3600)))
    try receive(text("2"), bench)
    #expect(try texts(Bench.bob, bench) == ["1", "2"])
    bench.wait(.seconds(71 * 3600))
    try receive(text("3"), bench)
    #expect(try texts(Bench.bob, bench) == ["1", "2", "3"])
  }

  @Test func aConversationEndsAfterThreeDays() throws {
    let bench = try Bench()
    let admin = try admin(bench)
    _ = try bench.submit(bench.new())
    bench.wait(.seconds(72 * 3600) + .milliseconds(1))
    try receive(text("late"), bench)
    #expect(try texts(Bench.alice, bench) == [])
    #expect(try texts(admin, bench) == ["late"])
  }

  @Test func aMessageSentLongAfterItWasAskedForCountsFromThen() throws {
    let bench = try Bench()
    let id = try bench.accept(bench.new(notBefore: bench.now + .seconds(6 * 86_400), expires: .seconds(9 * 86_400)))
    bench.wait(.seconds(6 * 86_400))
    #expect(try bench.turns().map(\.delivery) == [id])
    bench.wait(.seconds(60))
    try receive(text("thanks"), bench)
    #expect(try texts(Bench.alice, bench) == ["thanks"])
  }

  @Test func whatNobodyOwnsTheOperatorGets() throws {
    let bench = try Bench()
    try receive(text("before"), bench)
    #expect(try texts(Inbox.unowned, bench) == ["before"])
    let admin = try admin(bench)
    #expect(try texts(admin, bench) == ["before"])
    _ = try self.admin(bench, name: "second")
    try receive(text("after"), bench)
    #expect(try texts(admin, bench) == ["before", "after"])
    #expect(try texts(Inbox.unowned, bench) == [])
  }

  // MARK: Twice

  @Test func theSameTextAgainIsKnown() throws {
    let bench = try Bench()
    #expect(try receive(text(), bench))
    #expect(try !receive(text(), bench))
    #expect(try texts(Inbox.unowned, bench) == ["hi"])
    #expect(try bench.events(Inbox.unowned).count == 1)
    // From another carrier it is another.
    #expect(try receive(text(), bench, by: 2))
    #expect(try receive(text(digest: "other"), bench))
    #expect(try texts(Inbox.unowned, bench).count == 3)
  }

  // MARK: Parts

  func part(_ number: Int, of total: Int = 3, reference: Int = 7) -> IncomingText.Part {
    IncomingText.Part(
      reference: reference, total: total, number: number, content: .init(coding: "utf8", octets: []))
  }

  @Test("Parts make one text in any order", arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1], [3, 1, 2]])
  func parts(order: [Int]) throws {
    let bench = try Bench()
    for number in order {
      #expect(try texts(Inbox.unowned, bench) == [])
      #expect(try receive(text("<\(number)>", part: part(number)), bench))
      // The carrier did not hear that it was kept.
      #expect(try !receive(text("<\(number)>", part: part(number)), bench))
    }
    #expect(try texts(Inbox.unowned, bench) == ["<1><2><3>"])
    #expect(try bench.events(Inbox.unowned) == ["inbox.received"])
    bench.wait(Inbox.partsLimit)
    try release(bench)
    #expect(try texts(Inbox.unowned, bench) == ["<1><2><3>"])
  }

  @Test func aCharacterThatWasCutBetweenTwoPartsIsWhole() throws {
    let bench = try Bench()
    for (number, octets) in [(1, [0xF0, 0x9F]), (2, [0x98, 0x80])] as [(Int, [UInt8])] {
      var half = text("?", part: part(number, of: 2))
      half.part?.content.octets = octets
      try receive(half, bench)
    }
    #expect(try texts(Inbox.unowned, bench) == ["😀"])
  }

  @Test func anIncompleteTextIsReleasedAfterAnHour() throws {
    let bench = try Bench()
    try receive(text("<2>", part: part(2, of: 4)), bench)
    bench.wait(Inbox.partsLimit - .milliseconds(1))
    try release(bench)
    #expect(try texts(Inbox.unowned, bench) == [])
    bench.wait(.milliseconds(1))
    try release(bench)
    try release(bench)
    #expect(try texts(Inbox.unowned, bench) == ["[…]<2>[…]"])
  }

  @Test func aPhoneThatComesRoundToAReferenceBeginsAnew() throws {
    let bench = try Bench()
    for round in 1...2 {
      for number in 1...2 {
        try receive(text("\(round).\(number) ", part: part(number, of: 2)), bench)
      }
    }
    #expect(try texts(Inbox.unowned, bench) == ["1.1 1.2 ", "2.1 2.2 "])
    // Also where the first never became whole.
    try receive(text("3.1 ", part: part(1, of: 2, reference: 9)), bench)
    try receive(text("4.1 ", part: part(1, of: 2, reference: 9)), bench)
    try receive(text("4.2 ", part: part(2, of: 2, reference: 9)), bench)
    #expect(try texts(Inbox.unowned, bench).suffix(2) == ["3.1 […]", "4.1 4.2 "])
  }

  @Test func partsOfTwoSendersAreKeptApart() throws {
    let bench = try Bench()
    try receive(text("a1", part: part(1, of: 2)), bench)
    try receive(text("b1", from: Bench.london, part: part(1, of: 2)), bench)
    try receive(text("b2", from: Bench.london, part: part(2, of: 2)), bench)
    try receive(text("a2", part: part(2, of: 2)), bench)
    #expect(try texts(Inbox.unowned, bench) == ["b1b2", "a1a2"])
  }

  @Test(
    "Impossible parts are texts by themselves",
    arguments: [(0, 2), (3, 2), (-1, 2), (1, 1), (1, 0), (1, 256), (Int.max, Int.max)])
  func impossible(number: Int, total: Int) throws {
    let bench = try Bench()
    #expect(try receive(text("x", part: part(number, of: total, reference: .min)), bench))
    #expect(try texts(Inbox.unowned, bench) == ["x"])
  }

  // MARK: Reading

  @Test func unreadOnesAreTakenOnce() throws {
    let bench = try Bench()
    for number in 1...3 { try receive(text("\(number)"), bench) }
    try receive(text("other", from: Bench.london), bench)
    func take(_ sender: String?, limit: Int) throws -> [String] {
      try bench.database.transaction { tx in
        var events = EventBatch()
        let taken = try bench.inbox.take(of: Inbox.unowned, from: sender, limit: limit, events: &events, tx: tx)
        _ = try events.write(in: tx, at: bench.now)
        #expect(taken.map(\.isRead) == taken.map { _ in true })
        return taken.map(\.text)
      }
    }
    #expect(try take(Bench.helsinki, limit: 2) == ["1", "2"])
    #expect(try take(nil, limit: 9) == ["3", "other"])
    #expect(try take(nil, limit: 9) == [])
    #expect(try bench.events(Inbox.unowned).suffix(2) == ["inbox.read", "inbox.read"])
    #expect(try bench.events(Inbox.unowned).count == 6)
  }

  @Test func oneIsMarkedReadByItsOwnerOnly() throws {
    let bench = try Bench()
    try receive(text(), bench)
    let id = try #require(try inbox(Inbox.unowned, bench).first?.id)
    func mark(_ account: AccountID) throws -> InboundRecord? {
      try bench.database.transaction { tx in
        var events = EventBatch()
        let entry = try bench.inbox.markRead(id, of: account, at: bench.now, events: &events, tx: tx)
        _ = try events.write(in: tx, at: bench.now)
        return entry
      }
    }
    #expect(try mark(Bench.alice) == nil)
    #expect(try inbox(Inbox.unowned, bench, unread: true).count == 1)
    #expect(try mark(Inbox.unowned)?.isRead == true)
    #expect(try mark(Inbox.unowned)?.isRead == true)
    #expect(try inbox(Inbox.unowned, bench, unread: true).isEmpty)
    #expect(try bench.events(Inbox.unowned) == ["inbox.received", "inbox.read"])
    #expect(try bench.inbox.entry(id, of: Bench.alice, tx: bench.database) == nil)
  }

  @Test func pagesGoBackInTime() throws {
    let bench = try Bench()
    for number in 1...5 { try receive(text("\(number)"), bench) }
    let first = try bench.inbox.entries(
      of: Inbox.unowned, unreadOnly: false, before: nil, limit: 2, tx: bench.database)
    #expect(first.map(\.text) == ["5", "4"])
    let second = try bench.inbox.entries(
      of: Inbox.unowned, unreadOnly: true, before: first.last?.id, limit: 9, tx: bench.database)
    #expect(second.map(\.text) == ["3", "2", "1"])
  }

  // MARK: What nobody can read

  @Test func whatNobodyCanReadIsKeptForAMonthAndNotWithoutEnd() throws {
    let bench = try Bench()
    func kept() throws -> [String] {
      try bench.database.all("SELECT raw FROM unread_callbacks ORDER BY id", []) {
        String(decoding: $0.bytes(0), as: UTF8.self)
      }
    }
    func keep(_ raw: String) throws {
      try bench.inbox.keepUnread(Array(raw.utf8), reason: "test", from: 1, at: bench.now, tx: bench.database)
    }
    try keep("old")
    bench.wait(Inbox.unreadLimit)
    for number in 0...Inbox.mostUnread { try keep("\(number)") }
    try bench.inbox.forgetUnread(at: bench.now, tx: bench.database)
    #expect(try kept().first == "1")
    #expect(try kept().count == Inbox.mostUnread)
    bench.wait(Inbox.unreadLimit + .seconds(1))
    try bench.inbox.forgetUnread(at: bench.now, tx: bench.database)
    #expect(try kept().isEmpty)
  }
}
