import Foundation
import Network
import Runtime

/// A carrier that takes every message at once and reports each as delivered a moment later. The same for both
/// exchanges: only the spelling of a submit and of a receipt differs.
///
/// It shares the machine with what it measures, so it reads no more of HTTP than these programs speak.
final class StandIn: Sendable {
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
    var references: Set<[UInt8]> = []
    var receipts: ReceiptForm?
  }

  private let state = Lock(State())
  private let loop: EventLoop
  private let sender: ReceiptSender

  init() throws {
    loop = try EventLoop(name: "stand-in")
    sender = ReceiptSender(
      loop: loop,
      acknowledged: { [state] isTaken in
        state.withLock { if isTaken { $0.counts.acknowledged += 1 } else { $0.counts.resent += 1 } }
      })
  }

  /// - Returns: its port on 127.0.0.1.
  func start() async throws -> Int {
    let listener = try TCPListener(loop: loop, host: "127.0.0.1", port: 0, report: { _, _ in })
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      loop.execute { [self] in
        done.resume(with: Result { try listener.start { descriptor, _ in self.accepted(descriptor) } })
      }
    }
    return listener.port
  }

  func stop() { loop.stop() }

  var counts: Counts { state.withLock { $0.counts } }

  /// Begins anew, with another exchange.
  func serve(_ form: ReceiptForm) {
    state.withLock { $0 = State(receipts: form) }
    loop.execute { [sender] in sender.forget() }
  }

  private func accepted(_ descriptor: Int32) {
    let peer = PlainConnection { [self] message in answer(message) }
    try? peer.start(loop: loop, descriptor: descriptor)
  }

  private func answer(_ message: ArraySlice<UInt8>) -> [UInt8] {
    if message.starts(with: Self.passedOn) {
      state.withLock { $0.counts.passedOn += 1 }
      return PlainConnection.response("OK")
    }
    let to = FormScan.value(of: "DA", in: message) ?? FormScan.value(of: "to", in: message) ?? []
    let reference = FormScan.value(of: "UR", in: message) ?? []
    let id = sender.nextID()
    let form = state.withLock { state in
      state.counts.taken += 1
      if !reference.isEmpty, !state.references.insert(Array(reference)).inserted { state.counts.doubled += 1 }
      return state.receipts
    }
    if let form { sender.add(form.request(id: id, to: to, reference: reference), to: form.port) }
    return PlainConnection.response("OK \(id)")
  }

  private static let passedOn = Array("GET /passed-on".utf8)
}

/// How an exchange wants its receipts.
enum ReceiptForm: Sendable {
  /// `POST INCOMING=1#…` to the carrier's callback address.
  case httpsms(port: Int, path: String)
  /// `GET /?dlr-mid=ID&dlr-mask=1&to=N` to the port of Kannel's HTTP message centre.
  case kannel(port: Int)

  var port: Int {
    switch self {
    case .httpsms(let port, _), .kannel(let port): port
    }
  }

  /// - Parameter to: as it stood in the submit, still percent-encoded.
  func request(id: UInt64, to: ArraySlice<UInt8>, reference: ArraySlice<UInt8>) -> [UInt8] {
    let number = String(decoding: to, as: UTF8.self)
    switch self {
    case .httpsms(let port, let path):
      let reference = String(decoding: reference, as: UTF8.self)
      let body = "INCOMING=1%23\(id)%3AInfo%3A\(number)%3A1%3A%3A\(time(nil))%3A\(reference)%3A"
      return Array(
        """
        POST \(path) HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Content-Type: application/x-www-form-urlencoded\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """.utf8)
    case .kannel(let port):
      return Array("GET /?dlr-mid=\(id)&dlr-mask=1&to=\(number) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
    }
  }
}
