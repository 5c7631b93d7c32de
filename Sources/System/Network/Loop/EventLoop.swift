import CLinux
import Foundation
import Runtime
import Synchronization

/// One thread that waits for descriptors (epoll), timers and jobs, and runs what they bring.
///
/// It is a `TaskExecutor`: a task that prefers it runs its nonisolated code, and plain actors, on this thread without a
/// hop. So what runs here must never block. Members marked *on the loop* are called on its thread only.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
  private struct Remote {
    var jobs: [UnownedJob] = []
    var blocks: [@Sendable () -> Void] = []
    var isWoken = false
    var isStopping = false
    var hasEnded = false
  }

  private struct Slot {
    var source: (any EventSource)?
    var generation: UInt32 = 0
  }

  private let remote = Lock(Remote())
  private let epoll: Int32
  private let wakeUp: Int32
  /// The loop's thread while it runs; the system gives the number to another one later.
  private let thread = Atomic<UInt>(0)

  // On the loop's thread only, from here.
  private var slots: [Slot] = []
  private var registered = 0
  private var jobs: [UnownedJob] = []
  private var running: [UnownedJob] = []
  private var liveTasks = 0
  private var isStopping = false
  private var wheel: TimerWheel<LoopTimer>

  /// Milliseconds of the monotonic clock, read once per round. *On the loop.*
  package private(set) var now: Int64

  /// What was received last, by whichever connection; valid until the next read. *On the loop.*
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  /// Starts the thread.
  /// - Parameter niceness: as of nice(1); above 0 the thread gives way to others when the processor is short.
  /// - Throws: `SystemError` when a descriptor or the thread could not be had.
  package init(name: String = "loop", niceness: Int32 = 0) throws(SystemError) {
    now = Self.clock()
    wheel = TimerWheel(now: now)
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw SystemError("epoll_create1") }
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard wakeUp >= 0 else { throw SystemError("eventfd") }
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64.max))
    epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event)

    let start = ThreadStart(loop: self, name: name, niceness: niceness)
    var created = pthread_t()
    let code = pthread_create(
      &created, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(start).toOpaque())
    guard code == 0 else {
      Unmanaged.passUnretained(start).release()
      throw SystemError("pthread_create", code: code)
    }
    pthread_detach(created)
    start.waitUntilRunning()
  }

  deinit {
    close(epoll)
    close(wakeUp)
    scratch.deallocate()
  }

  // MARK: - From any thread

  package var isCurrent: Bool { pthread_self() == thread.load(ordering: .relaxed) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      jobs.append(job)
    } else if !submit({ $0.jobs.append(job) }) {
      // The loop is gone; the task must still come to its end.
      globalConcurrentExecutor.enqueue(job)
    }
  }

  /// Runs `block` on the loop's thread, soon and in order.
  /// - Returns: false when the loop has ended, and the block will not run.
  @discardableResult
  package func execute(_ block: @escaping @Sendable () -> Void) -> Bool {
    submit { $0.blocks.append(block) }
  }

  /// Asks the loop to close what it watches, and to end when the last task of `spawn` has ended. Returns at once.
  package func stop() { _ = submit { $0.isStopping = true } }

  private func submit(_ change: (inout Remote) -> Void) -> Bool {
    let (isTaken, mustWake) = remote.withLock { remote in
      guard !remote.hasEnded else { return (false, false) }
      change(&remote)
      defer { remote.isWoken = true }
      return (true, !remote.isWoken)
    }
    // Outside the lock, for which the loop would wait as soon as it wakes.
    if mustWake { eventfd_write(wakeUp, 1) }
    return isTaken
  }

  // MARK: - On the loop

  /// A task on this loop; the loop does not end before it has.
  package func spawn(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    liveTasks += 1
    return Task(executorPreference: self) {
      await operation()
      self.liveTasks -= 1
    }
  }

  /// Watches a descriptor, level-triggered, until `deregister`.
  package func register(
    _ descriptor: Int32, _ source: any EventSource, _ interest: Readiness
  ) throws(SystemError) {
    let index = Int(descriptor)
    while slots.count <= index { slots.append(Slot()) }
    slots[index].generation &+= 1
    var event = epoll_event(events: interest.rawValue, data: data(descriptor))
    guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw SystemError("epoll_ctl") }
    slots[index].source = source
    registered += 1
    if isStopping { source.loopIsStopping() }
  }

  package func change(_ descriptor: Int32, to interest: Readiness) {
    var event = epoll_event(events: interest.rawValue, data: data(descriptor))
    epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
  }

  /// Call before the descriptor is closed.
  package func deregister(_ descriptor: Int32) {
    let index = Int(descriptor)
    guard index < slots.count, slots[index].source != nil else { return }
    slots[index].source = nil
    registered -= 1
    var event = epoll_event()
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
  }

  func insert(_ timer: LoopTimer, at time: Int64) -> Int64 { wheel.insert(timer, at: time) }

  /// The generation tells an event of a closed descriptor from one of its successor with the same number.
  private func data(_ descriptor: Int32) -> epoll_data_t {
    epoll_data_t(u64: UInt64(slots[Int(descriptor)].generation) << 32 | UInt64(UInt32(bitPattern: descriptor)))
  }

  private static func clock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  // MARK: - The thread

  fileprivate func adoptThread() { thread.store(pthread_self(), ordering: .relaxed) }

  fileprivate func run() {
    let capacity = 256
    let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
    defer { events.deallocate() }
    while !end() {
      let count = Int(epoll_wait(epoll, events, Int32(capacity), patience()))
      now = Self.clock()
      var isWoken = false
      for index in 0..<max(0, count) {
        let event = events[index]
        if event.data.u64 == UInt64.max { isWoken = true } else { dispatch(event) }
      }
      if isWoken { takeRemote() }
      for (timer, time) in wheel.advance(to: now) { timer.cameBack(at: time) }
      runJobs()
    }
  }

  private func patience() -> Int32 {
    if !jobs.isEmpty { return 0 }
    guard let next = wheel.next else { return -1 }
    return Int32(clamping: max(0, next - Self.clock()))
  }

  private func dispatch(_ event: epoll_event) {
    let index = Int(truncatingIfNeeded: event.data.u64 & 0xFFFF_FFFF)
    guard index < slots.count, UInt64(slots[index].generation) == event.data.u64 >> 32,
      let source = slots[index].source
    else { return }
    source.ready(Readiness(rawValue: event.events))
  }

  private func takeRemote() {
    var count: eventfd_t = 0
    eventfd_read(wakeUp, &count)
    let (blocks, stops) = remote.withLock { remote in
      jobs.append(contentsOf: remote.jobs)
      remote.jobs.removeAll(keepingCapacity: remote.jobs.count <= 1024)
      remote.isWoken = false
      let blocks = remote.blocks
      remote.blocks = []
      return (blocks, remote.isStopping)
    }
    for block in blocks { block() }
    if stops, !isStopping {
      isStopping = true
      for source in slots.compactMap(\.source) { source.loopIsStopping() }
    }
  }

  /// Several rounds, as a finished job often readies the next; then the descriptors have their turn again.
  private func runJobs() {
    var rounds = 8
    while !jobs.isEmpty, rounds > 0 {
      swap(&jobs, &running)
      for job in running { job.runSynchronously(on: asUnownedTaskExecutor()) }
      running.removeAll(keepingCapacity: running.count <= 4096)
      rounds -= 1
    }
  }

  private func end() -> Bool {
    guard isStopping, registered == 0, liveTasks == 0, jobs.isEmpty else { return false }
    return remote.withLock { remote in
      guard remote.jobs.isEmpty, remote.blocks.isEmpty else { return false }
      remote.hasEnded = true
      thread.store(0, ordering: .relaxed)
      return true
    }
  }
}

/// What a loop watches a descriptor for. *On the loop.*
package protocol EventSource: AnyObject {
  func ready(_ events: Readiness)

  /// The loop ends: deregister and close.
  func loopIsStopping()
}

/// The bits of epoll_ctl(2).
package struct Readiness: OptionSet, Sendable {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let input = Readiness(rawValue: EPOLLIN.rawValue)
  package static let output = Readiness(rawValue: EPOLLOUT.rawValue)
  package static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  package static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  package static let error = Readiness(rawValue: EPOLLERR.rawValue)
}

/// Hands the loop to its thread, which keeps it alive until it ends.
private final class ThreadStart: @unchecked Sendable {
  private let loop: EventLoop
  private let name: String
  private let niceness: Int32
  private let running = DispatchSemaphore(value: 0)

  init(loop: EventLoop, name: String, niceness: Int32) {
    self.loop = loop
    self.name = name
    self.niceness = niceness
  }

  func run() {
    clinux_begin_thread(String(name.prefix(15)))
    // Of this thread alone (setpriority(2), "C library/kernel differences").
    if niceness > 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, niceness) }
    loop.adoptThread()
    running.signal()
    loop.run()
  }

  func waitUntilRunning() { running.wait() }
}
