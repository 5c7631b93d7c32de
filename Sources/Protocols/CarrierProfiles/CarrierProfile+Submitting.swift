import Contract
import GSMText

extension CarrierProfile {
  /// The request that hands a message to the carrier.
  package func request(
    for submission: Submission, settings given: [String: String]
  ) throws(SubmissionRefusal) -> CarrierCall {
    let settings = effective(given)
    for field in self.settings {
      if let value = settings[field.name], !value.isEmpty {
        if let problem = field.problem(with: value) {
          throw SubmissionRefusal(.carrier, code: "setting", "The carrier is not set up right: \(problem)")
        }
      } else if field.isRequired {
        throw SubmissionRefusal(.carrier, code: "setting", "The carrier is not set up: \(field.title) is missing.")
      }
    }
    let digits = submission.to.withoutPlus.utf8
    guard submission.to.utf8.first == UInt8(ascii: "+"), (3...15).contains(digits.count), digits.allSatisfy(\.isDigit)
    else { throw SubmissionRefusal(.message, code: "number", "The number is not an international one.") }

    let limit = limits.parts(submission.plan.encoding)
    guard submission.plan.partCount <= limit else {
      throw SubmissionRefusal(
        .route, code: "parts",
        "The text needs \(submission.plan.partCount) parts, and \(title) takes \(limit). Shorten it.")
    }
    var submission = submission
    if submission.reference.utf8.count > limits.referenceLength { submission.reference = "" }
    if let longest = limits.validity, let validity = submission.validity, validity > longest {
      submission.validity = longest
    }
    let values = SlotValues(settings: settings, submission: submission)
    try check(sender: values.sender, kind: values.senderKind)
    if case .xml = submit.body, submission.plan.text.utf8.contains(where: Self.isUnfitForXML) {
      throw SubmissionRefusal(.route, code: "text", "The text has a control character that \(title) can not take.")
    }
    guard let call = submit.call(values, kinds: settingKinds) else {
      throw SubmissionRefusal(.carrier, code: "setting", "The carrier's profile needs a value that is not there.")
    }
    return call
  }

  private func check(sender: String?, kind: SenderKind?) throws(SubmissionRefusal) {
    let rule = limits.sender
    guard let sender, let kind else {
      guard !rule.isRequired else {
        throw SubmissionRefusal(.route, code: "sender", "\(title) needs a sender, and the message has none.")
      }
      return
    }
    guard sender.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      throw SubmissionRefusal(.route, code: "sender", "The sender has characters that carriers do not take.")
    }
    switch kind {
    case .letters:
      guard rule.letters > 0 else {
        throw SubmissionRefusal(.route, code: "sender", "\(title) takes numbers only as a sender.")
      }
      guard sender.utf8.count <= rule.letters else {
        throw SubmissionRefusal(
          .route, code: "sender", "The sender has more than the \(rule.letters) characters that \(title) takes.")
      }
    case .international, .short:
      guard sender.withoutPlus.utf8.count <= rule.digits else {
        throw SubmissionRefusal(
          .route, code: "sender", "The sender has more than the \(rule.digits) digits that \(title) takes.")
      }
    }
  }

  private static func isUnfitForXML(_ octet: UInt8) -> Bool {
    octet < 0x20 && octet != 0x09 && octet != 0x0A && octet != 0x0D
  }

  /// What the carrier's answer means. An answer that no rule of the profile reads is uncertain, never accepted.
  ///
  /// - Parameter retryAfter: what the answer's `Retry-After` says, for a carrier that was sent too much.
  package func outcome(
    status: Int, body: [UInt8], retryAfter: Duration? = nil, for submission: Submission
  ) -> SubmitOutcome {
    var answer = CarrierAnswer(status: status, body: body, message: submission.plan.text)
    for rule in answers {
      guard let outcome = rule.outcome(&answer, identifiers) else { continue }
      if case .throttled(let code, let sentence, let own) = outcome, let retryAfter {
        return .throttled(code: code, sentence: sentence, retryAfter: max(retryAfter, own ?? .zero))
      }
      return outcome
    }
    return .uncertain(
      code: "HTTP \(status)",
      sentence: "The carrier's answer is not one that its profile knows: \"\(answer.shown(answer.body))\".")
  }
}
