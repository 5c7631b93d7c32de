/// Takes the pieces of a streamed body.
package final class HTTPBodyWriter: Sendable {
  private let connection: HTTPConnection
  private let stream: Int

  init(_ connection: HTTPConnection, stream: Int) {
    self.connection = connection
    self.stream = stream
  }

  /// Sends a piece; returns when no more than 64 kB wait for the socket, so keep pieces small.
  /// - Throws: `HTTPStreamError` when the client is gone or too slow or the stream has ended; `CancellationError` when the
  ///   task is cancelled.
  package func write(_ bytes: [UInt8]) async throws {
    try Task.checkCancellation()
    let loop = connection.loop
    if loop.isCurrent {
      if try connection.writePiece(bytes, of: stream) { return }
      try await withCheckedThrowingContinuation { connection.waitForRoom($0) }
    } else {
      try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
        let isTaken = loop.execute { [connection, stream] in
          do {
            if try connection.writePiece(bytes, of: stream) { return waiter.resume() }
            connection.waitForRoom(waiter)
          } catch { waiter.resume(throwing: error) }
        }
        if !isTaken { waiter.resume(throwing: HTTPStreamError.clientIsGone) }
      }
    }
  }

  package func write(_ event: ServerSentEvent) async throws { try await write(event.encoded) }
}

package enum HTTPStreamError: Error, Sendable, Equatable {
  case clientIsGone
  /// The client did not read within the write deadline.
  case clientIsTooSlow
  /// The response was over before.
  case hasEnded
}
