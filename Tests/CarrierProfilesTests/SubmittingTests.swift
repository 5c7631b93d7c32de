import CarrierProfiles
import Contract
import Formats
import GSMText
import Testing

struct SubmittingTests {
  let telecom: CarrierProfile
  let httpsms: CarrierProfile

  init() throws {
    telecom = try Files.profile("example-telecom")
    httpsms = try Files.profile("httpsms")
  }

  @Test func aDescriptionShowsNeitherSecretsNorTheText() throws {
    for name in Settings.all.keys {
      let from = name == "example-telecom" ? "+447624804001" : "Info"
      let call = try Files.profile(name).request(
        for: try Submission.of("Top secret", from: from), settings: Settings.all[name] ?? [:])
      var dumped = ""
      dump(call, to: &dumped)
      for shown in ["\(call)", String(reflecting: call), dumped] {
        for secret in ["p&ss", "p%26ss", "t0ken", "secret", "358401234567"] { #expect(!shown.contains(secret)) }
      }
    }
  }

  @Test func nothingThatIsPutInBreaksOutOfItsPlace() throws {
    let nasty = "a\"b'c&d=e%0D\r\nX: y\u{0}\\{}</x>?#/+;"
    let submission = try Submission.of(nasty, from: "+447624804001", reference: nasty)
    let form = try Files.profile("httpsms").request(for: submission, settings: Settings.all["httpsms"] ?? [:])
    #expect(form.fields.map(\.0) == ["S", "UN", "P", "DA", "SA", "ST", "M", "DC", "DR"])

    let call = try telecom.request(
      for: submission, settings: ["account": "7/../8?x=1#y", "token": "a\" b"])
    #expect(call.url == "https://api.telecom.example/v2/7%2F..%2F8%3Fx%3D1%23y/messages")
    let json = try JSON.parse(call.body)
    #expect(json["message"]?["text"]?.string == nasty)
    #expect(json["reference"]?.string == nasty)
    for header in call.headers {
      #expect(header.value.utf8.allSatisfy { $0 >= 0x20 })
    }
  }

  @Test(arguments: [
    (["account": "1", "token": "a\r\nX: y"], "control"), (["account": "1"], "Token is missing"),
    (["account": "1", "token": "t", "host": "evil.example/path"], "is not a host"),
    (["account": "1", "token": "t", "host": "user@evil.example"], "is not a host"),
    (["account": "", "token": "t"], "Account is missing"),
  ])
  func wrongSettingsAreACarrierLevelRefusalThatDoesNotRepeatThem(settings: [String: String], words: String) throws {
    let submission = try Submission.of("Hi", from: "+447624804001")
    do {
      _ = try telecom.request(for: submission, settings: settings)
      Issue.record("the request was made")
    } catch {
      #expect(error.scope == .carrier)
      #expect(error.code == "setting")
      #expect(error.sentence.contains(words))
      #expect(!error.sentence.contains("evil"))
    }
    #expect(!telecom.problems(withSettings: settings).isEmpty)
  }

  @Test func settingsAreCheckedBeforeACarrierIsSetUp() {
    #expect(httpsms.problems(withSettings: ["user": "u", "password": "p"]).isEmpty)
    #expect(
      httpsms.problems(withSettings: ["user": "u", "url": "ftp://x", "pasword": "p"]) == [
        "Address is not an address like https://example.com:9444/path.", "Password is missing.",
        "pasword is no setting of HTTPSMS (CardBoardFish, CLX, Sinch).",
      ])
    #expect(httpsms.settings.filter(\.isSecret).map(\.name) == ["password"])
  }

  @Test(
    arguments: [
      ("+358401234567", "Info", 460, "parts"), ("+358401234567", nil, 1, "sender"), ("+358401234567", "", 1, "sender"),
      ("+358401234567", "TwelveLetter", 1, "sender"), ("+358401234567", "12345678901234567", 1, "sender"),
      ("+358401234567", "Säätö", 1, "sender"), ("+358401234567", "a\r\nb", 1, "sender"), ("+12", "Info", 1, "number"),
      ("", "Info", 1, "number"), ("+3584012345678901", "Info", 1, "number"), ("+35840&DA=1", "Info", 1, "number"),
    ] as [(String, String?, Int, String)])
  func whatTheCarrierCanNotTakeIsRefusedBeforeItIsSent(to: String, from: String?, length: Int, code: String) throws {
    let submission = try Submission.of(String(repeating: "a", count: length), to: to, from: from)
    do {
      _ = try httpsms.request(for: submission, settings: Settings.all["httpsms"] ?? [:])
      Issue.record("the request was made")
    } catch {
      #expect(error.code == code)
      #expect(error.scope == (code == "number" ? .message : .route))
    }
  }

