import CarrierProfiles
import Testing

struct LoadingTests {
  private static let head = """
    {
      profile: "carrier/1", kind: "http", name: "small", title: "Small",
      settings: { url: { title: "Address", doc: "x", kind: "url" }, key: { title: "Key", doc: "x", secret: true } },
      limits: { parts: 3 },

    """
  private static let submit = "  submit: { url: \"{settings.url}/send\", form: { to: \"{to.digits}\" } },\n"
  private static let answers = "  answers: [{ status: 200, text: \"^(?P<id>[0-9]+)$\", outcome: \"accepted\" }],\n"
  private static let examples = """
      examples: {
        settings: { url: "https://x.example", key: "k" },
        requests: [{ to: "+358401", text: "x", refused: "never" }], answers: [{ body: "1", outcome: "accepted" }],
      },
    }
    """

  private func problems(_ text: String) -> [String] {
    CarrierProfile.check(json5: Array(text.utf8), file: "small.json5").map(\.description)
  }

  @Test func aSmallProfileIsReadAndItsWrongExampleFound() {
    #expect(
      problems(Self.head + Self.submit + Self.answers + Self.examples) == [
        "small.json5:9: The message is not refused."
      ])
  }

  @Test(arguments: [
    (
      "name: \"small\"", "name: \"Small One\"",
      "small.json5:2: name must be a short name of lower-case letters, digits and -."
    ),
    ("title: \"Small\",", "title: \"Small\", tite: 1,", "small.json5:2: tite is not known here."),
    ("carrier/1", "carrier/2", "small.json5:2: profile must be \"carrier/1\"."),
    ("parts: 3", "parts: 300", "small.json5:4: limits.parts must be a whole number from 1 to 255."),
    ("{to.digits}", "{to.digit}", "small.json5:5: submit.form.to: {to.digit} is no slot."),
    ("{to.digits}", "{to.digits", "small.json5:5: submit.form.to: A \"{\" has no \"}\"."),
    ("{to.digits}", "{settings.pin}", "small.json5:5: submit.form.to: There is no setting \"pin\"."),
    ("\"{settings.url}/send\"", "\"{settings.key}/send\"", "small.json5:5: submit.url: It must begin with https://"),
    ("\"{settings.url}/send\"", "\"{settings.url}.evil\"", "small.json5:5: submit.url: It must begin with https://"),
    ("\"{settings.url}/send\"", "\"https://{to.digits}/\"", "small.json5:5: submit.url: It must begin with https://"),
    ("\"{settings.url}/send\"", "\"https://x{to.digits}/\"", "small.json5:5: submit.url: It must begin with https://"),
    ("/send\"", "/send?x=1\"", "small.json5:5: submit.url: It has a character"),
    ("form: {", "method: \"GET\", form: {", "small.json5:5: submit.method: A GET has no body."),
    ("form: {", "json: { x: \"{text.gsm}\" }, form: {", "small.json5:5: submit.json: A request has one body."),
    (
      "form: { to: \"{to.digits}\" }", "json: { x: [\"{text.gsm}\"] }",
      "small.json5:5: submit.json.x: {text.latin1} and {text.gsm} are octets"
    ),
    (
      "form: {", "headers: { \"Content-Length\": \"1\" }, form: {",
      "small.json5:5: submit.headers: \"Content-Length\" is no header"
    ),
    ("form: {", "headers: { \"A B\": \"1\" }, form: {", "small.json5:5: submit.headers: \"A B\" is no header"),
    (
      "\"{to.digits}\" }", "{ when: \"gms7\", value: \"1\" } }",
      "small.json5:5: submit.form.to.when: \"gms7\" is no condition."
    ),
    (
      "\"{to.digits}\" }", "{ when: \"gsm7 or ucs2\", value: \"1\" } }",
      "small.json5:5: submit.form.to.when: Conditions are joined by"
    ),
    ("\"{to.digits}\" }", "{ when: \"not\", value: \"1\" } }", "small.json5:5: submit.form.to.when: A term is missing"),
    ("(?P<id>[0-9]+)", "(?P<id>[0-9]+", "small.json5:6: answers[0].text must be a regular expression"),
    ("(?P<id>[0-9]+)", "[0-9]+", "small.json5:6: answers[0].outcome: Nothing captures \"id\"."),
    ("(?P<id>[0-9]+)", "(?P<idd>[0-9]+)", "small.json5:6: answers[0].text: \"idd\" means nothing here."),
    ("status: 200", "status: 20", "small.json5:6: answers[0].status must be an HTTP status"),
    ("\"accepted\" }],", "\"refused\" }],", "small.json5:6: answers[0].sentence: It is missing"),
    ("\"accepted\" }],", "\"acepted\" }],", "small.json5:6: answers[0].outcome must be one of \"accepted\""),
    (
      "\"accepted\" }],", "\"unclear\", sentence: \"{code}\" }],",
      "small.json5:6: answers[0].sentence: Nothing captures {code} here."
    ),
    ("\"accepted\" }],", "\"accepted\", lookup: \"x\" }],", "small.json5:6: answers[0].lookup: There is no such table"),
    (
      "status: 200, text: \"^(?P<id>[0-9]+)$\", outcome: \"accepted\"", "outcome: \"accepted\", withoutID: true",
      "small.json5:6: answers[0].outcome: A rule has a \"status\""
    ),
    ("secret: true", "secret: true, default: \"k\"", "small.json5:3: settings.key.default: A secret has no default."),
    (
      "kind: \"url\"", "kind: \"url\", default: \"x\"", "small.json5:3: settings.url.default: Address is not an address"
    ),
    ("answers: [{ body", "answers: [{ boddy", "small.json5:9: examples.answers[0].boddy is not known here."),
    ("parts: 3 },", "parts: 3 submit", "small.json5:4:"),
  ])
  func aWrongProfileIsRefusedWithItsLineAndTheReason(old: String, new: String, sentence: String) {
    let whole = Self.head + Self.submit + Self.answers + Self.examples
    #expect(whole.contains(old))
    let found = problems(whole.replacing(old, with: new, maxReplacements: 1))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(sentence) == true, "\(found)")
  }

  @Test(arguments: [
    ("push: { from: \"body\" }", "as: \"receipt\", text: \"x\", statuses: {}", "Nothing captures \"id\"."),
    ("push: { from: \"body\" }", "as: \"inbound\", text: \"(?P<from>x)\"", "Nothing captures \"text\"."),
    (
      "push: { from: \"body\" }", "as: \"inbound\", take: { from: \"a\", text: \"b\" }",
      "A rule has a \"text\" or a \"where\""
    ),
    (
      "push: { from: \"body\" }", "as: \"inbound\", text: \"(?P<from>x)(?P<text>y)(?P<time>z)\"",
      "The format goes with a captured \"time\""
    ),
    (
      "push: { from: \"body\" }", "as: \"inbound\", text: \"(?P<from>x)(?P<text>y)(?P<time>z)\", time: \"hh:mm\"",
      "time must be \"epoch\""
    ),
    ("push: { from: \"nowhere\" }", "as: \"ignored\", text: \"x\"", "push.from must be \"body\""),
    ("push: { from: \"body\", methods: [\"PUT\"] }", "as: \"ignored\", text: \"x\"", "push.methods must be an array"),
    ("zone: \"Europe/Helsinki\", push: { from: \"body\" }", "as: \"ignored\", text: \"x\"", "zone must be \"utc\""),
    ("split: { at: \"#\" }", "as: \"ignored\", text: \"x\"", "There is neither \"push\" nor \"poll\"."),
    (
      "poll: { every: \"5s\", from: \"body\", request: { url: \"{settings.url}/\", form: { a: \"{text}\" } } }",
      "as: \"ignored\", text: \"x\"", "A poll is about no message"
    ),
    (
      "poll: { from: \"body\", request: { url: \"{settings.url}/\" } }", "as: \"ignored\", text: \"x\"",
      "poll.every is missing"
    ),
  ])
  func wrongRulesForWhatComesInAreRefused(how: String, rule: String, words: String) {
    let incoming = "  incoming: { \(how), records: [{ \(rule) }] },\n"
    let found = problems(Self.head + Self.submit + Self.answers + incoming + Self.examples)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("small.json5:7: ") == true)
    #expect(found.first?.contains(words) == true, "\(found)")
  }

  @Test func anXMLBodyIsEscapedAndRefusesWhatXMLCanNotSay() throws {
    let submit = """
        submit: {
          url: "{settings.url}/send",
          xml: "<m to='{to.digits}' key='{settings.key}'>{text}</m>",
        },

      """
    let text = Self.head + submit + Self.answers + Self.examples
    let profile = try CarrierProfile(json5: Array(text.utf8), file: "small.json5")
    let settings = ["url": "https://x.example/", "key": "a'b<"]
    let call = try profile.request(for: try Submission.of("1 < 2 & \"x\"\n😀"), settings: settings)
    #expect(call.url == "https://x.example/send")
    #expect(call.header("content-type") == "text/xml; charset=utf-8")
    #expect(
      String(decoding: call.body, as: UTF8.self)
        == "<m to='358401234567' key='a&apos;b&lt;'>1 &lt; 2 &amp; &quot;x&quot;&#10;😀</m>")
    #expect(
      throws: SubmissionRefusal(.route, code: "text", "The text has a control character that Small can not take.")
    ) {
      try profile.request(for: try Submission.of("a\u{C}b"), settings: settings)
    }
  }

  @Test func noDamagedProfileTrapsTheReader() throws {
    var random = Seeded(31)
    for name in ["httpsms", "example-telecom"] {
      let whole = try Files.bytes(name == "httpsms" ? Files.shipped : Files.made, name)
      for _ in 0..<150 {
        for problem in CarrierProfile.check(json5: random.damage(whole, with: "{}[]\",:$%()"), file: "x.json5") {
          #expect(
            problem.sentence.hasSuffix(".") || problem.sentence.hasSuffix("?") || problem.sentence.contains("body")
              || problem.sentence.contains("address"), "\(problem)")
        }
      }
    }
  }
}
