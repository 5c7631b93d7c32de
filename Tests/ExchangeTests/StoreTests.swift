import Contract
import Cryptography
import Database
import Delivery
import Exchange
import Runtime
import Testing

struct EventLogTests {
  let stream = ID128(high: 5, low: 5)
  let other = ID128(high: 5, low: 6)

  func write(_ count: Int, _ bench: Bench, to streams: [ID128]) throws {
    try bench.database.transaction { tx in
      var batch = EventBatch()
      for number in 0..<count { for stream in streams { batch.add(to: stream, "e\(number)", []) } }
      let changed = try batch.write(in: tx, at: bench.now)
      #expect(changed == Set(count > 0 ? streams : []))
    }
  }

  func read(_ bench: Bench, after seq: Int64, limit: Int = 100) throws -> [Int64]? {
    try EventLog.events(after: seq, in: stream, limit: limit, tx: bench.database)?.map(\.seq)
  }

  @Test func eachStreamCountsWithoutAGap() throws {
    let bench = try Bench()
    try write(2, bench, to: [stream, other])
    try write(0, bench, to: [stream])
    try write(3, bench, to: [stream])
    #expect(try read(bench, after: 0) == [1, 2, 3, 4, 5])
    #expect(try EventLog.position(of: stream, tx: bench.database) == 5)
    #expect(try EventLog.position(of: other, tx: bench.database) == 2)
    #expect(try read(bench, after: 3) == [4, 5])
    #expect(try read(bench, after: 5) == [])
    #expect(try read(bench, after: 1, limit: 2) == [2, 3])
  }

  @Test func aFailedCommitLeavesNoGap() throws {
    let bench = try Bench()
    try write(1, bench, to: [stream])
    bench.database.failCommit = { .full }
    #expect(throws: DatabaseError.full) { try write(1, bench, to: [stream]) }
    bench.database.failCommit = nil
    try write(1, bench, to: [stream])
    #expect(try read(bench, after: 0) == [1, 2])
  }

  @Test func aPositionThatWasNeverGivenStartsAfresh() throws {
    let bench = try Bench()
    #expect(try read(bench, after: 0) == [])
    #expect(try read(bench, after: 1) == nil)
    try write(2, bench, to: [stream])
    #expect(try read(bench, after: 3) == nil)
    #expect(try read(bench, after: -1) == nil)
    #expect(try read(bench, after: .max) == nil)
    #expect(try read(bench, after: .min) == nil)
  }

  @Test func oldOnesGoAndWhoAsksForThemStartsAfresh() throws {
    let bench = try Bench()
    try write(3, bench, to: [stream, other])
    bench.wait(.seconds(4 * 86_400))
    try write(2, bench, to: [stream])
    bench.wait(.seconds(3 * 86_400))
    #expect(try EventLog.prune(at: bench.now, limit: 100, tx: bench.database) == 0)
    bench.wait(.milliseconds(1))
    #expect(try EventLog.prune(at: bench.now, limit: 4, tx: bench.database) == 4)
    #expect(try EventLog.prune(at: bench.now, limit: 100, tx: bench.database) == 2)
    #expect(try EventLog.prune(at: bench.now, limit: 100, tx: bench.database) == 0)
    #expect(try read(bench, after: 2) == nil)
    #expect(try read(bench, after: 3) == [4, 5])
    #expect(try read(bench, after: 0) == nil)
    // The numbers go on.
    try write(1, bench, to: [stream])
    #expect(try read(bench, after: 5) == [6])
  }
}

