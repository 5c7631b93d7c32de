import Delivery
import Testing

struct RouteTableTests {
  func candidates(_ carriers: [RouteTable.Carrier], for address: String = "+358401112223", fixed: Int? = nil) -> [Int] {
    RouteTable(carriers).candidates(for: address, on: .sms, fixed: fixed)
  }

  @Test func theLongestPrefixGoesFirst() {
    let carriers = [
      carrier(1, rank: 1), carrier(2, rank: 9, prefixes: ["+358"]), carrier(3, rank: 5, prefixes: ["+35840", "+44"]),
    ]
    #expect(candidates(carriers) == [3, 2, 1])
    #expect(candidates(carriers, for: "+358501112223") == [2, 1])
    #expect(candidates(carriers, for: "+447700900123") == [3, 1])
    #expect(candidates(carriers, for: "+12025550123") == [1])
  }

  @Test func amongEqualsTheLowerRankAndThenTheOlderOne() {
    #expect(candidates([carrier(3, rank: 2), carrier(1, rank: 2), carrier(2, rank: 1)]) == [2, 1, 3])
  }

  @Test func theLongestOfOneCarriersOwnPrefixesCounts() {
    #expect(candidates([carrier(1, prefixes: ["+3584"]), carrier(2, prefixes: ["+3", "+35840"])]) == [2, 1])
  }

  @Test func aDisabledCarrierTakesNothing() {
    #expect(candidates([carrier(1, enabled: false), carrier(2)]) == [2])
    #expect(candidates([carrier(1, enabled: false)], fixed: 1) == [])
  }

  @Test func theSendersChoiceIsTheOnlyOne() {
    let carriers = [carrier(1), carrier(2, prefixes: ["+44"])]
    #expect(candidates(carriers, fixed: 1) == [1])
    // Also where it would not have been chosen.
    #expect(candidates(carriers, fixed: 2) == [2])
    #expect(candidates(carriers, fixed: 7) == [])
  }

  @Test func nobodyServesAnUnknownPlace() {
    #expect(candidates([carrier(1, prefixes: ["+44"])]) == [])
    #expect(candidates([]) == [])
  }
}
