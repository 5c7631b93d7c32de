import Contract
import Delivery
import Testing

/// Every arrow of the life, from every state: those that exist go where they should, all others change nothing.
struct LifeTests {
  static let expires = Instant.after(3600)
  static let limit = Instant.after(120)

  enum Step: CaseIterable, Sendable {
    case start, startBehind, lease, submit, retry, hold, reject, expire, cancel, callBack, giveUp
    case reportedDelivered, reportedFailed, reportedRejected, reportedExpired, reportedBuffered, reportedUnknown
  }

  static func life(_ state: DeliveryState) -> Life {
    Life(state: state, due: state.isFinal ? nil : .start, attempt: 1, expires: expires)
  }

  /// - Returns: what the step said, where it says something.
  static func take(_ step: Step, _ life: inout Life) -> Bool? {
    switch step {
    case .start: life.start(at: .after(1), behind: false)
    case .startBehind: life.start(at: .after(1), behind: true)
    case .lease: return life.lease(at: .after(1), until: limit)
    case .submit: life.submit(awaitingReceiptUntil: limit)
    case .retry: life.retry(at: .after(9))
    case .hold: life.hold()
    case .reject: life.reject()
    case .expire: life.expire()
    case .cancel: return life.cancel()
    case .callBack: life.callBack()
    case .giveUp: life.giveUpWaiting()
    case .reportedDelivered: return life.receive(.delivered)
    case .reportedFailed: return life.receive(.failed)
    case .reportedRejected: return life.receive(.rejected)
    case .reportedExpired: return life.receive(.expired)
    case .reportedBuffered: return life.receive(.buffered)
    case .reportedUnknown: return life.receive(.unknown)
    }
    return nil
  }

  /// The diagram, as (from, step) → to and when it is due then.
  static func expected(_ from: DeliveryState, _ step: Step) -> (to: DeliveryState, due: Instant?)? {
    switch (from, step) {
    case (.scheduled, .start): (.queued, .after(1))
    case (.scheduled, .startBehind): (.queued, nil)
    case (.queued, .lease): (.leased, limit)
    case (.leased, .submit): (.submitted, limit)
    case (.leased, .retry), (.held, .retry): (.queued, .after(9))
    case (.leased, .hold): (.held, nil)
    case (.leased, .reject): (.rejected, nil)
    case (.queued, .expire), (.scheduled, .expire), (.held, .expire): (.expired, nil)
    case (.queued, .cancel), (.scheduled, .cancel), (.held, .cancel): (.cancelled, nil)
    case (.leased, .callBack): (.cancelled, nil)
    case (.leased, .giveUp), (.submitted, .giveUp): (.unknown, nil)
    case (.delivered, .reportedDelivered): nil
    case (_, .reportedDelivered): (.delivered, nil)
    case (.submitted, .reportedFailed), (.unknown, .reportedFailed): (.undeliverable, nil)
    case (.submitted, .reportedRejected), (.unknown, .reportedRejected): (.undeliverable, nil)
    case (.submitted, .reportedExpired), (.unknown, .reportedExpired): (.expired, nil)
    default: nil
    }
  }

  @Test("Each step goes where the diagram says, and nowhere else", arguments: DeliveryState.allCases)
  func arrows(from state: DeliveryState) {
    for step in Step.allCases {
      var life = Self.life(state)
      let said = Self.take(step, &life)
      if let expected = Self.expected(state, step) {
        #expect(life.state == expected.to, "\(state) \(step)")
        #expect(life.due == expected.due, "\(state) \(step)")
        #expect(life.attempt == (step == .lease ? 2 : 1), "\(state) \(step)")
        #expect(said != false, "\(state) \(step)")
      } else {
        #expect(life == Self.life(state), "\(state) \(step)")
        #expect(said != true, "\(state) \(step)")
      }
    }
  }

  @Test func whatIsAcceptedForLaterWaitsForItsTime() {
    let life = Life.accepted(at: .start, notBefore: .after(60), expires: Self.expires, behind: true)
    #expect(life == Life(state: .scheduled, due: .after(60), attempt: 0, expires: Self.expires))
    let past = Life.accepted(at: .start, notBefore: .start, expires: Self.expires, behind: false)
    #expect(past == Life(state: .queued, due: .start, attempt: 0, expires: Self.expires))
  }

  @Test func whatIsBehindAnotherIsNotDue() {
    let life = Life.accepted(at: .start, notBefore: nil, expires: Self.expires, behind: true)
    #expect(life == Life(state: .queued, due: nil, attempt: 0, expires: Self.expires))
  }

  @Test func whatHasRunOutIsNotLeased() {
    for late in [Self.expires, Self.expires + .seconds(1)] {
      var life = Self.life(.queued)
      let leased = life.lease(at: late, until: late + .seconds(120))
      #expect(!leased)
      #expect(life == Self.life(.queued))
    }
  }

  @Test func theStoredNumbersNeverChange() {
    let states: [DeliveryState: Int] = [
      .scheduled: 0, .queued: 1, .leased: 2, .submitted: 3, .held: 4, .delivered: 10, .rejected: 11,
      .undeliverable: 12, .expired: 13, .cancelled: 14, .unknown: 15,
    ]
    #expect(Dictionary(uniqueKeysWithValues: DeliveryState.allCases.map { ($0, $0.rawValue) }) == states)
    #expect(DeliveryState.allCases.filter(\.isFinal).map(\.rawValue) == [10, 11, 12, 13, 14, 15])
    #expect(DeliveryClass.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(DeliveryClass.allCases.map(\.name) == ["code", "alarm", "normal", "bulk"])
    #expect(DeliveryClass(name: "alarm") == .alarm)
    #expect(DeliveryClass(name: "urgent") == nil)
    #expect(DeliveryClass.code < .bulk)
    #expect(
      (1...6).map { ReceiptStatus(rawValue: $0)?.name } == [
        "delivered", "buffered", "failed", "expired", "rejected", "unknown",
      ])
    #expect(
      (1...5).map { AttemptOutcome.Kind(rawValue: $0)?.name } == [
        "accepted", "refused", "throttled", "unavailable", "uncertain",
      ])
  }
}

struct LaneTests {
  /// FNV-1a of 64 bits has published values: offset basis for nothing, and 0xaf63dc4c8601ec8c for "a"
  /// (draft-eastlake-fnv, appendix C). A lane puts the channel's byte in front.
  @Test func lanesAreFNV1a() {
    func fnv(_ bytes: [UInt8]) -> UInt64 {
      bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
    #expect(fnv([]) == 0xcbf2_9ce4_8422_2325)
    #expect(fnv(Array("a".utf8)) == 0xaf63_dc4c_8601_ec8c)
    #expect(fnv(Array("foobar".utf8)) == 0x8594_4171_f739_67e8)
    for address in ["", "+358401112223", "+12025550123"] {
      #expect(Lane.of(.sms, address) == Int(fnv([1] + Array(address.utf8)) % 1024))
    }
  }

  /// Stored in rows: they may never change.
  @Test func lanesStay() {
    #expect(["", "+358401112223", "+12025550123"].map { Lane.of(.sms, $0) } == [556, 479, 17])
  }

  @Test func lanesAreSpreadEvenly() {
    var counts = [Int](repeating: 0, count: Lane.count)
    for number in 0..<102_400 { counts[Lane.of(.sms, "+35840\(1_000_000 + number)")] += 1 }
    #expect(counts.allSatisfy { (40...180).contains($0) })
  }
}
