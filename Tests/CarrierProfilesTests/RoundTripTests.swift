import CarrierProfiles
import Contract
import GSMText
import HTTPSMS
import SMSGlobal
import Testing

/// What a profile sends is read by the carrier's side, which knows nothing of profiles.
struct RoundTripTests {
  static let texts = [
    "Hello", "FO60 0000 ASETUSARVOT: PALOH:HÄL:VIIVE=3", "€", "[x] {y} ~ | \\ ^", "@£$¥èéùìòÇ", "ΔΦΓΛΩΠΨΣΘΞ", "¤ and €",
    "ä\nö\r\nå", "a+b&c=d%20e#f;g", "😀", "👩‍👩‍👧‍👦 🇫🇮", "Привет, мир", "你好", "\u{C}page", "100%25", "it's \"quoted\" <b>", " ",
    String(repeating: "a", count: 459), String(repeating: "€", count: 200), String(repeating: "😀", count: 90),
  ]

  @Test(arguments: texts)
  func httpsmsGetsTheTextAsItWasWritten(text: String) throws {
    try Self.checkHTTPSMS(text, try Files.profile("httpsms"))
  }

  @Test(arguments: texts)
  func smsglobalGetsTheTextAsItWasWritten(text: String) throws {
    try Self.checkSMSGlobal(text, try Files.profile("smsglobal"))
  }

  @Test func everyMixtureOfCharactersComesThrough() throws {
    let (httpsms, smsglobal) = (try Files.profile("httpsms"), try Files.profile("smsglobal"))
    var random = Seeded(17)
    for _ in 0..<3000 {
      let text = random.text()
      try Self.checkHTTPSMS(text, httpsms)
      try Self.checkSMSGlobal(text, smsglobal)
    }
  }

  private static func checkHTTPSMS(_ text: String, _ profile: CarrierProfile) throws {
    let submission = try Submission.of(text, flash: text.count.isMultiple(of: 2), validity: .seconds(90))
    let call = try profile.request(for: submission, settings: Settings.all["httpsms"] ?? [:])
    let submit = try HTTPSMSSubmit(fields: call.fields)
    #expect(submit.content.text.map { Array($0.utf8) } == Array(submission.plan.text.utf8))
    #expect(submit.parts <= submission.plan.partCount)
    #expect(submit.coding.isFlash == submission.flash)
    #expect(submit.destinations.map(\.number) == ["358401234567"])
    #expect(submit.source == "Info")
    #expect(submit.password == "p&ss=1")
    #expect(submit.reference == "r_1")
    #expect(submit.receipts == .send)
    #expect(submit.validityMinutes == 2)
  }

  private static func checkSMSGlobal(_ text: String, _ profile: CarrierProfile) throws {
    let submission = try Submission.of(text)
    let call = try profile.request(for: submission, settings: Settings.all["smsglobal"] ?? [:])
    let submit = try SMSGlobalSubmit(fields: call.fields)
    #expect(Array(submit.text.utf8) == Array(submission.plan.text.utf8))
    #expect(submit.partLimit == submission.plan.partCount)
    #expect(submit.to == ["358401234567"])
    #expect(submit.userfield == "r_1")
    #expect(submit.password == "p&ss=1")
  }

  @Test func sendersKeepTheirType() throws {
    let profile = try Files.profile("httpsms")
    for (sender, source, type) in [
      ("+447987651234", "447987651234", HTTPSMSSubmit.SourceType.international),
      ("447987651234", "447987651234", .international),
      ("34567", "34567", .national), ("07943215678", "07943215678", .national), ("Info", "Info", .alphanumeric),
    ] {
      let call = try profile.request(
        for: try Submission.of("Hi", from: sender), settings: Settings.all["httpsms"] ?? [:])
      let submit = try HTTPSMSSubmit(fields: call.fields)
      #expect(submit.source == source)
      #expect(submit.sourceType == type)
    }
  }

  @Test func everyAnswerOfTheHTTPSMSServerIsUnderstood() throws {
    let profile = try Files.profile("httpsms")
    let submission = try Submission.of("Hi")
    func outcome(_ answer: HTTPSMSAnswer) -> SubmitOutcome {
      profile.outcome(status: answer.status, body: Array(answer.body.utf8), for: submission)
    }
    #expect(outcome(.accepted([.id(12)], reference: "r_1")) == .accepted(ids: ["12"], detail: nil))
    var sentences: Set<String> = []
    for error in HTTPSMSError.allCases {
      for answer in [HTTPSMSAnswer.refused(error)] {
        switch outcome(answer) {
        case .refused(_, "\(error.rawValue)", let sentence), .throttled("\(error.rawValue)", let sentence, _),
          .unavailable("\(error.rawValue)", let sentence):
          sentences.insert(sentence)
        case let other: Issue.record("\(error) is \(other)")
        }
      }
    }
    #expect(sentences.count == HTTPSMSError.allCases.count)
    #expect(outcome(.accepted([.failed(.destination)], reference: nil)) == outcome(.refused(.destination)))
    #expect(outcome(.accepted([.failed(.system)], reference: nil)) == outcome(.refused(.system)))
    // More ids than numbers that were asked for: nobody knows what happened.
    guard case .uncertain = outcome(.accepted([.id(1), .id(2)], reference: nil)) else {
      Issue.record("two ids for one number were taken")
      return
    }
  }

