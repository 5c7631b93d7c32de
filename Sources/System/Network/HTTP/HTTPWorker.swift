import Contract
import Foundation
import Runtime

/// What the connections of a server share on one loop. *On the loop*, all of it.
final class HTTPWorker: @unchecked Sendable {
  let loop: EventLoop
  let configuration: HTTPServer.Configuration
  let handler: HTTPHandler
  private let tls: TLSContext?
  private let ended: @Sendable () -> Void

  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private(set) var isDraining = false
  private let maximumBodies: Int
  private var bodies = 0

  /// Where a response is put together before it is sent.
  var output: [UInt8] = []

  private var dateLine: [UInt8] = []
  private var dateIsGoodUntil = Int64.min
  private var nextID = UInt64.random(in: .min ... .max)

  /// - Parameter ended: called once for each connection that was adopted, when it and its handler are over.
  init(
    loop: EventLoop, configuration: HTTPServer.Configuration, tls: TLSContext?, share: Int,
    handler: @escaping HTTPHandler, ended: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.configuration = configuration
    self.tls = tls
    self.handler = handler
    self.ended = ended
    maximumBodies = configuration.maximumBodiesTogether / max(1, share)
  }

  func adopt(_ descriptor: Int32, _ remoteAddress: String) {
    do throws(SystemError) {
      let tcp = try TCPConnection(loop: loop, descriptor: descriptor, remoteAddress: remoteAddress, tls: tls)
      let connection = HTTPConnection(tcp, worker: self)
      connections[ObjectIdentifier(connection)] = connection
      do throws(SystemError) { try connection.start() } catch {
        connections[ObjectIdentifier(connection)] = nil
        throw error
      }
    } catch {
      configuration.report("a connection could not be begun", ["error": error.description])
      ended()
    }
  }

  func remove(_ connection: HTTPConnection) {
    if connections.removeValue(forKey: ObjectIdentifier(connection)) != nil { ended() }
  }

  /// Idle connections and event streams end now, the others after their response.
  func drain() {
    isDraining = true
    for connection in connections.values { connection.drain() }
  }

  func cancelAll() {
    for connection in connections.values { connection.cancel() }
  }

  // MARK: - Shared means

  /// - Returns: false when the bodies of all connections together would become too many.
  func hold(_ bytes: Int) -> Bool {
    guard bytes <= maximumBodies - bodies else { return false }
    bodies += bytes
    return true
  }

  func release(_ bytes: Int) { bodies -= bytes }

  /// The Date line, made once a second.
  func date() -> [UInt8] {
    if loop.now >= dateIsGoodUntil {
      let now = configuration.clock.now
      dateLine = Array("Date: \(HTTPDate.text(now))\r\n".utf8)
      dateIsGoodUntil = loop.now + 1000 - max(0, now.milliseconds % 1000)
    }
    return dateLine
  }

  /// 13 characters that look random but do not repeat.
  func requestID() -> String {
    nextID &+= 0x9E37_79B9_7F4A_7C15
    var bits = nextID
    return String(unsafeUninitializedCapacity: 13) { buffer in
      for index in 0..<13 {
        let digit = UInt8(truncatingIfNeeded: bits & 31)
        buffer[index] = digit < 10 ? 0x30 + digit : 0x61 + digit - 10
        bits >>= 5
      }
      return 13
    }
  }
}
