import Contract
import Testing

@testable import Torture

/// The judge of the torture run finds each kind of fault, and nothing where there is none.
@Suite struct VerdictTests {
  private static let start = Instant(milliseconds: 1_800_000_000_000)
  private static let clock = ContinuousClock.now

  /// Three messages to one number, the second of which went out twice after an uncertain attempt.
  private func evidence() -> Evidence {
    var evidence = Evidence(
      accepted: [], surprises: [], messages: [], timelines: [:], events: EventFollower.Seen(), ledger: [], phones: [:])
    for number in 0..<3 {
      let id = "msg_\(number)"
      let came = Self.start + .milliseconds(Int64(number * 1000))
      evidence.accepted.append(
        Accepted(
          id: id, name: "\(number)", text: "text \(number)", address: "+358401000000", deliveryClass: "normal",
          began: Self.clock + .seconds(number), answered: Self.clock + .seconds(number) + .milliseconds(500),
          requests: 1))
      evidence.messages.append(Account.Message(id: id, state: "delivered", reference: nil, to: "+358401000000"))
      evidence.timelines[id] = [
        Account.Step(at: came, event: "attempt", attempt: 1, detail: nil),
        Account.Step(at: came, event: "submitted", attempt: 1, detail: nil),
      ]
      evidence.ledger.append(copy(number, at: came))
      evidence.events.sequences.append(Int64(number + 1))
      evidence.events.finals[id] = 1
    }
    evidence.timelines["msg_1"]?.insert(
      Account.Step(at: Self.start + .milliseconds(1200), event: "uncertain", attempt: 1, detail: nil), at: 1)
    evidence.ledger.insert(copy(1, at: Self.start + .milliseconds(1300), id: "again"), at: 2)
    evidence.phones = ["+358401000000": Set(evidence.ledger.map(\.id))]
    return evidence
  }

  private func copy(_ number: Int, at: Instant, id: String? = nil, text: String? = nil) -> Copy {
    Copy(
      carrier: "fast", id: id ?? "c\(number)", at: at, to: "+358401000000", text: text ?? "text \(number)",
      reference: nil)
  }

  /// The sentences of the checks that fail after `tamper`.
  private func problems(_ tamper: (inout Evidence) -> Void) -> [String] {
    var evidence = evidence()
    tamper(&evidence)
    return Verdict(evidence).problems
  }

  private func finds(_ sentence: String, _ tamper: (inout Evidence) -> Void) {
    let problems = problems(tamper)
    #expect(problems.contains { $0.hasPrefix(sentence) }, "\(sentence): \(problems)")
  }

  @Test func findsNothingWhereAllIsWell() {
    let verdict = Verdict(evidence())
    #expect(verdict.problems == [])
    #expect(verdict.checks == 12)
  }

  @Test func findsALostMessage() {
    finds("Nothing accepted is lost") { $0.ledger.removeAll { $0.text == "text 2" } }
    finds("Nothing is shown as delivered") { $0.ledger.removeAll { $0.text == "text 2" } }
    // Given up honestly.
    #expect(
      problems { evidence in
        evidence.ledger.removeAll { $0.text == "text 2" }
        evidence.phones = ["+358401000000": Set(evidence.ledger.map(\.id))]
        evidence.messages[2] = Account.Message(id: "msg_2", state: "unknown", reference: nil, to: "+358401000000")
        evidence.timelines["msg_2"] = (0..<3).map {
          Account.Step(at: Self.start, event: "uncertain", attempt: $0, detail: nil)
        }
      } == [])
  }

  @Test func findsADoubleWithoutAnUncertainAttemptBeforeIt() {
    finds("Nothing goes out again") { $0.timelines["msg_1"]?.removeAll { $0.event == "uncertain" } }
    // Recorded too late to be the reason.
    finds("Nothing goes out again") { evidence in
      evidence.timelines["msg_1"]?.removeAll { $0.event == "uncertain" }
      evidence.timelines["msg_1"]?.append(
        Account.Step(at: Self.start + .seconds(60), event: "uncertain", attempt: 1, detail: nil))
    }
    finds("Nothing goes out again") { $0.ledger.append(copy(0, at: Self.start + .seconds(9), id: "third")) }
  }

  @Test func findsOneThatOvertookAnother() {
    finds("Order of account") { evidence in
      evidence.ledger = [
        copy(1, at: Self.start), copy(0, at: Self.start + .seconds(1)), copy(2, at: Self.start + .seconds(2)),
      ]
    }
    // What was asked for at the same time may go either way.
    #expect(
      problems { evidence in
        let first = evidence.accepted[0]
        evidence.accepted[0] = Accepted(
          id: first.id, name: first.name, text: first.text, address: first.address,
          deliveryClass: first.deliveryClass, began: first.began, answered: Self.clock + .seconds(60), requests: 2)
        evidence.ledger = [
          copy(1, at: Self.start), copy(0, at: Self.start + .seconds(1)), copy(2, at: Self.start + .seconds(2)),
        ]
        evidence.phones = ["+358401000000": ["c0", "c1", "c2"]]
      } == [])
  }

  @Test func findsWhatTheExchangeAndItsClientsDoNotAgreeOn() {
    finds("The exchange has exactly") { $0.messages.removeLast() }
    finds("The exchange has exactly") {
      $0.messages.append(Account.Message(id: "msg_9", state: "delivered", reference: nil, to: "+358401000000"))
    }
    finds("The exchange has exactly") { $0.messages.append($0.messages[0]) }
    finds("No carrier got a message") { $0.ledger.append(copy(7, at: Self.start, text: "Nobody's")) }
    finds("No client got an answer") { $0.surprises = ["a 500"] }
  }

  @Test func findsAMessageWithoutAnEnd() {
    finds("Every message ends") {
      $0.messages[0] = Account.Message(id: "msg_0", state: "submitted", reference: nil, to: "+358401000000")
    }
    finds("Each message's end") { $0.events.finals["msg_0"] = nil }
    finds("Each message has at most one attempt") { evidence in
      evidence.timelines["msg_0"]?.append(Account.Step(at: Self.start, event: "submitted", attempt: 2, detail: nil))
    }
  }

  @Test func findsAGapADoubleAndAResetInTheStream() {
    finds("The event stream") { $0.events.sequences = [1, 3] }
    finds("The event stream") { $0.events.sequences = [1, 2, 2, 3] }
    finds("The event stream") { $0.events.sequences = [2, 3] }
    finds("The event stream") { $0.events.resets = 1 }
  }

  @Test func findsWhatAPhoneShowsAndNoLedgerHas() {
    finds("The phones have") { $0.phones["+358401000000"]?.insert("x") }
    finds("The phones have") { $0.phones["+358401000000"]?.remove("c0") }
  }
}
