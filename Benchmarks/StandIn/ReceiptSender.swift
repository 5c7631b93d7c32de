import Foundation
import Network

/// Sends each receipt a while after its message, over a few connections, one at a time on each. *On the loop*, all of it
/// but the initialiser.
final class ReceiptSender: @unchecked Sendable {
  /// How long a phone takes.
  private static let delay: Int64 = 300
  private static let mostConnections = 32

  private struct Receipt {
    let request: [UInt8]
    let port: Int
    let due: Int64
  }

  private final class Line {
    var connection: PlainConnection?
    var current: Receipt?
    var port = 0
    /// Receipts of before `forget` count no more.
    var era = 0
  }

  private let loop: EventLoop
  private let acknowledged: (Bool) -> Void
  private var waiting: [Receipt] = []
  private var head = 0
  private var idle: [Line] = []
  private var lines = 0
  private var era = 0
  private var lastID: UInt64 = 1_000_000_000
  private lazy var timer = LoopTimer(loop: loop) { [weak self] in self?.release() }

  init(loop: EventLoop, acknowledged: @escaping (Bool) -> Void) {
    self.loop = loop
    self.acknowledged = acknowledged
  }

  func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  func add(_ request: [UInt8], to port: Int) {
    waiting.append(Receipt(request: request, port: port, due: loop.now + Self.delay))
    if !timer.isSet { timer.set(milliseconds: 2) }
  }

  func forget() {
    waiting = []
    head = 0
    era += 1
    idle = []
    lines = 0
  }

  private func release() {
    while head < waiting.count, waiting[head].due <= loop.now, let line = freeLine() {
      let receipt = waiting[head]
      head += 1
      send(receipt, on: line)
    }
    if head > 4096, head * 2 > waiting.count {
      waiting.removeFirst(head)
      head = 0
    }
    if head < waiting.count { timer.set(milliseconds: 2) }
  }

  private func freeLine() -> Line? {
    if let line = idle.popLast() { return line }
    guard lines < Self.mostConnections else { return nil }
    lines += 1
    let line = Line()
    line.era = era
    return line
  }

  private func send(_ receipt: Receipt, on line: Line) {
    line.current = receipt
    if line.connection == nil || line.port != receipt.port { connect(line, to: receipt.port) }
    guard let connection = line.connection else { return failed(line) }
    connection.write(receipt.request)
  }

  private func connect(_ line: Line, to port: Int) {
    line.connection = nil
    line.port = port
    guard let descriptor = LoopbackPort.connect(to: port) else { return }
    let connection = PlainConnection(ended: { [weak self] in self?.failed(line) }) { [weak self] answer in
      self?.answered(line, answer)
      return nil
    }
    line.connection = connection
    do { try connection.start(loop: loop, descriptor: descriptor) } catch { line.connection = nil }
  }

  private func answered(_ line: Line, _ answer: ArraySlice<UInt8>) {
    // "HTTP/1.1 200"
    let isTaken = answer.count > 9 && answer[answer.startIndex + 9] == 0x32
    guard let receipt = line.current else { return }
    line.current = nil
    guard line.era == era else { return }
    acknowledged(isTaken)
    if !isTaken { add(receipt.request, to: receipt.port) }
    idle.append(line)
    release()
  }

  private func failed(_ line: Line) {
    line.connection = nil
    guard line.era == era else { return }
    if let receipt = line.current {
      line.current = nil
      acknowledged(false)
      add(receipt.request, to: receipt.port)
      idle.append(line)
    }
  }
}