struct TimerStoreTests {
  @Test func timersAreDueInTimeAndMoved() throws {
    let bench = try Bench()
    let tx = bench.database
    try TimerStore.set("poll", key: "a", due: bench.now + .seconds(10), tx: tx)
    try TimerStore.set("poll", key: "b", due: bench.now + .seconds(5), tx: tx)
    try TimerStore.set("hook", key: "a", due: bench.now + .seconds(20), tx: tx)
    func due() throws -> [String] {
      try TimerStore.due(at: bench.now, limit: 10, tx: tx).map { "\($0.kind) \($0.key)" }
    }
    #expect(try due() == [])
    #expect(try TimerStore.nextDue(after: .init(milliseconds: 0), tx: tx) == bench.now + .seconds(5))
    bench.wait(.seconds(10))
    #expect(try due() == ["poll b", "poll a"])
    try TimerStore.set("poll", key: "b", due: bench.now + .seconds(60), tx: tx)
    try TimerStore.remove("poll", key: "a", tx: tx)
    #expect(try due() == [])
    #expect(try TimerStore.nextDue(after: .init(milliseconds: 0), tx: tx) == bench.now + .seconds(10))
  }

  @Test func oneThatWasMovedMeanwhileIsLeftAlone() throws {
    let bench = try Bench()
    let tx = bench.database
    try TimerStore.set("poll", key: "a", due: bench.now, tx: tx)
    try TimerStore.set("poll", key: "a", due: bench.now + .seconds(5), tx: tx)
    try TimerStore.remove("poll", key: "a", ifDueAt: bench.now, tx: tx)
    try TimerStore.move("poll", key: "a", from: bench.now, to: bench.now + .seconds(60), tx: tx)
    #expect(try TimerStore.nextDue(after: .init(milliseconds: 0), tx: tx) == bench.now + .seconds(5))
    try TimerStore.remove("poll", key: "a", ifDueAt: bench.now + .seconds(5), tx: tx)
    #expect(try TimerStore.nextDue(after: .init(milliseconds: 0), tx: tx) == nil)
  }
}

struct CarrierStoreTests {
  let carrier = CarrierRecord(
    name: "main", profile: "httpsms", settings: ["password": "hunter2", "url": "https://x"], callbackSecret: "s3cret",
    rank: 5, prefixes: ["+358", "+44"], allowsPrivateAddresses: true, partsPerSecond: 2.5, window: 7)

  @Test func aCarrierIsReadAsItWasWritten() throws {
    let bench = try Bench()
    let store = CarrierStore(key: bench.key)
    var expected = carrier
    expected.number = try store.create(carrier, at: bench.now, tx: bench.database)
    expected.created = bench.now
    #expect(try store.carriers(tx: bench.database) == [expected])
  }

