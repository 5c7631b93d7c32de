import Network
import Testing

@Suite struct TimerWheelTests {
  @Test func givesBackWhatIsDueInOrderAndNothingBefore() {
    var wheel = TimerWheel<String>(now: 1000)
    #expect(wheel.next == nil)
    #expect(wheel.insert("b", at: 1055) == 1060)
    #expect(wheel.insert("a", at: 1050) == 1050)
    #expect(wheel.next == 1050)
    #expect(wheel.advance(to: 1049).isEmpty)
    #expect(wheel.advance(to: 1050).map(\.element) == ["a"])
    #expect(wheel.next == 1060)
    #expect(wheel.advance(to: 2000).map(\.element) == ["b"])
    #expect(wheel.next == nil)
  }

  @Test func whatIsPastComesWithTheNextTick() {
    var wheel = TimerWheel<Int>(now: 500)
    #expect(wheel.insert(1, at: 0) == 510)
    #expect(wheel.advance(to: 510).map(\.element) == [1])
  }

  @Test func whatIsFarAwayComesBackAtTheEndOfTheRing() {
    var wheel = TimerWheel<Int>(now: 0)
    let end = wheel.insert(1, at: 60_000)
    #expect(end == 10_230)
    #expect(wheel.next == end)
    let back = wheel.advance(to: end)
    #expect(back.map(\.time) == [end])
    #expect(wheel.insert(1, at: 60_000) == 20_460)
  }

  @Test func aLongSleepLosesNothing() {
    var wheel = TimerWheel<Int>(now: 0)
    for index in 0..<1023 { _ = wheel.insert(index, at: Int64(index + 1) * 10) }
    let due = wheel.advance(to: 1_000_000)
    #expect(due.map(\.element) == Array(0..<1023))
    #expect(due.map(\.time) == (1...1023).map { Int64($0) * 10 })
    #expect(wheel.next == nil)
    #expect(wheel.insert(7, at: 1_000_005) == 1_000_010)
    #expect(wheel.next == 1_000_010)
  }

  @Test func knowsTheNextTimeFromEveryPosition() {
    for start in stride(from: Int64(0), to: 20_480, by: 130) {
      var wheel = TimerWheel<Int>(now: start)
      for distance in [Int64(10), 630, 640, 650, 10_230] {
        #expect(wheel.insert(0, at: start + distance) == start + distance)
        #expect(wheel.next == start + distance)
        #expect(wheel.advance(to: start + distance).count == 1)
        wheel = TimerWheel<Int>(now: start)
      }
    }
  }
}
