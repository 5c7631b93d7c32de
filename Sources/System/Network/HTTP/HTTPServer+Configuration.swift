package import Runtime

extension HTTPServer {
  /// How a server listens and what it puts up with. Deadlines are counted from the first byte, not from the last, so that
  /// a trickle does not stretch them.
  package struct Configuration: Sendable {
    package var host: String
    /// 0 takes a free one.
    package var port: Int
    package var tls: TLSFiles?

    /// Further connections wait in the kernel until others have ended.
    package var maximumConnections = 10_000
    package var limits = HTTPRequestParser.Limits()
    /// Bytes of a body, where `bodyLimit` says nothing else. Default 1 MiB.
    package var maximumBody = 1 << 20
    /// Bytes of all bodies that are held at one time; a request that would exceed it is refused with 503.
    package var maximumBodiesTogether = 256 << 20
    /// Asked after the head and before the body: the limit for this method and path, or nil.
    package var bodyLimit: (@Sendable (_ method: String, _ path: String) -> Int?)?

    /// For a TLS handshake, and for a head from its first byte; then 408.
    package var headTimeout: Duration = .seconds(10)
    /// For a body from the end of the head; then 408. Where more than `maximumBody` is allowed, in proportion more.
    package var bodyTimeout: Duration = .seconds(30)
    /// For a connection without a request.
    package var idleTimeout: Duration = .seconds(60)
    /// For each 64 kB of a response that the client must take, or what is left of it.
    package var writeTimeout: Duration = .seconds(30)
    /// After the last response, for the client to close first.
    package var lingerTimeout: Duration = .seconds(2)
    /// For requests in hand when the server stops.
    package var stopTimeout: Duration = .seconds(10)

    /// Makes the answer to a request that no handler sees; the default is the violation's sentence as plain text.
    package var refusal: (@Sendable (HTTPViolation) -> HTTPResponse)?
    /// Told what an operator may want to know: a constant sentence, and data that holds nothing private.
    package var report: @Sendable (_ sentence: String, _ data: [String: String]) -> Void = { _, _ in }
    package var clock: any WallClock = SystemClock()

    package init(host: String = "127.0.0.1", port: Int = 0, tls: TLSFiles? = nil) {
      self.host = host
      self.port = port
      self.tls = tls
    }
  }
}
