import CarrierProfiles
import Contract
import Foundation
import GSMText

/// What carriers answer and send, read by profiles; what clients send to the sandbox's doors; and profiles themselves.
///
/// The first character of an input says which: see `kinds`.
enum CarriersHarness {
  private static let kinds: [@Sendable (_ input: inout Input) -> Void] = [
    answers, callback, poll, HTTPSMSDoor.run, HTTPSMSDoor.texts, SMSGlobalDoor.run, Requests.run, profile,
  ]

  static func run(_ input: [UInt8]) {
    guard input.count <= 1 << 16 else { return }
    var input = Input(input)
    input.choice(of: kinds)(&input)
  }

  static let now = Instant(milliseconds: 1_796_000_000_000)
  static let statuses = [200, 202, 302, 400, 401, 429, 500, 503]

  static let httpsms = shipped("Profiles/carriers/httpsms.json5")
  static let smsglobal = shipped("Profiles/carriers/smsglobal.json5")
  /// Everything is JSON with this one.
  static let example = shipped("Tests/Profiles/example-telecom.json5")
  static let all = [httpsms, smsglobal, example]

  private static func shipped(_ path: String) -> CarrierProfile {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    do {
      return try CarrierProfile(json5: Array(try Data(contentsOf: root.appending(path: path))), file: path)
    } catch {
      report("\(path) can not be read: \(error)")
      exit(2)
    }
  }

  /// What no sentence may repeat.
  static let secret = "Meet me at seven by the pier"

  static let submission: Submission = {
    guard let plan = try? TextPlan(secret) else { exit(2) }
    return Submission(id: ID128(high: 1, low: 2), reference: "r1", to: "+358401234567", from: "Info", plan: plan)
  }()

  // MARK: Answers

  private static func answers(_ input: inout Input) {
    let status = input.choice(of: statuses)
    for profile in all { answer(status, input.bytes, of: profile) }
  }

  private static func answer(_ status: Int, _ body: [UInt8], of profile: CarrierProfile) {
    let outcome = profile.outcome(status: status, body: body, for: submission)
    require(profile.outcome(status: status, body: body, for: submission) == outcome, "two readings differ")
    require(!"\(outcome)".contains(secret), "an outcome repeats the message")
    switch outcome {
    case .accepted(let ids, let detail):
      accepted(ids, status, body, of: profile)
      if let detail { shown(detail, limit: 20_000) }
    case .refused(_, let code, let sentence), .unavailable(let code, let sentence), .uncertain(let code, let sentence):
      shown(code, limit: 2000)
      require(!sentence.isEmpty, "no sentence")
      shown(sentence, limit: 20_000)
    case .throttled(let code, let sentence, let retryAfter):
      shown(code, limit: 2000)
      require(!sentence.isEmpty && (retryAfter ?? .zero) >= .zero, "no sentence, or a time before now")
      shown(sentence, limit: 20_000)
      let later = profile.outcome(status: status, body: body, retryAfter: .seconds(10_000_000), for: submission)
      require(later == .throttled(code: code, sentence: sentence, retryAfter: .seconds(10_000_000)), "not waited for")
    }
  }

  /// An answer that is none of these never counts as accepted: the message would be lost.
  private static func accepted(_ ids: [String], _ status: Int, _ body: [UInt8], of profile: CarrierProfile) {
    let text = String(decoding: body, as: UTF8.self)
    require((200...299).contains(status) && !ids.isEmpty && ids.count <= 300, "accepted with a bad status, or no id")
    for id in ids {
      require((1...128).contains(id.utf8.count) && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "no id")
      require(text.lowercased().contains(id), "an id that the carrier did not give")
    }
    switch profile.name {
    case "httpsms": require(text.hasPrefix("OK \(ids[0])") && ids.count == 1, "accepted without OK")
    case "smsglobal":
      let marks = ["OK: 0; Sent queued message ID: ", "SMSGLOBAL DELAY MSGID:"]
      require(status == 200 && ids.count == 1 && marks.contains { text.hasPrefix($0) }, "accepted without OK")
    default: require(text.contains("queued") || text.contains("\\u"), "accepted without being queued")
    }
  }

