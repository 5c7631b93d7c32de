import Contract
import Dispatch
import Foundation

/// Runs the services of a program and stops them in order.
///
/// Services start in the order given, so what others need stands first. When one throws or ends unasked, or a signal
/// comes, all are stopped from the last to the first: each is cancelled and waited for before the next. When the grace
/// period is over, or a second signal comes, the rest are cancelled together.
package final class ServiceGroup: Service {
  private enum Event: Sendable {
    case ended(Int, (any Error)?)
    case stop
    case signal(Int32)
    /// The grace period, or the last wait after it.
    case timeOver(isLast: Bool)
  }

  private let members: [(name: String, service: any Service)]
  private let grace: Duration
  private let signals: [Int32]
  private let clock: any WallClock
  private let logger: Logger
  private let events: AsyncStream<Event>
  private let report: AsyncStream<Event>.Continuation

  /// How long those that did not end in the grace period have after it, before they are given up.
  static let lastWait = Duration.seconds(2)

  /// - Parameters:
  ///   - grace: how long all of them together may take to stop.
  ///   - signals: those that stop the group; usually `SIGTERM` and `SIGINT`.
  package init(
    _ members: [(name: String, service: any Service)], grace: Duration = .seconds(20), signals: [Int32] = [],
    clock: any WallClock = SystemClock(), logger: Logger
  ) {
    self.members = members
    self.grace = grace
    self.signals = signals
    self.clock = clock
    self.logger = logger
    (events, report) = AsyncStream.makeStream()
  }

  /// Stops the group as a signal would; a second call hurries it.
  package func stop() { report.yield(.stop) }

  /// Returns when every service has ended after a stop. Run it once.
  /// - Throws: `ServiceGroupError` when a service failed, ended unasked or could not be stopped.
  package func run() async throws {
    let sources = listen()
    defer { for source in sources { source.cancel() } }
    // In a task of its own: in one that was cancelled, the stream of events would end at once.
    let work = Task { try await runAndStop() }
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      stop()
    }
  }

  private func runAndStop() async throws {
    var incoming = events.makeAsyncIterator()
    var running = Running()
    // Tasks of their own, not children: one that does not end when it is cancelled must not hold up the end of the
    // program, and a child always would.
    for (index, member) in members.enumerated() {
      running.tasks[index] = Task { [report] in
        do {
          try await member.service.run()
          report.yield(.ended(index, nil))
        } catch {
          report.yield(.ended(index, error))
        }
      }
      logger.debug("A service was started.", ["service": .text(member.name)])
    }
    if let event = await incoming.next() {
      switch event {
      case .ended(let index, let error): running.note(index, error, name: members[index].name, wasAsked: false)
      case .signal(let number): logger.info("A signal asks the program to stop.", ["signal": .integer(Int(number))])
      case .stop, .timeOver: break
      }
    }
    await stop(&running, &incoming)
    if let failure = running.failure {
      logger.error("The program stops because of a fault.", ["error": .error(failure)])
      throw failure
    }
  }

  private func stop(_ running: inout Running, _ incoming: inout AsyncStream<Event>.AsyncIterator) async {
    var timer = timer(grace, isLast: false)
    defer { timer.cancel() }
    var isHurried = false
    while let last = running.tasks.keys.max() {
      if isHurried { for task in running.tasks.values { task.cancel() } } else { running.tasks[last]?.cancel() }
      // What ends here out of its turn was asked to end with the group: only an error counts.
      guard let event = await incoming.next() else { return }
      switch event {
      case .ended(let index, let error):
        running.note(index, error, name: members[index].name, wasAsked: true)
        logger.debug("A service has ended.", ["service": .text(members[index].name)])
      case .timeOver(isLast: true):
        let names = running.tasks.keys.sorted().map { members[$0].name }
        running.failure = running.failure ?? .didNotStop(names)
        return
      case .stop, .signal, .timeOver:
        guard !isHurried else { continue }
        isHurried = true
        logger.warning("Services that have not ended are stopped at once.", ["count": .integer(running.tasks.count)])
        timer.cancel()
        timer = self.timer(Self.lastWait, isLast: true)
      }
    }
  }

  private func timer(_ duration: Duration, isLast: Bool) -> Task<Void, Never> {
    Task { [report, clock] in
      do { try await clock.sleep(until: clock.now + duration) } catch { return }
      report.yield(.timeOver(isLast: isLast))
    }
  }

  private func listen() -> [any DispatchSourceSignal] {
    guard !signals.isEmpty else { return [] }
    // A peer that closes its socket must not end the program.
    signal(SIGPIPE, SIG_IGN)
    return signals.map { number in
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { [report] in _ = report.yield(.signal(number)) }
      source.resume()
      return source
    }
  }

  private struct Running {
    var tasks: [Int: Task<Void, Never>] = [:]
    /// The first thing that went wrong.
    var failure: ServiceGroupError?

    mutating func note(_ index: Int, _ error: (any Error)?, name: String, wasAsked: Bool) {
      tasks[index] = nil
      guard failure == nil else { return }
      if let error, !(error is CancellationError) {
        failure = .failed(name, error)
      } else if !wasAsked {
        failure = .endedUnasked(name)
      }
    }
  }
}

/// Why a group of services stopped otherwise than asked.
package enum ServiceGroupError: Error, CustomStringConvertible {
  case failed(String, any Error)
  case endedUnasked(String)
  /// They were cancelled and did not end in time; what they had in hand is not known.
  case didNotStop([String])

  package var description: String {
    switch self {
    case .failed(let name, let error): "\(name) failed: \(error)"
    case .endedUnasked(let name): "\(name) ended though nobody had asked it to."
    case .didNotStop(let names): "\(names.joined(separator: ", ")) did not stop in time."
    }
  }
}
