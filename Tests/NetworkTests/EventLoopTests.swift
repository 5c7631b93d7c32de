import Foundation
import Network
import Runtime
import Testing

@Suite struct EventLoopTests {
  @Test func blocksRunOnTheLoopInOrder() async throws {
    let loop = try EventLoop()
    let seen = Lock<[Int]>([])
    await withCheckedContinuation { waiter in
      for index in 0..<1000 {
        loop.execute { seen.withLock { $0.append(loop.isCurrent ? index : -1) } }
      }
      loop.execute { waiter.resume() }
    }
    #expect(seen.withLock { $0 } == Array(0..<1000))
    #expect(!loop.isCurrent)
    loop.stop()
  }

  @Test func tasksStayOnTheirLoop() async throws {
    let loop = try EventLoop()
    let stays = await Task(executorPreference: loop) {
      var stays = loop.isCurrent
      for _ in 0..<100 {
        await Task.yield()
        stays = stays && loop.isCurrent
      }
      // An actor of its own runs here too; a sleep comes back here.
      _ = await Counter().begin()
      try? await Task.sleep(for: .milliseconds(1))
      return stays && loop.isCurrent
    }.value
    #expect(stays)
    loop.stop()
  }

  @Test func timersComeInOrderAndNotAfterTheyAreCleared() async throws {
    let loop = try EventLoop()
    let seen = Lock<[String]>([])
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      loop.execute {
        func timer(_ name: String, _ milliseconds: Int64) -> LoopTimer {
          let timer = LoopTimer(loop: loop) { seen.withLock { $0.append(name) } }
          timer.set(milliseconds: milliseconds)
          return timer
        }
        let later = timer("later", 20)
        later.set(milliseconds: 60)
        let sooner = timer("sooner", 5000)
        sooner.set(milliseconds: 30)
        timer("cleared", 10).clear()
        timer("invalidated", 10).invalidate()
        let last = LoopTimer(loop: loop) {
          seen.withLock { $0.append("last") }
          waiter.resume()
        }
        last.set(milliseconds: 100)
      }
    }
    #expect(seen.withLock { $0 } == ["sooner", "later", "last"])
    loop.stop()
  }

  @Test func tasksStillEndAfterTheLoopHas() async throws {
    let loop = try EventLoop()
    loop.stop()
    // It ends soon; until then blocks are taken.
    for _ in 0..<1000 where loop.execute({}) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(!loop.execute {})
    #expect(await Task(executorPreference: loop) { 7 }.value == 7)
  }
}
