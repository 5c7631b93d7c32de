package import Contract

extension CarrierProfile {
  /// Reads what the carrier sent to the callback address. That the call is the carrier's own is the address's secret.
  ///
  /// - Parameter settings: for the carrier's time zone, where that is one of them.
  package func readCallback(
    _ callback: Callback, settings: [String: String] = [:], now: Instant
  ) -> CallbackReading {
    guard let incoming, let push = incoming.push else {
      return refused("This carrier sends nothing here.", status: 404)
    }
    guard push.methods.contains(callback.method.uppercased()) else {
      return refused("The carrier's calls come with \(push.methods.joined(separator: " or ")).", status: 405)
    }
    let cut: IncomingReader.Cut
    do {
      cut = try incoming.reader.cut(callback, by: push.source)
    } catch {
      return refused(error.sentence, status: 400)
    }
    var reading = CallbackReading(answer: push.answer)
    incoming.reader.read(cut, settings: effective(settings), now: now, into: &reading)
    if reading.refusal != nil { reading.answer = Self.refusal(status: 400) }
    return reading
  }

  /// The request that asks the carrier for receipts and messages; nil when it can not be asked, or its settings are
  /// not complete.
  package func pollCall(settings given: [String: String]) -> CarrierCall? {
    guard let poll = incoming?.poll, problems(withSettings: given).isEmpty else { return nil }
    return poll.request.call(SlotValues(settings: effective(given), submission: nil), kinds: settingKinds)
  }

  /// Reads the answer to `pollCall`. The reading's own answer means nothing here.
  package func readPoll(
    status: Int, body: [UInt8], settings: [String: String] = [:], now: Instant
  ) -> CallbackReading {
    guard let incoming, let poll = incoming.poll else { return refused("This carrier can not be asked.", status: 404) }
    guard (200...299).contains(status) else {
      return refused(pollFailure(status: status, body: body), status: 502)
    }
    let cut: IncomingReader.Cut
    do {
      cut = try incoming.reader.cut(Callback(method: "GET", body: body), by: poll.source)
    } catch {
      return refused(error.sentence, status: 502)
    }
    var reading = CallbackReading(answer: CallbackAnswer(status: 200))
    incoming.reader.read(cut, settings: effective(settings), now: now, into: &reading)
    if let full = poll.full, cut.records.count >= full { reading.mayHaveMore = true }
    return reading
  }

  /// The rules for answers to submissions know the carrier's errors.
  private func pollFailure(status: Int, body: [UInt8]) -> String {
    var answer = CarrierAnswer(status: status, body: body)
    for rule in answers {
      switch rule.outcome(&answer, identifiers) {
      case .refused(_, _, let sentence), .throttled(_, let sentence, _), .unavailable(_, let sentence): return sentence
      case .accepted, .uncertain, nil: continue
      }
    }
    return "The carrier answered HTTP \(status)."
  }

  private func refused(_ sentence: String, status: Int) -> CallbackReading {
    var reading = CallbackReading(answer: Self.refusal(status: status))
    reading.refusal = sentence
    return reading
  }

  private static func refusal(status: Int) -> CallbackAnswer {
    CallbackAnswer(status: status, body: Array("NOT UNDERSTOOD".utf8))
  }
}