  @Test func everyAnswerOfTheSMSGlobalServerIsUnderstood() throws {
    let profile = try Files.profile("smsglobal")
    let submission = try Submission.of("Hi")
    func outcome(_ answer: SMSGlobalAnswer) -> SubmitOutcome {
      profile.outcome(status: 200, body: Array(answer.body.utf8), for: submission)
    }
    #expect(
      outcome(.sent([.sent(queueID: 0xABC, messageID: 12)])) == .accepted(ids: ["12"], detail: "0000000000000abc"))
    #expect(outcome(.delayed([49_936_728])) == .accepted(ids: ["49936728"], detail: nil))
    for code in SMSGlobalCode.allCases where code != .ok {
      for answer in [SMSGlobalAnswer(.code(code)), .sent([.failed(code: code.rawValue)])] {
        switch outcome(answer) {
        case .accepted: Issue.record("\(code) is taken for success")
        case .refused(_, let found, let sentence), .throttled(let found, let sentence, _),
          .unavailable(let found, let sentence), .uncertain(let found, let sentence):
          #expect(found == "\(code.rawValue)")
          #expect(!sentence.contains("not known here"))
        }
      }
    }
    for refusal in [SMSGlobalRefusal.noAction, .missing("from"), .invalid("maxsplit")] {
      guard case .refused(.route, _, let sentence) = outcome(SMSGlobalAnswer(refusal)) else {
        Issue.record("\(refusal) is no refusal")
        continue
      }
      #expect(sentence.contains(refusal.text))
    }
  }

  @Test func receiptsAndMessagesOfTheServersComeThrough() throws {
    let httpsms = try Files.profile("httpsms")
    let receipt = HTTPSMSReceipt(
      id: 7, source: "Info", destination: "358401234567", status: .expired, error: "1B", at: now, reference: "r_1")
    let message = HTTPSMSIncoming(source: "358401234567", destination: "447624804001", text: "Hyvää € 😀 #:", at: now)
    let envelope = IncomingEnvelope([.receipt(receipt), .message(message)])
    let pushed = httpsms.readCallback(
      Callback(
        method: "POST", query: [], contentType: "application/x-www-form-urlencoded; charset=utf-8",
        body: envelope.pushBody), now: now)
    #expect(pushed.receipts.map(\.carrierID) == ["7"])
    #expect(pushed.receipts.map(\.status) == [.expired])
    #expect(pushed.receipts.map(\.code) == ["1B"])
    #expect(pushed.receipts.map(\.reference) == ["r_1"])
    #expect(pushed.receipts.map(\.at) == [now])
    #expect(pushed.inbound.map(\.text) == ["Hyvää € 😀 #:"])
    #expect(pushed.inbound.map(\.from) == ["358401234567"])
    #expect(pushed.answer == CallbackAnswer(status: 200, body: Array("OK".utf8)))
    let polled = httpsms.readPoll(status: 200, body: Array(envelope.text.utf8), now: now)
    #expect(polled.receipts == pushed.receipts)
    #expect(polled.inbound == pushed.inbound)
    #expect(!polled.mayHaveMore)
    let full = IncomingEnvelope(Array(repeating: .receipt(receipt), count: 100))
    #expect(httpsms.readPoll(status: 200, body: Array(full.text.utf8), now: now).mayHaveMore)

    let smsglobal = try Files.profile("smsglobal")
    let offset = Duration.seconds(39_600)
    let incoming = SMSGlobalIncoming(
      to: "61447100308", from: "61447100310", text: "Hyvää € 😀 &=", userfield: "r_1",
      date: SMSGlobalTime(now, offset: offset))
    let done = SMSGlobalReceipt(
      messageID: 613_115_713_715_266, status: .undeliverable, error: "27", done: SMSGlobalTime(now, offset: offset))
    for fields in [incoming.fields, done.fields] {
      let reading = smsglobal.readCallback(
        Callback(method: "GET", fields: fields.map { FormField($0, $1) }), settings: ["zone": "+11:00"], now: now)
      #expect(reading.refusal == nil)
      #expect(reading.answer.body == Array(SMSGlobalReceipt.acknowledgement.utf8))
      for message in reading.inbound {
        #expect(message.text == "Hyvää € 😀 &=")
        #expect(message.reference == "r_1")
        #expect(message.at == now)
      }
      for receipt in reading.receipts {
        #expect(receipt.carrierID == "613115713715266")
        #expect(receipt.status == .failed)
        #expect(receipt.at?.description == "2026-11-30T04:06:00.000Z")
      }
      #expect(reading.inbound.count + reading.receipts.count == 1)
    }
  }
}
