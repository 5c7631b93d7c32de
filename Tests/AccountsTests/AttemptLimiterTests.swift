import Accounts
import Contract
import Testing

struct AttemptLimiterTests {
  private static let start = Instant(milliseconds: 1_767_225_600_000)

  private func tries(_ limiter: AttemptLimiter, from address: String, for account: String?, at now: Instant = start)
    -> Int
  {
    (0..<30).prefix { _ in limiter.mayTry(from: address, for: account, at: now) }.count
  }

  @Test func tenAttemptsFromAnAddress() {
    let limiter = AttemptLimiter()
    #expect(tries(limiter, from: "192.0.2.1", for: nil) == 10)
    #expect(!limiter.mayTry(from: "192.0.2.1", for: "+358401234567", at: Self.start + .seconds(599)))
    #expect(limiter.mayTry(from: "192.0.2.2", for: "+358401234567", at: Self.start))
    #expect(tries(limiter, from: "192.0.2.1", for: nil, at: Self.start + .seconds(600)) == 10)
  }

  @Test func tenAttemptsForAnAccountFromAnywhere() {
    let limiter = AttemptLimiter()
    for number in 0..<10 { #expect(limiter.mayTry(from: "192.0.2.\(number)", for: "+358401234567", at: Self.start)) }
    #expect(!limiter.mayTry(from: "198.51.100.1", for: "+358401234567", at: Self.start))
    #expect(limiter.mayTry(from: "198.51.100.1", for: "+358407654321", at: Self.start))
  }

  @Test func anAddressThatIsStoppedLocksNobodyElseOut() {
    let limiter = AttemptLimiter()
    _ = tries(limiter, from: "192.0.2.1", for: nil)
    for number in 0..<50_000 { _ = limiter.mayTry(from: "192.0.2.1", for: "made up \(number)", at: Self.start) }
    for _ in 0..<20 { _ = limiter.mayTry(from: "192.0.2.1", for: "+358401234567", at: Self.start) }
    #expect(limiter.mayTry(from: "192.0.2.2", for: "+358401234567", at: Self.start))
  }

  @Test func theRightPasswordForgivesTheAccountAndNotTheAddress() {
    let limiter = AttemptLimiter()
    for _ in 0..<9 { _ = limiter.mayTry(from: "192.0.2.1", for: "a", at: Self.start) }
    #expect(limiter.mayTry(from: "192.0.2.1", for: "a", at: Self.start))
    limiter.succeeded(from: "192.0.2.1", for: "a")
    #expect(limiter.mayTry(from: "192.0.2.1", for: "b", at: Self.start))
    #expect(!limiter.mayTry(from: "192.0.2.1", for: "b", at: Self.start))
    #expect(tries(limiter, from: "192.0.2.2", for: "a") == 10)
  }

  @Test func aNetworkOfIPv6CountsAsOneAddress() {
    let limiter = AttemptLimiter()
    for number in 0..<10 { #expect(limiter.mayTry(from: "2001:db8:1:2::\(number)", for: nil, at: Self.start)) }
    #expect(!limiter.mayTry(from: "2001:db8:1:2:ffff:1:2:3", for: nil, at: Self.start))
    #expect(limiter.mayTry(from: "2001:db8:1:3::1", for: nil, at: Self.start))
    // IPv4 as IPv6 writes it stays apart.
    #expect(tries(limiter, from: "::ffff:192.0.2.1", for: nil) == 10)
    #expect(limiter.mayTry(from: "::ffff:192.0.2.2", for: nil, at: Self.start))
  }

  @Test func aFloodOfAddressesFindsAnEnd() {
    let limiter = AttemptLimiter()
    let allowed = (0..<30_000).filter { limiter.mayTry(from: "10.0.\($0 / 256).\($0 % 256)", for: nil, at: Self.start) }
    #expect(allowed.count == 20_000)
    #expect(limiter.mayTry(from: "192.0.2.1", for: nil, at: Self.start + .seconds(600)))
  }
}
