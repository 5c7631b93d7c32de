import Contract
import HTTPSMS
import Runtime
import Testing

@testable import Sandbox

@Suite struct WorldPartTests {
  @Test func theAgendaGoesByTimeAndThenByOrder() {
    var agenda = Agenda<Int>()
    var random = SeededRandom(seed: 5)
    let dues = (0..<500).map { _ in Instant(milliseconds: Int64(random.next() % 50)) }
    for (number, due) in dues.enumerated() { agenda.add(number, at: due) }
    var taken: [Int] = []
    while let (number, _) = agenda.takeDue(at: Instant(milliseconds: 100)) { taken.append(number) }
    #expect(taken == dues.indices.sorted { (dues[$0], $0) < (dues[$1], $1) })
    agenda.add(1, at: Instant(milliseconds: 5))
    #expect(agenda.takeDue(at: Instant(milliseconds: 4)) == nil && agenda.nextDue == Instant(milliseconds: 5))
  }

  @Test func aRingIsFirstInFirstOut() {
    var ring = Ring<Int>()
    var model: [Int] = []
    var random = SeededRandom(seed: 6)
    for number in 0..<5000 {
      if random.next() % 5 < 3 {
        ring.append(number)
        model.append(number)
      } else {
        #expect(ring.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(ring.count == model.count && ring.first == model.first && ring.last == model.last)
    }
    #expect(ring.prefix(3) == Array(model.prefix(3)) && ring.suffix(.max) == model)
  }

  @Test func pushesOfAPhoneKeepTheirOrderThroughEveryFailure() throws {
    let phone = try #require(PhoneNumber("358400000001"))
    var lanes = PushLanes(carriers: 1)
    var random = SeededRandom(seed: 7)
    var told: [String] = []
    var added = 0
    while told.count < 500 {
      if added < 500, random.next() % 2 == 0 {
        let receipt = HTTPSMSReceipt(
          id: UInt64(added + 1), source: nil, destination: phone.digits, status: .delivered,
          at: Instant(milliseconds: 0))
        lanes.add(PushItem(content: .httpsms(.receipt(receipt)), phone: phone), carrier: 0)
        added += 1
      }
      guard let (lane, items) = lanes.take() else { continue }
      #expect(!lanes.canTake)
      // Four failures in a row are the most that chance brings here; the lane gives up after ten.
      let succeeded = random.next() % 4 != 0
      switch lanes.settle(lane, succeeded: succeeded) {
      case .done: told += items.map { "\($0.content)" }
      case .retry: lanes.resume(lane)
      case .gaveUp: Issue.record("The lane gave up too early.")
      }
    }
    #expect(told.count == 500 && Set(told).count == 500 && lanes.count == 0)
    let ids = told.compactMap { $0.firstMatch(of: /id: (\d+)/).flatMap { Int($0.1) } }
    #expect(ids == Array(1...500))
  }

  @Test func aBucketFillsWithTimeAndHoldsASecond() {
    let start = Instant(milliseconds: 0)
    var bucket = TokenBucket(perSecond: 10, now: start)
    let grants = (0..<12).map { _ in bucket.take(1, at: start) }
    #expect(grants == Array(repeating: true, count: 10) + [false, false])
    let later = [(1, 100), (1, 150), (1000, 60_000), (1, 0)].map { count, at in
      bucket.take(count, at: start + .milliseconds(at))
    }
    // More than fits is granted when the bucket is full, and time that goes back gives nothing.
    #expect(later == [true, false, true, false])
  }

  @Test func answersTakeTheTextInPlaceOfTheWord() {
    #expect(PhoneBehaviour(answers: "{text}").answer(to: "{text}") == "{text}")
    #expect(PhoneBehaviour(answers: "a{text}b{text}").answer(to: "-") == "a-b-")
    #expect(PhoneBehaviour(answers: "Yes").answer(to: "?") == "Yes")
    #expect(PhoneBehaviour().answer(to: "?") == nil)
  }

  @Test(arguments: [
    "", "+", "123456", "0123456789", "+0123456789", "1234567890123456", "12345a7", "++1234567", "１２３４５６７",
  ])
  func whatIsNoPhoneNumberIsNone(text: String) { #expect(PhoneNumber(text) == nil) }
}
