/// The answer to a request.
///
/// The server itself writes Date, Connection, Content-Length and Transfer-Encoding, and leaves out such fields of
/// `headers`; `Connection: close` there closes the connection after the answer. An answer whose fields hold a line break
/// or another control character is replaced by a 500.
package struct HTTPResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Writes the body piece by piece. When it throws, or the client is gone, the connection is cut, so that the client
    /// sees that something is missing. Its task is cancelled when the client is gone and when the server stops.
    case stream(@Sendable (HTTPBodyWriter) async throws -> Void)
  }

  package var status: Int
  package var headers: HTTPHeaders
  package var body: Body

  package init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(status: Int = 200, contentType: String, bytes: [UInt8]) {
    self.init(status: status, headers: ["Content-Type": contentType], body: .bytes(bytes))
  }

  /// Plain text in UTF-8.
  package init(status: Int = 200, text: String) {
    self.init(status: status, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
  }

  package init(
    status: Int = 200, contentType: String, stream: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
  ) {
    self.init(status: status, headers: ["Content-Type": contentType], body: .stream(stream))
  }

  /// Server-sent events: never cached, and not held back by nginx. They end at once when the server stops.
  package init(eventStream: @escaping @Sendable (HTTPBodyWriter) async throws -> Void) {
    self.init(
      headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"],
      body: .stream(eventStream))
  }

  var isEventStream: Bool { headers["content-type"]?.hasPrefix("text/event-stream") ?? false }
}
