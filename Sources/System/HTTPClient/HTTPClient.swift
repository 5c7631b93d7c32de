import CCurl
import Foundation
import Runtime

/// Sends HTTP requests to other people's servers, and says exactly what is known of each (see `HTTPClientError`).
///
/// libcurl on one thread behind `async`: HTTP/1.1 with kept-alive connections, TLS by the system's authorities, no
/// proxies, cookies or decompression. A request is sent at most once.
///
/// `run()` must be running for requests to get anywhere; those that come earlier wait for it.
package final class HTTPClient: Service {
  package struct Configuration: Sendable {
    /// Such as `switchboard/1.0`.
    package var userAgent: String
    /// To one scheme, host and port at a time; more requests wait.
    package var maximumConnectionsPerHost: Int
    /// To all servers at a time, and how many are kept open for later.
    package var maximumConnections: Int
    /// How many calls there may be at a time, waiting ones included; one more ends as `notSent(.queueFull)`.
    package var maximumCalls: Int
    /// A connection that was idle for longer is not used again.
    package var idleLimit: Duration
    /// How long a stop waits for requests in flight.
    package var stopLimit: Duration

    package init(
      userAgent: String, maximumConnectionsPerHost: Int = 100, maximumConnections: Int = 512,
      maximumCalls: Int = 10_000, idleLimit: Duration = .seconds(30), stopLimit: Duration = .seconds(10)
    ) {
      self.userAgent = userAgent
      self.maximumConnectionsPerHost = maximumConnectionsPerHost
      self.maximumConnections = maximumConnections
      self.maximumCalls = maximumCalls
      self.idleLimit = idleLimit
      self.stopLimit = stopLimit
    }
  }

  private let configuration: Configuration
  private let inbox: Inbox

  package init(_ configuration: Configuration) {
    self.configuration = configuration
    inbox = Inbox(capacity: configuration.maximumCalls)
  }

  /// Returns after its task was cancelled and nothing is in flight any more.
  ///
  /// New and waiting requests then end as `stopped`; those in flight have `stopLimit` to end, then they are uncertain.
  /// - Throws: `HTTPClientError.stopped` when it runs or ran already; `.notSent(.outOfResources)` when it can not start.
  package func run() async throws {
    guard inbox.start() else { throw HTTPClientError.stopped }
    let didRun = await withTaskCancellationHandler {
      await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
        let (configuration, inbox) = (configuration, inbox)
        let thread = Thread { done.resume(returning: Self.loop(configuration, inbox)) }
        thread.name = "http-client"
        thread.start()
      }
    } onCancel: {
      inbox.stop()
    }
    guard didRun else { throw HTTPClientError.notSent(.outOfResources) }
  }

  private static func loop(_ configuration: Configuration, _ inbox: Inbox) -> Bool {
    // A server that closes must not end the program; libcurl leaves signals alone here.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // Gives way to those who wait for an answer of ours when the processor is short. Of this thread alone
    // (setpriority(2), "C library/kernel differences").
    setpriority(Int32(PRIO_PROCESS.rawValue), 0, 5)
    guard libraryIsReady, let loop = TransferLoop(configuration, inbox: inbox) else {
      for transfer in inbox.end() { transfer.continuation?.resume(returning: .failure(.stopped)) }
      return false
    }
    loop.run()
    return true
  }

  private static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Sends a request and returns the whole answer, whatever its status; a redirect that is not followed is an answer.
  ///
  /// Cancelling the task ends the transfer.
  package func send(_ request: OutgoingRequest) async throws(HTTPClientError) -> OutgoingResponse {
    let deadline = MonotonicTime.now + request.timeout.asLimit
    var response = try await sendOnce(request, deadline).get()
    var request = request
    var hops = 0
    while hops < request.maximumRedirects, let next = Redirect.next(after: request, response) {
      hops += 1
      request = next
      do {
        response = try await sendOnce(request, deadline).get()
      } catch {
        throw error.afterRedirect
      }
    }
    return response
  }

  private func sendOnce(_ request: OutgoingRequest, _ deadline: MonotonicTime) async -> Transfer.Outcome {
    let origin = request.origin
    do { try request.validate(origin: origin) } catch { return .failure(error) }
    let transfer = Transfer(request, origin: origin, deadline: deadline)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { inbox.submit(transfer, $0) }
    } onCancel: {
      inbox.cancel(transfer)
    }
  }
}

extension HTTPClientError {
  /// The first server had the request already when the second was not reached.
  fileprivate var afterRedirect: HTTPClientError {
    switch self {
    case .invalidRequest, .refusedAddress: .uncertain(.redirectRefused)
    case .notSent(let reason), .uncertain(let reason): .uncertain(reason)
    case .cancelled: .uncertain(.cancelled)
    case .stopped: .uncertain(.stopped)
    }
  }
}
