import Contract
import Runtime

/// The world, its clock, and those that must hear when it changes.
final class SandboxCore: Sendable {
  let clock: SandboxClock
  let held = HeldAnswers()
  /// Something is to be pushed.
  let pushes = Signal()
  /// Something is due earlier than was known, or the clock was moved.
  let agenda = Signal()
  private let world: Lock<SandboxWorld>

  init(_ configuration: SandboxConfiguration, clock: any WallClock) {
    self.clock = SandboxClock(clock)
    world = Lock(SandboxWorld(configuration, now: clock.now))
  }

  /// Does something in the world, now, and passes on what it brings about.
  func change<Result, Failure: Error>(
    _ body: (inout SandboxWorld, Instant) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, effects) = world.withLock { world in
      let result: Swift.Result<Result, Failure>
      do throws(Failure) {
        result = .success(try body(&world, clock.now))
      } catch {
        result = .failure(error)
      }
      return (result, world.takeEffects())
    }
    for hold in effects.released { held.release(hold) }
    if effects.hasPushes { pushes.set() }
    if effects.isDueEarlier { agenda.set() }
    return try result.get()
  }

  /// Lets everything happen that is due by now.
  func runDue() { while !change({ $0.runDue($1) }) {} }

  /// Runs the agenda until the task is cancelled.
  func runAgenda() async {
    while !Task.isCancelled {
      runDue()
      guard let due = change({ world, _ in world.agenda.nextDue }) else {
        await agenda.wait()
        continue
      }
      await withTaskGroup { group in
        group.addTask { [clock] in try? await clock.sleep(until: due) }
        group.addTask { [agenda] in await agenda.wait() }
        await group.next()
        group.cancelAll()
      }
    }
  }
}
