import CCurl

/// The thread's own side of the client: libcurl's multi interface, driven by epoll. Everything here runs on one thread.
final class TransferLoop {
  private let configuration: HTTPClient.Configuration
  private let inbox: Inbox
  private let multi: UnsafeMutableRawPointer
  private let sockets: SocketWatch

  private var lines: WaitingLines<Transfer>
  private var running: [ObjectIdentifier: EasyHandle] = [:]
  private var idle: [EasyHandle] = []
  private var finished: [(transfer: Transfer, outcome: Transfer.Outcome)] = []
  /// When libcurl wants to be called at the latest.
  private var timer: MonotonicTime?
  private var nextSweep = MonotonicTime.now
  private var stopDeadline: MonotonicTime?

  init?(_ configuration: HTTPClient.Configuration, inbox: Inbox) {
    guard let multi = curl_multi_init() else { return nil }
    guard let sockets = SocketWatch(bell: inbox.bell) else {
      curl_multi_cleanup(multi)
      return nil
    }
    self.configuration = configuration
    self.inbox = inbox
    self.multi = multi
    self.sockets = sockets
    lines = WaitingLines(
      maximumPerLine: configuration.maximumConnectionsPerHost, maximum: configuration.maximumConnections)
    let context = Unmanaged.passUnretained(self).toOpaque()
    let codes = [
      ccurl_multi_set_callbacks(
        multi,
        { _, socket, what, context, _ in
          TransferLoop.at(context)?.sockets.want(socket, what == CURL_POLL_REMOVE ? 0 : what)
          return 0
        },
        { _, milliseconds, context in
          TransferLoop.at(context)?.timer = milliseconds < 0 ? nil : .now + milliseconds
          return 0
        }, context),
      // Connections that are kept for later.
      ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, configuration.maximumConnections)),
      ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING),
    ]
    guard codes.allSatisfy({ $0 == CURLM_OK }) else { return nil }
  }

  deinit {
    idle = []
    // Closes the kept connections; the watch over them must still be there.
    curl_multi_cleanup(multi)
    withExtendedLifetime(sockets) {}
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> TransferLoop? {
    context.map { Unmanaged<TransferLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: - The loop

  /// Returns when the inbox was stopped and nothing is in flight any more.
  func run() {
    while true {
      let (batch, isStopping) = inbox.take(finished: finished.count)
      resume()
      let now = MonotonicTime.now
      for transfer in batch.submitted { lines.add(transfer, to: transfer.origin) }
      if !batch.cancelled.isEmpty { cancel(batch.cancelled) }
      if isStopping { stop(now) }
      if lines.waiting > 0 { sweep(now) }
      startWaiting(now)
      tick()
      collect()
      if isStopping, running.isEmpty, finished.isEmpty { break }
      // The bell rings only for a loop that found nothing.
      wait(upTo: batch.isEmpty && finished.isEmpty ? pause() : 0)
      tick()
      collect()
    }
    for transfer in inbox.end() { transfer.continuation?.resume(returning: .failure(.stopped)) }
  }

  private func startWaiting(_ now: MonotonicTime) {
    while let transfer = lines.next() {
      guard transfer.deadline > now else {
        finish(transfer, .failure(.notSent(.waitedTooLong)))
        lines.finished(transfer.origin)
        continue
      }
      guard
        let handle = idle.popLast()
          ?? EasyHandle(userAgent: configuration.userAgent, idleLimit: configuration.idleLimit, sockets: sockets)
      else {
        finish(transfer, .failure(.notSent(.outOfResources)))
        lines.finished(transfer.origin)
        continue
      }
      transfer.handle = handle
      running[ObjectIdentifier(handle)] = handle
      guard handle.begin(transfer, now: now), curl_multi_add_handle(multi, handle.easy) == CURLM_OK else {
        release(handle, .failure(.notSent(.outOfResources)))
        continue
      }
    }
  }

  /// Calls libcurl if its timer is due: new transfers start so, as well.
  private func tick() {
    guard let due = timer, due <= .now else { return }
    timer = nil
    var count: Int32 = 0
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &count)
  }

  private func wait(upTo milliseconds: Int) {
    let capacity = 128
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * capacity) { space in
      guard let descriptors = space.baseAddress else { return }
      let masks = descriptors + capacity
      let count = ccurl_poll_wait(sockets.poll, descriptors, masks, Int32(capacity), Int32(clamping: milliseconds))
      for index in 0..<Int(count) {
        if descriptors[index] == inbox.bell {
          ccurl_bell_clear(inbox.bell)
        } else if sockets.isWanted(descriptors[index]) {
          var running: Int32 = 0
          curl_multi_socket_action(multi, descriptors[index], masks[index], &running)
        }
      }
    }
  }

  /// How long nothing needs doing; below 0 for ever.
  private func pause() -> Int {
    let times = [timer, lines.waiting > 0 ? nextSweep : nil, stopDeadline].compactMap { $0 }
    guard let next = times.min() else { return -1 }
    return next.milliseconds(since: .now)
  }

  private func collect() {
    var code = CURLE_OK
    while let easy = ccurl_multi_finished(multi, &code) {
      guard let handle = EasyHandle.at(ccurl_get_private(easy)) else { continue }
      release(handle, handle.outcome(code))
    }
  }

  /// Callers go on all together, after a turn.
  private func resume() {
    let all = finished
    finished.removeAll(keepingCapacity: all.count <= 1024)
    for (transfer, outcome) in all {
      transfer.continuation?.resume(returning: outcome)
      transfer.continuation = nil
    }
  }

  // MARK: - Ends

  private func finish(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
    finished.append((transfer, outcome))
  }

  private func release(_ handle: EasyHandle, _ outcome: Transfer.Outcome) {
    curl_multi_remove_handle(multi, handle.easy)
    running[ObjectIdentifier(handle)] = nil
    guard let transfer = handle.transfer else { return }
    transfer.handle = nil
    handle.end()
    finish(transfer, outcome)
    lines.finished(transfer.origin)
    idle.append(handle)
  }

  /// Some of them may have ended by themselves in the meantime.
  private func cancel(_ transfers: [Transfer]) {
    for handle in transfers.compactMap(\.handle) {
      release(handle, handle.interrupted(.cancelled, otherwise: .cancelled))
    }
    guard lines.waiting > 0 else { return }
    let gone = Set(transfers.map(ObjectIdentifier.init))
    for transfer in lines.remove(where: { gone.contains(ObjectIdentifier($0)) }) {
      finish(transfer, .failure(.cancelled))
    }
  }

  /// Ends whoever waits past its time limit.
  private func sweep(_ now: MonotonicTime) {
    guard now >= nextSweep else { return }
    nextSweep = now + 100
    for transfer in lines.remove(where: { $0.deadline <= now }) { finish(transfer, .failure(.notSent(.waitedTooLong))) }
  }

  /// Who waits is sent away at once; who is in flight has `stopLimit` to end.
  private func stop(_ now: MonotonicTime) {
    for transfer in lines.remove(where: { _ in true }) { finish(transfer, .failure(.stopped)) }
    let deadline = stopDeadline ?? now + configuration.stopLimit.asLimit
    stopDeadline = deadline
    guard now >= deadline else { return }
    for handle in Array(running.values) { release(handle, handle.interrupted(.stopped, otherwise: .stopped)) }
  }
}
