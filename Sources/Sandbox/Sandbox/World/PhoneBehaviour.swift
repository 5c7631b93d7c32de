/// What a phone does by itself.
struct PhoneBehaviour: Sendable, Equatable {
  /// What becomes of a text that is sent to the phone.
  enum Receipt: String, Sendable, CaseIterable {
    case delivered
    /// The phone does not get it; the receipt says so at once.
    case failed
    /// The phone is out of reach: it does not get it, and the receipt comes when the text's validity is over.
    case expired
    /// The phone gets it, and nobody hears of that.
    case none
  }

  var receipt = Receipt.delivered
  /// What it answers, with the text that it got in place of `{text}`; nil for no answer.
  var answers: String?
  var answerDelay: Duration = .zero

  /// Characters of an answer; what is beyond is cut, so that two that answer each other do not grow for ever.
  static let answerLimit = 1000

  func answer(to text: String) -> String? {
    guard let answers else { return nil }
    let answer = answers.split(separator: "{text}", omittingEmptySubsequences: false).joined(separator: text)
    return answer.count > Self.answerLimit ? String(answer.prefix(Self.answerLimit - 1)) + "…" : answer
  }
}
