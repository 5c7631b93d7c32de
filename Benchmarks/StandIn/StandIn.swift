import Contract
import Foundation
import HTTPClient
import Network
import Runtime

/// A carrier that takes every message at once and reports each as delivered a moment later. The same for both
/// exchanges: only the spelling of a submit and of a receipt differs.
final class StandIn: Service {
  struct Counts: Sendable {
    /// Submits taken.
    var taken = 0
    /// Those that named a reference that was seen before: done twice.
    var doubled = 0
    /// Receipts that the exchange acknowledged.
    var acknowledged = 0
    /// Receipts that it did not take, sent again.
    var resent = 0
    /// Reports that Kannel passed on to its user: taken by the carrier, and delivered.
    var passedOn = 0
  }

  private struct State {
    var counts = Counts()
    var nextID: UInt64 = 1_000_000_000
    var references: Set<Substring> = []
    /// Where receipts go; nil keeps them to itself.
    var receipts: ReceiptForm?
  }

  private let state = Lock(State())
  private let server: HTTPServer
  private let client: HTTPClient
  private let queue: ReceiptQueue
  /// How long a phone takes.
  static let delay: Duration = .milliseconds(300)

  init() throws {
    client = HTTPClient(.init(userAgent: "stand-in", maximumConnectionsPerHost: ReceiptQueue.workers))
    queue = ReceiptQueue()
    let loops = try EventLoopGroup(count: 1)
    var configuration = HTTPServer.Configuration()
    configuration.idleTimeout = .seconds(300)
    server = HTTPServer(configuration: configuration, loops: loops) { [state, queue] request in
      Self.answer(request, state, queue)
    }
  }

  /// - Returns: its port on 127.0.0.1.
  func start() async throws -> Int { try await server.start().port }

  var counts: Counts { state.withLock { $0.counts } }

  /// Begins anew with another exchange.
  func serve(_ form: ReceiptForm?) {
    state.withLock {
      $0 = State(nextID: $0.nextID, receipts: form)
    }
    queue.forget()
  }

  func run() async throws {
    await withTaskGroup { group in
      group.addTask { [server] in try? await server.run() }
      group.addTask { [client] in try? await client.run() }
      group.addTask { [queue] in await queue.release() }
      for _ in 0..<ReceiptQueue.workers {
        group.addTask { [self] in while let receipt = await queue.next() { await send(receipt) } }
      }
      await group.waitForAll()
    }
  }

  private static func answer(_ request: HTTPRequest, _ state: Lock<State>, _ queue: ReceiptQueue) -> HTTPResponse {
    let fields: [(name: String, value: String)]
    if request.method == "POST" {
      fields = FormDecoding().parse(request.body) ?? []
    } else {
      fields = request.queryItems() ?? []
    }
    if request.path == "/passed-on" {
      state.withLock { $0.counts.passedOn += 1 }
      return HTTPResponse(text: "OK")
    }
    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    let to = field("DA") ?? field("to") ?? ""
    let reference = field("UR")
    let (id, receipts) = state.withLock { state in
      state.nextID += 1
      state.counts.taken += 1
      if let reference, !state.references.insert(reference[...]).inserted { state.counts.doubled += 1 }
      return (state.nextID, state.receipts)
    }
    if let receipts { queue.add(receipts.request(id: id, to: to, reference: reference ?? "")) }
    return HTTPResponse(text: "OK \(id)")
  }

  private func send(_ receipt: OutgoingRequest) async {
    if let answer = try? await client.send(receipt), (200..<300).contains(answer.status) {
      state.withLock { $0.counts.acknowledged += 1 }
    } else {
      state.withLock { $0.counts.resent += 1 }
      queue.add(receipt)
    }
  }
}

/// How an exchange wants its receipts.
enum ReceiptForm: Sendable {
  /// `POST INCOMING=1#…` to the carrier's callback address.
  case httpsms(callback: String)
  /// `GET /?dlr-mid=ID&dlr-mask=1&to=N` to the port of Kannel's HTTP message centre.
  case kannel(port: Int)

  func request(id: UInt64, to: String, reference: String) -> OutgoingRequest {
    switch self {
    case .httpsms(let callback):
      let body = "INCOMING=1%23\(id)%3AInfo%3A\(to)%3A1%3A%3A\(time(nil))%3A\(reference)%3A"
      return OutgoingRequest(
        method: "POST", url: callback, headers: [("Content-Type", "application/x-www-form-urlencoded")],
        body: Array(body.utf8), allowsPrivateAddresses: true)
    case .kannel(let port):
      let number = to.replacing("+", with: "%2B")
      return OutgoingRequest(
        method: "GET", url: "http://127.0.0.1:\(port)/?dlr-mid=\(id)&dlr-mask=1&to=\(number)",
        allowsPrivateAddresses: true)
    }
  }
}
