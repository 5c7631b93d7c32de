import Contract

/// How soon a number gets its next code.
enum CodePace {
  private static let waits: [Duration] = [.seconds(30), .seconds(60), .seconds(120), .seconds(300)]
  private static let most: [(count: Int, window: Duration)] = [(3, .seconds(600)), (5, .seconds(24 * 3600))]

  /// All that it has to know: as many as the largest limit, for as long as its window.
  static let rule = LimitStore.Rule(kind: .sends, most: 5, window: .seconds(24 * 3600))

  /// When the next may go.
  /// - Parameter sent: when the codes of the last day were sent, the oldest first.
  static func next(after sent: [Instant]) -> Instant? {
    guard let last = sent.last else { return nil }
    var next = last + waits[min(sent.count, waits.count) - 1]
    for (count, window) in most where sent.count >= count { next = max(next, sent[sent.count - count] + window) }
    return next
  }
}