  @Test func theCarriersOwnSenderStandsInForAMissingOne() throws {
    let call = try httpsms.request(
      for: try Submission.of("Hi", from: nil), settings: ["user": "u", "password": "p", "sender": "+447987651234"])
    #expect(String(decoding: call.body, as: UTF8.self).contains("&SA=447987651234&ST=1&"))
  }

  @Test func aLongTimeIsCutToTheCarriersAndALongReferenceIsLeftOut() throws {
    let call = try httpsms.request(
      for: try Submission.of("Hi", reference: "seventeen-letters", validity: .seconds(8 * 86_400)),
      settings: Settings.all["httpsms"] ?? [:])
    let body = String(decoding: call.body, as: UTF8.self)
    #expect(body.hasSuffix("&V=10080"))
    #expect(!body.contains("UR="))
  }

  @Test func anUnknownAnswerIsUncertainShortAndWithoutTheText() throws {
    let submission = try Submission.of("The secret text")
    let page = "<html>\u{1B}[31m\r\nYou sent: The secret text" + String(repeating: "x", count: 100_000)
    guard
      case .uncertain("HTTP 200", let sentence) = httpsms.outcome(status: 200, body: Array(page.utf8), for: submission)
    else {
      Issue.record("it was understood")
      return
    }
    #expect(sentence.contains(#"<html>\u{1b}[31m\r\nYou sent: …xxx"#))
    #expect(sentence.count < 500)
    #expect(httpsms.outcome(status: 200, body: [0xFF, 0xFE], for: submission).isUncertain)
    #expect(httpsms.outcome(status: 200, body: [], for: submission).isUncertain)
    #expect(httpsms.outcome(status: 500, body: Array("OK 12".utf8), for: submission).isUncertain)
  }

  @Test func aWaitIsTheLongerOfWhatTheCarrierSaysAndTheProfile() throws {
    let submission = try Submission.of("Hi")
    func wait(_ body: String, _ header: Duration?) -> Duration? {
      let outcome = telecom.outcome(status: 429, body: Array(body.utf8), retryAfter: header, for: submission)
      guard case .throttled(_, _, let wait) = outcome else { return nil }
      return wait
    }
    #expect(wait("{}", nil) == .seconds(30))
    #expect(wait(#"{"error":{"retryAfter":7}}"#, nil) == .seconds(7))
    #expect(wait("{}", .seconds(60)) == .seconds(60))
    #expect(wait(#"{"error":{"retryAfter":-7}}"#, nil) == .seconds(30))
    #expect(wait(#"{"error":{"retryAfter":99999999999}}"#, nil) == .seconds(30))
  }

  @Test func noDamagedAnswerIsTakenForAnother() throws {
    var random = Seeded(23)
    let submission = try Submission.of("Hi")
    let answers = [
      ("httpsms", "OK 1000000123456789 UR:r_1"), ("httpsms", "OK -15"), ("httpsms", "ERR -20"),
      ("smsglobal", "OK: 0; Sent queued message ID: 86b1a945370734f4\nSMSGlobalMsgID:6942744494999745\r\n"),
      ("smsglobal", "ERROR: 88"),
      ("example-telecom", #"{"messages":[{"id":"A1","state":"queued"},{"id":"B2","state":"queued"}]}"#),
    ]
    for (name, body) in answers {
      let profile = try Files.profile(name)
      for _ in 0..<3000 {
        let damaged = random.damage(Array(body.utf8), with: "OKER 0123456789-:;\n{}[]\",")
        switch profile.outcome(status: 200, body: damaged, for: submission) {
        case .accepted(let ids, let detail):
          #expect(!ids.isEmpty)
          for id in ids { #expect((1...128).contains(id.utf8.count) && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }) }
          #expect(detail?.utf8.count ?? 0 < 2000)
          let text = String(decoding: damaged, as: UTF8.self)
          if name == "httpsms" { #expect(text.wholeMatch(of: /OK [1-9][0-9]*( UR:[A-Za-z0-9_-]*)?\s*/) != nil) }
        case .refused(_, let code, let sentence), .throttled(let code, let sentence, _),
          .unavailable(let code, let sentence), .uncertain(let code, let sentence):
          #expect(code.utf8.count < 400)
          #expect(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
      }
    }
  }
}

extension SubmitOutcome {
  var isUncertain: Bool { if case .uncertain = self { true } else { false } }
}
