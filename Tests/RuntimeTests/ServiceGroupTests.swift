import Contract
import Foundation
import Runtime
import Testing

@Suite("Service group", .timeLimit(.minutes(1))) struct ServiceGroupTests {
  private struct Broken: Error, CustomStringConvertible {
    var description: String { "the pipe burst" }
  }

  /// Says when it begins and ends; ends when it is cancelled.
  private struct Steady: Service {
    let name: String
    let journal: Journal
    var onCancel: @Sendable () async throws -> Void = {}

    func run() async throws {
      journal.note("\(name) began")
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
      try await onCancel()
      journal.note("\(name) ended")
    }
  }

  private struct Once: Service {
    let body: @Sendable () async throws -> Void
    func run() async throws { try await body() }
  }

  private final class Journal: Sendable {
    private let lines = Lock<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }

    func wait(for line: String) async throws {
      let end = ContinuousClock.now + .seconds(20)
      while !all.contains(line) {
        try #require(ContinuousClock.now < end, "\(line) did not come")
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  private let journal = Journal()
  private let log = CapturedLog()
  private let clock = ManualClock()

  private func group(_ members: [(name: String, service: any Service)], signals: [Int32] = []) -> ServiceGroup {
    let logger = Logger("group", level: .debug, sink: log, clock: clock)
    return ServiceGroup(members, grace: .seconds(20), signals: signals, clock: clock, logger: logger)
  }

  private func failure(of task: Task<Void, any Error>) async -> String? {
    do {
      try await task.value
      return nil
    } catch { return String(describing: error) }
  }

  private func trio() -> [(name: String, service: any Service)] {
    ["a", "b", "c"].map { ($0, Steady(name: $0, journal: journal)) }
  }

  private func waitForAll() async throws {
    for name in ["a", "b", "c"] { try await journal.wait(for: "\(name) began") }
  }

  @Test func aStopEndsTheLastFirst() async throws {
    let group = group(trio())
    let task = Task { try await group.run() }
    try await waitForAll()
    group.stop()
    #expect(await failure(of: task) == nil)
    #expect(journal.all.suffix(3) == ["c ended", "b ended", "a ended"])
  }

  @Test func cancellingTheGroupStopsItToo() async throws {
    let group = group(trio())
    let task = Task { try await group.run() }
    try await waitForAll()
    task.cancel()
    #expect(await failure(of: task) == nil)
    #expect(journal.all.suffix(3) == ["c ended", "b ended", "a ended"])
  }

  @Test func aSignalStopsTheGroup() async throws {
    let group = group(trio(), signals: [SIGUSR2])
    let task = Task { try await group.run() }
    try await waitForAll()
    kill(getpid(), SIGUSR2)
    #expect(await failure(of: task) == nil)
    #expect(log.sentences.contains("A signal asks the program to stop."))
    #expect(journal.all.suffix(3) == ["c ended", "b ended", "a ended"])
  }

  @Test func oneThatFailsStopsAllAndIsNamed() async throws {
    let journal = journal
    let broken = Once {
      try await journal.wait(for: "a began")
      throw Broken()
    }
    let group = group([("a", Steady(name: "a", journal: journal)), ("the outbox", broken)])
    let task = Task { try await group.run() }
    #expect(await failure(of: task) == "the outbox failed: the pipe burst")
    #expect(journal.all == ["a began", "a ended"])
    #expect(log.sentences.contains("The program stops because of a fault."))
  }

  @Test func oneThatEndsUnaskedIsAFault() async throws {
    let group = group([("a", Steady(name: "a", journal: journal)), ("the outbox", Once {})])
    let task = Task { try await group.run() }
    #expect(await failure(of: task) == "the outbox ended though nobody had asked it to.")
  }

  @Test func oneThatFailsWhileItStopsIsNamed() async throws {
    let bad = Steady(name: "b", journal: journal, onCancel: { throw Broken() })
    let group = group([("a", Steady(name: "a", journal: journal)), ("b", bad)])
    let task = Task { try await group.run() }
    try await journal.wait(for: "a began")
    try await journal.wait(for: "b began")
    group.stop()
    #expect(await failure(of: task) == "b failed: the pipe burst")
    #expect(journal.all.last == "a ended")
  }

  @Test func afterTheGracePeriodAllAreStoppedAtOnceAndWhoStaysIsGivenUp() async throws {
    let gate = Gate()
    let stuck = Steady(name: "c", journal: journal, onCancel: { await gate.wait() })
    let group = group([
      ("a", Steady(name: "a", journal: journal)), ("b", Steady(name: "b", journal: journal)), ("c", stuck),
    ])
    let task = Task { try await group.run() }
    try await waitForAll()
    group.stop()
    try await clock.waitForSleepers(1)
    #expect(!journal.all.contains("b ended"), "b waits for its turn")
    clock.advance(by: .seconds(20))
    try await journal.wait(for: "a ended")
    try await journal.wait(for: "b ended")
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(2))
    #expect(await failure(of: task) == "c did not stop in time.")
    gate.open()
    try await journal.wait(for: "c ended")
  }

  @Test func aSecondStopHurries() async throws {
    let gate = Gate()
    let slow = Steady(name: "c", journal: journal, onCancel: { await gate.wait() })
    let group = group([
      ("a", Steady(name: "a", journal: journal)), ("b", Steady(name: "b", journal: journal)), ("c", slow),
    ])
    let task = Task { try await group.run() }
    try await waitForAll()
    group.stop()
    group.stop()
    try await journal.wait(for: "a ended")
    try await journal.wait(for: "b ended")
    gate.open()
    #expect(await failure(of: task) == nil)
    #expect(journal.all.last == "c ended")
  }

  /// Holds up whoever waits, cancelled or not.
  private final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    init() { (stream, end) = AsyncStream.makeStream() }

    func open() { end.finish() }

    func wait() async {
      // A task of its own, as a stream also ends for a reader that is cancelled.
      await Task { [stream] in for await _ in stream {} }.value
    }
  }
}
