import Accounts
import Contract
import Database
import Exchange
import Formats
import Network
import Runtime
import Testing

/// What attackers try.
struct SignUpLimitTests {
  private static let day: Duration = .seconds(24 * 3600)

  /// Asks as soon as it is let, and says after how many seconds each code went.
  @Test func aNumberWaitsLongerEachTimeAndGetsFiveADay() async throws {
    let bench = try Bench()
    var sent: [Int64] = []
    while bench.clock.now < Bench.start + Self.day {
      let answer = await bench.ask(from: "192.0.2.\(sent.count)")
      if answer.status == 202 {
        sent.append((bench.clock.now - Bench.start).inMilliseconds / 1000)
        let resend = try #require(answer.json["resendAt"]?.string.flatMap { Instant($0) })
        bench.clock.advance(to: resend - .milliseconds(1))
        #expect(await bench.ask(from: "198.51.100.1").status == 429)
        bench.clock.advance(to: resend)
      } else {
        bench.clock.advance(by: .seconds(try #require(answer.retryAfter)))
      }
    }
    // After 30 s, then 60 s; the fourth waits for the first to be ten minutes old, the fifth five minutes more.
    #expect(sent == [0, 30, 90, 600, 900])
    #expect(await bench.ask(from: "192.0.2.99").status == 202)
    #expect(await bench.ask("+358401234568", from: "192.0.2.98").status == 202)
  }

  @Test func aNumberThatAttackersChooseCanNotBeGuessedMoreThanTenTimesADay() async throws {
    let bench = try Bench()
    var guesses = 0
    var right = 0
    for turn in 0..<400 {
      let asked = await bench.ask(from: "10.\(turn / 200).\(turn % 200).1")
      if let id = asked.json["id"]?.string {
        let code = try await bench.code()
        for number in 0..<20 {
          // A whole botnet guesses, in turns.
          let answer = await bench.check(id, bench.wrong(code), from: "172.16.\(turn % 250).\(number)")
          if answer.code == "code-wrong" { guesses += 1 }
          if answer.status == 204 { right += 1 }
        }
        if guesses >= 10 {
          #expect(await bench.check(id, code, from: "203.0.113.5").status != 204, "the right one is refused then too")
          #expect(await bench.verify(id, code, from: "203.0.113.5").status != 201)
        }
      }
      bench.clock.advance(by: .seconds(200))
    }
    #expect(bench.clock.now < Bench.start + Self.day)
    #expect(guesses == 10)
    #expect(right == 0)
    let locked = await bench.ask(from: "192.0.2.200")
    #expect(locked.status == 429)
    // A day after the tenth guess it opens again.
    bench.clock.advance(by: Self.day)
    let again = await bench.ask(from: "192.0.2.201")
    #expect(again.status == 202)
    #expect(await bench.check(try again.id(), try await bench.code()).status == 204)
  }

  @Test func aCodeIsVoidAfterFiveWrongGuessesAndTheAnswersCountDown() async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    let code = try await bench.code()
    for left in ["4 tries left", "3 tries left", "2 tries left", "1 try left", "0 tries left"] {
      let answer = await bench.check(id, bench.wrong(code))
      #expect(answer.status == 422)
      #expect(answer.code == "code-wrong")
      #expect(answer.detail == left)
    }
    #expect(await bench.check(id, code).status == 410)
    #expect(await bench.verify(id, code).status == 410)
    bench.clock.advance(by: .seconds(30))
    let next = try await bench.ask().id()
    #expect(next != id)
    #expect(await bench.check(next, try await bench.code()).status == 204)
  }

  @Test func anAddressAsksTenTimesAnHourAndItsNetworkTwenty() async throws {
    let bench = try Bench()
    func ask(_ number: Int, from address: String) async -> Int {
      // Apart from each other, so that no range is full.
      await bench.ask("+35840\(1_000_000 + number * 10_007)", from: address).status
    }
    for number in 0..<10 { #expect(await ask(number, from: "192.0.2.1") == 202) }
    #expect(await ask(10, from: "192.0.2.1") == 429)
    #expect(await ask(11, from: "::ffff:192.0.2.1") == 429)
    for number in 12..<22 { #expect(await ask(number, from: "192.0.2.\(number)") == 202) }
    #expect(await ask(22, from: "192.0.2.77") == 429)
    #expect(await ask(23, from: "192.0.3.1") == 202)
    for number in 24..<34 { #expect(await ask(number, from: "2001:db8:1:2::\(number)") == 202) }
    #expect(await ask(34, from: "2001:db8:1:2:3:4:5:6") == 429)
    for number in 35..<45 { #expect(await ask(number, from: "2001:db8:1:\(number)::1") == 202) }
    #expect(await ask(45, from: "2001:db8:1:ffff::1") == 429)
    #expect(await ask(46, from: "2001:db8:2::1") == 202)
    bench.clock.advance(by: .seconds(3600))
    #expect(await ask(47, from: "192.0.2.1") == 202)
  }

  @Test func numbersInARowAreAskedForTwentyTimesADay() async throws {
    let bench = try Bench()
    for number in 0..<20 {
      #expect(await bench.ask("+35840123\(4000 + number)", from: "10.0.\(number).1").status == 202)
    }
    let refused = await bench.ask("+358401234999", from: "10.1.0.1")
    #expect(refused.status == 429)
    #expect(await bench.ask("+358401244999", from: "10.1.0.1").status == 202)
  }

  @Test func theDaysCodesHaveAnEndForEverybody() async throws {
    let bench = try Bench(SignUpPolicy(isOpen: true, region: "FI", countries: ["FI"], codesADay: 3))
    func ask(_ number: Int) async -> Bench.Answer {
      await bench.ask("+35840\(1_000_000 + number * 10_007)", from: "10.0.\(number).1")
    }
    for number in 0..<3 { #expect(await ask(number).status == 202) }
    bench.clock.advance(by: .seconds(3600))
    let refused = await ask(3)
    #expect(refused.status == 503)
    #expect(refused.code == "sign-up-paused")
    #expect(refused.retryAfter == 23 * 3600)
    #expect(try await bench.count("SELECT COUNT(*) FROM deliveries") == 3)
    bench.clock.advance(by: .seconds(23 * 3600))
    #expect(await ask(4).status == 202)
  }

  @Test func theDaysMoneyHasAnEndToo() async throws {
    let bench = try Bench(
      prices: PriceList(currency: "EUR", prefixes: ["": 50_000]), dailyCap: 100_000)
    for number in 0..<2 { #expect(await bench.ask("+35840111\(2000 + number)").status == 202) }
    let refused = await bench.ask("+358401112009")
    #expect(refused.code == "sign-up-paused")
    // Nothing of it was kept: it can be asked for when there is money again.
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_ups") == 2)
    #expect(try await bench.count("SELECT SUM(codes) FROM sign_up_days") == 2)
  }

  @Test func whereNoCarrierServesANumberNothingIsCounted() async throws {
    let bench = try Bench(carriers: [])
    #expect(await bench.ask().code == "no-carrier")
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_up_limits") == 0)
    #expect(await bench.call("GET", "/start").json["gateway"]?.bool == false)
  }

  @Test func countsSurviveARestart() async throws {
    let bench = try Bench()
    let id = try await bench.ask().id()
    let code = try await bench.code()
    for _ in 0..<4 { _ = await bench.check(id, bench.wrong(code)) }
    let after = try await bench.restarted()
    #expect(await after.ask().status == 429)
    #expect(await after.check(id, after.wrong(code)).detail == "0 tries left")
    #expect(await after.check(id, code).status == 410)
    // The same code is sent again by another process, where it still is one.
    let other = try await after.ask("+358401234999").id()
    let before = try await after.code("+358401234999")
    let later = try await after.restarted()
    later.clock.advance(by: .seconds(30))
    #expect(await later.ask("+358401234999").json["id"]?.string == other)
    #expect(try await later.code("+358401234999") == before)
  }

  @Test func whatNoLimitNeedsAnyMoreIsRemoved() async throws {
    let bench = try Bench()
    for number in 0..<5 { _ = await bench.ask("+35840\(1_000_000 + number * 10_007)", from: "10.0.\(number).1") }
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_up_limits") == 20)
    bench.clock.advance(by: .seconds(3600))
    try await prune(bench)
    // Addresses and networks.
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_up_limits") == 10)
    bench.clock.advance(by: .seconds(48 * 3600))
    try await prune(bench)
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_up_limits") == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_ups") == 0)
    #expect(try await bench.count("SELECT COUNT(*) FROM sign_up_days") == 0)
  }

  private func prune(_ bench: Bench) async throws {
    let now = bench.clock.now
    try await bench.database.transaction { [signUps = bench.signUps] tx in try signUps.prune(at: now, tx: tx) }
  }

  // MARK: Who has an account

  @Test func numbersWithAnAccountAndWithoutLookTheSame() async throws {
    let bench = try Bench()
    _ = try await bench.account()
    let known = await bench.ask(from: "192.0.2.1")
    let unknown = await bench.ask("+358401299999", from: "192.0.2.2")
    let robot = await bench.ask("+358401399999", from: "192.0.2.3", ",\"website\":\"http://spam.example\"")
    func shape(_ answer: Bench.Answer) -> [String] {
      let fields = answer.json.object?.map { "\($0.key) \($0.value.string?.count ?? 0)" } ?? []
      return ["\(answer.status)"] + fields + answer.response.headers.map { "\($0.name): \($0.value)" }
    }
    #expect(known.status == 202)
    #expect(shape(known) == shape(unknown))
    #expect(shape(known) == shape(robot))
    #expect(known.json["resendAt"] == robot.json["resendAt"])
    #expect(try await bench.texts().map { $0.count } == (try await bench.texts(to: "+358401299999")).map { $0.count })
    #expect(try await bench.texts(to: "+358401399999").isEmpty)
    // And so do the answers that follow.
    for answer in [known, unknown, robot] {
      let id = try answer.id()
      let phone = try #require(answer.json["phone"]?.string)
      let guess = bench.wrong(String(try await bench.texts(to: phone).first?.suffix(6) ?? "999999"))
      let wrong = await bench.verify(id, guess, from: "198.51.100.7")
      // One in a million would be the robot's own code.
      #expect(wrong.status == 422)
      #expect(wrong.code == "code-wrong")
      #expect(wrong.detail == "4 tries left")
      #expect(await bench.ask(phone, from: "198.51.100.8").status == 429)
    }
  }

  @Test func whoRobotsWroteForStillGetsACode() async throws {
    let bench = try Bench()
    _ = await bench.ask(Bench.aino, ",\"website\":\"x\"")
    #expect(try await bench.texts().isEmpty)
    bench.clock.advance(by: .seconds(30))
    let asked = await bench.ask()
    #expect(await bench.verify(try asked.id(), try await bench.code()).status == 201)
  }

  @Test func numbersAreKeptInTheCountsAsHashesOnly() async throws {
    let bench = try Bench()
    _ = await bench.ask()
    let subjects = try await bench.database.read { tx in
      try tx.all("SELECT subject FROM sign_up_limits", []) { $0.bytes(0) }
    }
    #expect(subjects.count == 4)
    for subject in subjects { #expect(subject.count == 16) }
    // And codes not at all.
    let code = Array(try await bench.code().utf8)
    let nonce = try await bench.database.read { tx in
      try tx.first("SELECT nonce FROM sign_ups", []) { $0.bytes(0) } ?? []
    }
    #expect(nonce.count == 32)
    #expect(nonce.firstRange(of: code) == nil)
  }
}
