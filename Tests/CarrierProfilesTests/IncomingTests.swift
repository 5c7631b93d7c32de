import CarrierProfiles
import Contract
import HTTPSMS
import Testing

struct IncomingTests {
  let httpsms: CarrierProfile
  let smsglobal: CarrierProfile
  let telecom: CarrierProfile

  init() throws {
    httpsms = try Files.profile("httpsms")
    smsglobal = try Files.profile("smsglobal")
    telecom = try Files.profile("example-telecom")
  }

  private func poll(_ text: String) -> CallbackReading {
    httpsms.readPoll(status: 200, body: Array(text.utf8), now: now)
  }

  @Test func theSameMessageHasTheSameIdentityAndEqualOnesInOneCallHaveNot() {
    let message = "-1:358401234567:447624804001:1::1465856570::4869"
    let once = poll("1#\(message)").inbound.map(\.identity)
    #expect(once.count == 1)
    #expect(poll("1#\(message)").inbound.map(\.identity) == once)
    let twice = poll("2#\(message)#\(message)").inbound.map(\.identity)
    #expect(twice.first == once.first)
    #expect(Set(twice).count == 2)
    let later = message.replacing("1465856570", with: "1465856571")
    #expect(poll("1#\(later)").inbound.map(\.identity) != once)
  }

