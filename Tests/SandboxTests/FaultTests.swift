import Contract
import HTTPClient
import Network
import Runtime
import Sandbox
import Testing

@Suite struct FaultTests {
  private let to = "DA=358400000001&SA=358401111111&ST=1"

  @Test func aCarrierThatIsDownAnswersNothingOfItsOwn() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"down": true}"#)
      let answer = try await sandbox.httpsms("\(to)&M=Hi")
      #expect(answer.status == 503 && !answer.text.hasPrefix("ERR"))
      #expect(try await sandbox.ask("GET", "/ClientDR/ClientDR?UN=sandbox&P=sandbox").status == 503)
      #expect(try await sandbox.smsglobal("to=358400000001&from=Info&text=Hi").text.hasPrefix("OK: 0;"))
      #expect(try await sandbox.ledger("fast").isEmpty)
      try await sandbox.put("/carriers/fast/faults", "{}")
      #expect(try await sandbox.httpsms("\(to)&M=Hi").text.hasPrefix("OK "))
    }
  }

  @Test(arguments: [(#"{"silent": true}"#, 0), (#"{"silent": true, "silentTakes": true}"#, 1)])
  func aSilentCarrierNeverAnswersAndMayHaveTakenTheMessage(faults: String, taken: Int) async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", faults)
      let body = "S=H&UN=sandbox&P=sandbox&\(to)&M=Hi&DR=1"
      do {
        _ = try await sandbox.ask("POST", "/HTTPSMS", body, timeout: .milliseconds(200))
        Issue.record("It was answered.")
      } catch {
        #expect(error as? HTTPClientError == .uncertain(.timedOut))
      }
      #expect(try await sandbox.ledger("fast").count == taken)
      #expect(try await sandbox.messages(of: "358400000001").count == taken)
      // Whoever took it gives a receipt for it.
      #expect(try await sandbox.parts(taken).count == taken)
    }
  }

  @Test func aSilentCarrierThatStopsSaysNeitherYesNorNo() async throws {
    let asked = Lock<Task<HTTPClientError?, Never>?>(nil)
    let running = HTTPClient(.init(userAgent: "test"))
    let client = Task { try await running.run() }
    defer { client.cancel() }
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"silent": true, "silentTakes": true}"#)
      let request = OutgoingRequest(
        method: "GET", url: "\(sandbox.url)/HTTPSMS?S=H&UN=sandbox&P=sandbox&\(to)&M=Hi", allowsPrivateAddresses: true)
      asked.withLock {
        $0 = Task {
          do throws(HTTPClientError) {
            _ = try await running.send(request)
            return nil
          } catch { return error }
        }
      }
      try await waitUntil { try await sandbox.ledger("fast").count == 1 }
    }
    let task = try #require(asked.withLock { $0 })
    #expect(await task.value == .uncertain(.connectionLost))
  }

  @Test func refusalsCarryTheCarriersOwnCodes() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"refuse": {"code": -5, "share": 1}}"#)
      let answer = try await sandbox.httpsms("\(to)&M=Hi")
      #expect(answer.status == 402 && answer.text == "ERR -5")
      try await sandbox.put("/carriers/global/faults", #"{"refuse": {"code": 102, "share": 1}}"#)
      #expect(try await sandbox.smsglobal("to=358400000001&from=Info&text=Hi").text == "ERROR: 102\r\n")
      let unknown = try await sandbox.ask(
        "PUT", "/sandbox/carriers/fast/faults", #"{"refuse": {"code": -6, "share": 1}}"#)
      #expect(unknown.status == 422 && unknown.errorMessage.contains("refuse.code"))
      #expect(try await sandbox.ledger("fast").isEmpty)
    }
  }

  @Test func theSameSeedRefusesTheSameRequests() async throws {
    func refusals(seed: Int) async throws -> [Bool] {
      let outcome = Lock<[Bool]>([])
      try await withSandbox { (sandbox) async throws in
        try await sandbox.put("/carriers/fast/faults", #"{"refuse": {"code": -20, "share": 0.5}, "seed": \#(seed)}"#)
        for _ in 0..<40 {
          let isRefused = try await sandbox.httpsms("\(to)&M=Hi").text == "ERR -20"
          outcome.withLock { $0.append(isRefused) }
        }
      }
      return outcome.withLock { $0 }
    }
    let first = try await refusals(seed: 7)
    #expect(try await refusals(seed: 7) == first)
    #expect(try await refusals(seed: 8) != first)
    #expect((8...32).contains(first.count { $0 }))
  }

  @Test func moreThanTheThrottleAllowsIsRefusedUntilTimeHasPassed() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"throttle": {"perSecond": 2}}"#)
      for expected in ["OK", "OK", "ERR"] {
        #expect(try await sandbox.httpsms("\(to)&M=Hi").text.hasPrefix(expected))
      }
      let answer = try await sandbox.httpsms("\(to)&M=Hi")
      #expect(answer.status == 429 && answer.text == "ERR -30")
      sandbox.clock.advance(by: .milliseconds(500))
      #expect(try await sandbox.httpsms("\(to)&M=Hi").text.hasPrefix("OK "))
      #expect(try await sandbox.httpsms("\(to)&M=Hi").text == "ERR -30")
      try await sandbox.put("/carriers/global/faults", #"{"throttle": {"perSecond": 1}}"#)
      _ = try await sandbox.smsglobal("to=358400000001&from=Info&text=Hi")
      #expect(try await sandbox.smsglobal("to=358400000001&from=Info&text=Hi").text == "ERROR: 88\r\n")
    }
  }

  @Test func anAnswerWaitsForTheClock() async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"delayMs": 3000}"#)
      async let answer = sandbox.httpsms("\(to)&M=Hi&DR=1")
      try await waitUntil { try await sandbox.ledger("fast").count == 1 }
      #expect(sandbox.pushed.withLock { $0.isEmpty })
      try await sandbox.put("/clock", #"{"advanceMs": 3000}"#)
      #expect(try await answer.text.hasPrefix("OK "))
      #expect(try await sandbox.parts(1)[0].contains(":1767225603:"))
    }
  }

  @Test func lostReceiptsNeverCome() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"receipts": {"lost": 1}}"#)
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=1")
      try await sandbox.put("/clock", #"{"advanceMs": 86400000}"#)
      #expect(try await sandbox.poll() == "0#")
      #expect(try await sandbox.messages(of: "358400000001").count == 1)
    }
  }

  @Test func doubledReceiptsComeTwice() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"receipts": {"doubled": 1}}"#)
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=1")
      let parts = try await sandbox.poll().split(separator: "#")
      #expect(parts.count == 3 && parts[0] == "2" && parts[1] == parts[2])
    }
  }

  @Test func lateReceiptsComeWhenTheyAreDue() async throws {
    try await withSandbox(isPushing: false) { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"receipts": {"delayMs": 5000}}"#)
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=1")
      #expect(try await sandbox.poll() == "0#")
      // The machine's clock moves, not the sandbox's own.
      sandbox.clock.advance(by: .seconds(5))
      try await waitUntil { try await sandbox.poll().contains(":1767225605:") }
    }
  }

  @Test func shuffledReceiptsComeInAnotherOrderThatTheSeedRepeats() async throws {
    func order() async throws -> [String] {
      let outcome = Lock<[String]>([])
      try await withSandbox(isPushing: false) { (sandbox) async throws in
        try await sandbox.put("/carriers/fast/faults", #"{"receipts": {"shuffled": 1}, "seed": 3}"#)
        for number in 10..<30 { _ = try await sandbox.httpsms("DA=3584000000\(number)&SA=Info&M=Hi&DR=1") }
        try await sandbox.put("/clock", #"{"advanceMs": 1000}"#)
        let parts = try await sandbox.poll().split(separator: "#").dropFirst()
        outcome.withLock { $0 = parts.map { String($0.split(separator: ":")[2]) } }
      }
      return outcome.withLock { $0 }
    }
    let first = try await order()
    #expect(first.count == 20 && first != first.sorted())
    #expect(try await order() == first)
  }

  @Test(arguments: ["fast", "global"])
  func aReceiptMayBeThereBeforeTheAnswer(carrier: String) async throws {
    try await withSandbox { (sandbox) async throws in
      try await sandbox.put("/carriers/\(carrier)/faults", #"{"receipts": {"beforeAnswer": 1}}"#)
      for round in 1...5 {
        _ =
          carrier == "fast"
          ? try await sandbox.httpsms("\(to)&M=Hi&DR=1")
          : try await sandbox.smsglobal("to=358400000001&from=Info&text=Hi")
        #expect(sandbox.pushed.withLock { $0.count } == round)
      }
    }
  }

  @Test func anAnswerDoesNotWaitForEverForAReceiptThatNobodyTakes() async throws {
    try await withSandbox { (sandbox) async throws in
      let gate = Gate()
      sandbox.answer.withLock {
        $0 = { _ in
          await gate.wait()
          return HTTPResponse(text: "OK")
        }
      }
      try await sandbox.put("/carriers/fast/faults", #"{"receipts": {"beforeAnswer": 1}}"#)
      async let answer = sandbox.httpsms("\(to)&M=Hi&DR=1")
      try await waitUntil { try await sandbox.ledger("fast").count == 1 }
      try await sandbox.put("/clock", #"{"advanceMs": 5000}"#)
      #expect(try await answer.text.hasPrefix("OK "))
      gate.open()
    }
  }

  @Test func aClientThatIsAwayGetsEverythingLater() async throws {
    try await withSandbox { (sandbox) async throws in
      sandbox.answer.withLock { $0 = { _ in HTTPResponse(status: 500, text: "Not now") } }
      _ = try await sandbox.httpsms("\(to)&M=Hi&DR=1")
      // Ten tries in line, a minute in all.
      for count in 1...10 {
        _ = try await sandbox.pushes(count)
        try await waitUntil {
          try await sandbox.put("/clock", #"{"advanceMs": 10000}"#)
          return sandbox.pushed.withLock { $0.count } > count || count == 10
        }
      }
      sandbox.answer.withLock { $0 = { _ in HTTPResponse(text: "OK") } }
      try await sandbox.put("/clock", #"{"advanceMs": 1800000}"#)
      let forms = try await sandbox.pushes(11)
      #expect(Set(forms.compactMap { $0["INCOMING"] }).count == 1)
      try await waitUntil {
        let counts = try await sandbox.ask("GET", "/sandbox/carriers/fast").json.object("counts")
        return counts.number("told") == 1 && counts.number("toPush") == 0
      }
    }
  }

  @Test func aCarrierTakesNoMoreThanItCanGiveReceiptsFor() async throws {
    var configuration = SandboxConfiguration()
    configuration.bounds.waiting = 2
    try await withSandbox(isPushing: false, configuration) { (sandbox) async throws in
      try await sandbox.put("/carriers/fast/faults", #"{"receipts": {"delayMs": 1000}}"#)
      for _ in 0..<2 { #expect(try await sandbox.httpsms("\(to)&M=Hi&DR=1").text.hasPrefix("OK ")) }
      #expect(try await sandbox.httpsms("\(to)&M=Hi&DR=1").text == "ERR -30")
      try await sandbox.put("/clock", #"{"advanceMs": 1000}"#)
      #expect(try await sandbox.httpsms("\(to)&M=Hi&DR=1").text.hasPrefix("OK "))
    }
  }
}

/// Closed at first.
final class Gate: Sendable {
  private let state = Lock<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// Asks until it is so, for at most ten seconds.
func waitUntil(_ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(10)
  while try await !condition() {
    guard ContinuousClock.now < end else { throw TestSandbox.TimedOut(wanted: 1, found: []) }
    try await Task.sleep(for: .milliseconds(2))
  }
}