  @Test func itsSecretsAreEncrypted() throws {
    let bench = try Bench()
    _ = try CarrierStore(key: bench.key).create(carrier, at: bench.now, tx: bench.database)
    let stored = try bench.database.first("SELECT settings FROM carriers") { $0.bytes(0) }
    let text = String(decoding: try #require(stored), as: UTF8.self)
    #expect(!text.contains("hunter2") && !text.contains("s3cret"))
    let stranger = CarrierStore(key: try #require(MasterKey(hex: String(repeating: "77", count: 32))))
    let seen = try #require(try stranger.carriers(tx: bench.database).first)
    #expect(!seen.isReadable && seen.settings.isEmpty && seen.callbackSecret.isEmpty)
  }

  @Test func namesAreUniqueAndANumberIsNeverUsedAgain() throws {
    let bench = try Bench()
    let store = CarrierStore(key: bench.key)
    let first = try store.create(carrier, at: bench.now, tx: bench.database)
    #expect(throws: DatabaseError.self) { try store.create(carrier, at: bench.now, tx: bench.database) }
    try store.assign("+358451111111", to: first, account: nil, tx: bench.database)
    #expect(try store.retire(name: "main", at: bench.now, tx: bench.database))
    #expect(try !store.retire(name: "main", at: bench.now, tx: bench.database))
    let second = try store.create(carrier, at: bench.now, tx: bench.database)
    #expect(second > first)
    let all = try store.carriers(tx: bench.database)
    #expect(all.map(\.isEnabled) == [false, true])
    #expect(all[0].settings.isEmpty && all[0].callbackSecret.isEmpty)
    #expect(try bench.database.first("SELECT COUNT(*) FROM carrier_numbers") { $0.int(0) } == 0)
  }

  @Test func oneCanBeDisabled() throws {
    let bench = try Bench()
    let store = CarrierStore(key: bench.key)
    _ = try store.create(carrier, at: bench.now, tx: bench.database)
    #expect(try store.setEnabled(false, name: "main", at: bench.now, tx: bench.database))
    #expect(try store.carriers(tx: bench.database).map(\.isEnabled) == [false])
    #expect(try !store.setEnabled(false, name: "none", at: bench.now, tx: bench.database))
  }

  @Test func anImpossibleRateDoesNotTrap() throws {
    let bench = try Bench()
    let store = CarrierStore(key: bench.key)
    for (index, rate) in [Double.infinity, .nan, 1e300, -1].enumerated() {
      var carrier = carrier
      carrier.name = "c\(index)"
      carrier.partsPerSecond = rate
      _ = try store.create(carrier, at: bench.now, tx: bench.database)
    }
    #expect(try store.carriers(tx: bench.database).compactMap(\.partsPerSecond) == [1_000_000, 0.01, 1_000_000, 0.01])
  }
}

struct AccountStoreTests {
  @Test func accountsAreFoundByPhoneAndPaged() throws {
    let bench = try Bench()
    let store = AccountStore(ids: bench.ids, key: bench.key)
    let tx = bench.database
    let id = try store.create(phone: Bench.helsinki, name: "A", role: .user, password: "hash", at: bench.now, tx: tx)
    #expect(throws: DatabaseError.self) {
      try store.create(phone: Bench.helsinki, name: nil, role: .user, password: nil, at: bench.now, tx: tx)
    }
    let other = try store.create(phone: nil, name: nil, role: .admin, password: nil, at: bench.now, tx: tx)
    #expect(try store.account(phone: Bench.helsinki, tx: tx)?.id == id)
    #expect(try store.account(id, tx: tx)?.password == "hash")
    #expect(try store.account(phone: "+1", tx: tx) == nil)
    #expect(try store.accounts(before: nil, limit: 1, tx: tx).map(\.id) == [other])
    #expect(try store.accounts(before: other, limit: 1, tx: tx).map(\.id) == [id])
    #expect(try store.setDailyCap(500, of: id, at: bench.now, tx: tx))
    try store.setPassword("new", of: id, at: bench.now, tx: tx)
    #expect(try store.account(id, tx: tx)?.dailyCap == 500)
    #expect(try store.account(id, tx: tx)?.password == "new")
  }

  @Test func keysAreKeptAsHashesOnly() throws {
    let bench = try Bench()
    let store = AccountStore(ids: bench.ids, key: bench.key)
    let tx = bench.database
    let (id, secret) = try store.createKey(
      for: Bench.alice, name: "ci", scopes: [.messagesSend, .inboxRead], at: bench.now, tx: tx)
    #expect(secret.hasPrefix("sb_"))
    let found = try #require(try store.key(secret, tx: tx))
    #expect(found.id == id && found.account == Bench.alice && found.scopes == [.messagesSend, .inboxRead])
    #expect(try store.keys(of: Bench.alice, tx: tx) == [found])
    #expect(try store.key(secret + "x", tx: tx) == nil)
    #expect(try store.key("", tx: tx) == nil)
    let stored = try tx.first("SELECT hash FROM api_keys") { $0.bytes(0) }
    #expect(try #require(stored).count == 32)
    #expect(!String(decoding: try #require(stored), as: UTF8.self).contains(secret))
    // Another exchange's hash of the same key is another.
    let stranger = AccountStore(ids: bench.ids, key: try #require(MasterKey(hex: String(repeating: "77", count: 32))))
    #expect(try stranger.key(secret, tx: tx) == nil)
    #expect(try store.removeKey(id, tx: tx))
    #expect(try store.key(secret, tx: tx) == nil)
  }

  @Test func sessionsEndInTime() throws {
    let bench = try Bench()
    let store = AccountStore(ids: bench.ids, key: bench.key)
    let tx = bench.database
    let token = try store.createSession(
      for: Bench.alice, agent: String(repeating: "x", count: 5000), at: bench.now, tx: tx)
    let other = try store.createSession(for: Bench.alice, agent: nil, at: bench.now, tx: tx)
    #expect(token != other)
    let session = try #require(try store.session(token, at: bench.now, tx: tx))
    #expect(session.account == Bench.alice)
    #expect(try tx.first("SELECT length(agent) FROM sessions WHERE agent IS NOT NULL") { $0.int(0) } == 200)
    try store.endSession(session.id, tx: tx)
    #expect(try store.session(token, at: bench.now, tx: tx) == nil)
    #expect(try store.session(other, at: bench.now + .seconds(90 * 86_400 - 1), tx: tx) != nil)
    #expect(try store.session(other, at: bench.now + .seconds(90 * 86_400), tx: tx) == nil)
    try store.removeExpiredSessions(at: bench.now + .seconds(90 * 86_400), tx: tx)
    #expect(try tx.first("SELECT COUNT(*) FROM sessions") { $0.int(0) } == 0)
  }
}

struct IdentifierSourceTests {
  @Test func idsOnlyRiseWhateverTheClockDoes() {
    let source = IdentifierSource(random: SeededRandom(seed: 4))
    var random = SeededRandom(seed: 5)
    var now = Bench.start
    var last = ID128(high: 0, low: 0)
    for _ in 0..<20_000 {
      let next = source.next(at: now)
      #expect(next > last)
      last = next
      let step = Int64.random(in: -5...5, using: &random)
      now = now + .milliseconds(step)
    }
  }

  @Test func idsSayWhenTheyWereMade() {
    let source = IdentifierSource(random: SeededRandom(seed: 4))
    #expect(source.next(at: Bench.start).instant == Bench.start)
  }

  @Test func idsOfOneMillisecondHaveReferencesOfTheirOwn() {
    let source = IdentifierSource(random: SeededRandom(seed: 4))
    let references = (0..<50_000).map { _ in source.next(at: Bench.start).shortReference }
    #expect(Set(references).count == references.count)
  }

  @Test func impossibleTimesDoNotTrap() {
    let source = IdentifierSource(random: SeededRandom(seed: 4))
    let first = source.next(at: Instant(milliseconds: .min))
    let last = source.next(at: Instant(milliseconds: .max))
    #expect(first < last)
    #expect(source.next(at: Bench.start) > last)
  }

  @Test func aReferenceFindsItsIdsAgain() throws {
    var random = SeededRandom(seed: 6)
    var ids = [ID128(high: 0, low: 0), ID128(high: .max, low: .max), ID128(high: 1, low: 1 << 32)]
    for _ in 0..<2000 { ids.append(ID128(high: random.next(), low: random.next())) }
    for id in ids {
      let reference = id.shortReference
      #expect(reference.utf8.count == 16)
      let range = try #require(ID128.range(shortReference: reference))
      #expect(range.contains(id))
      #expect(range.lowerBound.shortReference == reference && range.upperBound.shortReference == reference)
      #expect(range.lowerBound.high == range.upperBound.high)
      #expect(range.upperBound.low - range.lowerBound.low == 0xFFFF_FFFF)
    }
  }

  @Test(
    "What is no reference finds nothing",
    arguments: ["", "AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAA+", "ÄAAAAAAAAAAAAAA", "AAAAAAAA AAAAAAA"])
  func noReference(text: String) {
    #expect(ID128.range(shortReference: text) == nil)
  }
}