  @Test func partsAreJoinedBeforeTheyAreRead() {
    let reading = poll(
      "2#-1:3584:4476:4::1465856570:050003070202:DE000021#-1:3584:4476:4::1465856570:050003070201:0041D83D")
    let parts = reading.inbound.sorted { ($0.part?.number ?? 0) < ($1.part?.number ?? 0) }
    #expect(
      parts.map(\.part) == [
        InboundPart(reference: 7, total: 2, number: 1), InboundPart(reference: 7, total: 2, number: 2),
      ])
    #expect(InboundContent.joined(parts.map(\.content)) == "A😀!")
  }

  @Test func whatIsThereIsReadThoughTheCountIsWrong() {
    let reading = poll("3#7:Info:358401234567:1::1465856570::#8:Info:358401234567:1::1465856570:")
    #expect(reading.receipts.map(\.carrierID) == ["7"])
    #expect(reading.unread == ["8:Info:358401234567:1::1465856570:"])
    #expect(reading.refusal == "The text says that it has 3 records and has 2.")
  }

  @Test func oneStrangerAmongRecordsIsKeptAndTheOthersCount() {
    let reading = poll("2#strange\u{7}record#8:Info:358401234567:2::1465856570::")
    #expect(reading.receipts.map(\.status) == [.buffered])
    #expect(reading.unread == [#"strange\u{7}record"#])
    #expect(reading.refusal == nil)
  }

  @Test func aTimeThatIsStillToComeIsNone() {
    let later = String((now.milliseconds / 1000) + 3600)
    #expect(poll("1#7:Info:3584:1::\(later)::").receipts.map(\.at) == [nil])
    #expect(poll("1#7:Info:3584:1::\(now.milliseconds / 1000)::").receipts.map(\.at) == [now])
  }

  @Test(
    arguments: [
      ("2010-05-13 23:59:01", "+10:00", "2010-05-13T13:59:01.000Z"),
      ("2010-05-13 23:59:01", "utc", "2010-05-13T23:59:01.000Z"),
      ("2010-05-13 23:59:01", "-03:30", "2010-05-14T03:29:01.000Z"), ("2010-02-30 23:59:01", "utc", nil),
      ("2010-05-13", "utc", nil), ("2010-05-13T23:59:01", "utc", nil), ("", "utc", nil),
    ] as [(String, String, String?)])
  func timesAreReadInTheCarriersZone(text: String, zone: String, expected: String?) {
    let fields = [("from", "1"), ("to", "2"), ("msg", "x"), ("date", text)].map { FormField($0, $1) }
    let reading = smsglobal.readCallback(Callback(method: "POST", fields: fields), settings: ["zone": zone], now: now)
    #expect(reading.inbound.map { $0.at?.description } == [expected])
  }

  @Test func aWrongMethodAndAWrongCallAreAnsweredAsSuch() {
    #expect(httpsms.readCallback(Callback(method: "GET"), now: now).answer.status == 405)
    #expect(httpsms.readCallback(Callback(method: "POST"), now: now).answer.status == 400)
    #expect(httpsms.readCallback(Callback(method: "POST"), now: now).refusal == "The call has no field INCOMING.")
  }

  @Test func aFailedPollSaysWhatTheCarrierSaid() {
    let reading = httpsms.readPoll(status: 401, body: Array("ERR -10".utf8), now: now)
    #expect(reading.refusal == "The carrier does not know this user name with this password.")
    #expect(httpsms.readPoll(status: 502, body: [], now: now).refusal == "The carrier answered HTTP 502.")
    #expect(httpsms.pollCall(settings: ["user": "x"]) == nil)
    #expect(httpsms.pollInterval == .seconds(5))
    #expect(smsglobal.pollInterval == nil)
  }

  @Test func latinOctetsInAFormAreRead() {
    let callback = Callback(
      method: "POST", query: [], contentType: "application/x-www-form-urlencoded",
      body: Array("INCOMING=1%23-1%3A3584%3A4476%3A1%3A%3A1465856570%3A%3AE4808A".utf8))
    #expect(httpsms.readCallback(callback, now: now).inbound.map(\.text) == ["ä€\u{8A}"])
  }

  @Test func noDamagedCallIsReadAsAnother() {
    var random = Seeded(5)
    let whole = Array("2#123456:Info:966536430333:1::1465856570:MSG_1:#-1:3584:4476:4::1465856570::00480069".utf8)
    func past(_ at: Instant) -> Instant? { at <= now + .seconds(600) ? at : nil }
    for _ in 0..<6000 {
      let damaged = random.damage(whole, with: ":#-0")
      let reading = httpsms.readPoll(status: 200, body: damaged, now: now)
      // The carrier's side reads whole envelopes only, and is stricter with the fields that the profile leaves alone.
      guard let envelope = IncomingEnvelope(reading: String(decoding: damaged, as: UTF8.self)) else { continue }
      for item in envelope.items {
        switch item {
        case .receipt(let receipt):
          #expect(reading.receipts.contains { $0.carrierID == "\(receipt.id)" && $0.at == past(receipt.at) })
        case .message(let message) where message.source.wholeMatch(of: /[0-9]+/) != nil:
          let found = reading.inbound.first { $0.from == message.source && $0.at == past(message.at) }
          #expect(found != nil)
          if let found, found.content.coding != .octets { #expect(found.text == message.text) }
        case .message: break
        }
      }
    }
  }

  @Test func noCallTrapsAReader() {
    var random = Seeded(9)
    let form = Array(
      "msgid=6942744494999745&dlrstatus=DELIVRD&dlr_err=000&donedate=1005132312&from=1&msg=%E4&to=%00".utf8)
    let json = Array(
      #"{"events":[{"type":"message","message":{"id":"M9","from":"1","text":"x","part":{"ref":3,"of":2,"no":1}},"time":"2026-11-30T06:00:00Z"}]}"#
        .utf8)
    for _ in 0..<6000 {
      let damagedForm = random.damage(form, with: "%&=+;0")
      let reading = smsglobal.readCallback(
        Callback(
          method: "POST", query: damagedForm, contentType: "application/x-www-form-urlencoded", body: damagedForm),
        now: now)
      #expect(reading.inbound.count + reading.receipts.count <= 1)
      let events = telecom.readCallback(
        Callback(method: "POST", body: random.damage(json, with: "{}[]\",:0-")), now: now)
      #expect(events.inbound.count <= 2)
    }
    let flood = [UInt8](repeating: UInt8(ascii: "#"), count: 200_000)
    #expect(httpsms.readPoll(status: 200, body: Array("9999".utf8) + flood, now: now).unread.count <= 1000)
  }
}