  // MARK: Callbacks and polls

  private static func callback(_ input: inout Input) {
    let form = "application/x-www-form-urlencoded"
    let (method, isQuery, type) = input.choice(of: [
      ("GET", true, nil), ("POST", false, form), ("POST", false, "application/json"), ("post", false, form + "; x"),
      ("DELETE", true, nil),
    ])
    let callback = Callback(
      method: method, query: isQuery ? input.bytes : [], contentType: type, body: isQuery ? [] : input.bytes)
    for profile in all {
      for settings in [[:], ["zone": "-09:30"], ["zone": "nonsense"]] {
        let reading = profile.readCallback(callback, settings: settings, now: now)
        check(reading)
        require(profile.readCallback(callback, settings: settings, now: now) == reading, "two readings differ")
        require(
          (reading.refusal == nil) == (200...299).contains(reading.answer.status), "an answer that says otherwise")
      }
    }
  }

  private static func poll(_ input: inout Input) {
    let status = input.choice(of: statuses)
    for profile in all {
      let reading = profile.readPoll(status: status, body: input.bytes, now: now)
      check(reading)
      require((200...299).contains(status) || reading.refusal != nil, "a failed poll counts")
    }
  }

  static func check(_ reading: CallbackReading) {
    require(reading.receipts.count + reading.inbound.count + reading.unread.count <= 1000, "records without an end")
    if let refusal = reading.refusal { shown(refusal, limit: 2000) }
    for receipt in reading.receipts {
      require((1...128).contains(receipt.carrierID.utf8.count), "a receipt for nothing")
      require(receipt.at.map { $0 <= now + .seconds(600) } ?? true, "a receipt from the future")
      for text in [receipt.code ?? "", receipt.sentence, receipt.reference ?? "", receipt.raw] {
        shown(text, limit: 20_000)
      }
    }
    for inbound in reading.inbound {
      require(!inbound.from.isEmpty && !inbound.identity.isEmpty, "a message from nobody")
      require(inbound.at.map { $0 <= now + .seconds(600) } ?? true, "a message from the future")
      if let part = inbound.part {
        require((2...255).contains(part.total) && (1...part.total).contains(part.number), "a part that can not be")
      }
      _ = inbound.text
      for text in [inbound.from, inbound.to, inbound.reference ?? "", inbound.raw] { shown(text, limit: 20_000) }
    }
    _ = InboundContent.joined(reading.inbound.map(\.content))
    let anonymous = reading.inbound.filter { $0.carrierID == nil }
    require(Set(anonymous.map(\.identity)).count == anonymous.count, "two messages that count as one")
    for text in reading.unread { shown(text, limit: 20_000) }
  }

  static func shown(_ text: String, limit: Int) {
    require(text.isOneLine && text.utf8.count <= limit, "a text that can not be shown")
  }

  // MARK: Profiles

  /// A profile that can be read can be used, whatever stands in it.
  private static func profile(_ input: inout Input) {
    do throws(ProfileError) {
      let profile = try CarrierProfile(json5: input.bytes, file: "f")
      for problem in profile.examplesProblems() { shownProblem(problem) }
      for body in ["OK 1", "ERROR: 5", #"{"messages":[{"id":"A","state":"queued"}]}"#] {
        _ = profile.outcome(status: 200, body: Array(body.utf8), for: submission)
        check(profile.readPoll(status: 200, body: Array(body.utf8), now: now))
        let callback = Callback(
          method: "POST", query: Array("id=1&status=x&from=a&text=b".utf8), contentType: nil, body: Array(body.utf8))
        check(profile.readCallback(callback, now: now))
      }
      let settings = Dictionary(profile.settings.map { ($0.name, $0.kind == .zone ? "utc" : "7") }) { $1 }
      if let call = try? profile.request(for: submission, settings: settings) { Requests.check(call) }
      if let call = profile.pollCall(settings: settings) { Requests.check(call) }
    } catch { shownProblem(error) }
  }

  private static func shownProblem(_ problem: ProfileError) {
    require(problem.line >= 0 && !problem.sentence.isEmpty, "a problem without words")
  }
}
