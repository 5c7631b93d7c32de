/// One HTTP request to somebody else's server.
package struct OutgoingRequest: Sendable {
  /// A method as RFC 9110 spells it, such as `POST`.
  package var method: String
  /// An absolute `http` or `https` URL, percent-encoded.
  package var url: String
  /// Sent in this order. `Content-Length`, `Transfer-Encoding`, `Connection` and `Expect` belong to the client.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// For the whole call, from `send` to the last byte of the answer, redirects and waiting for a connection included.
  package var timeout: Duration
  /// For finding the address, connecting and the TLS handshake together.
  package var connectTimeout: Duration
  /// The longest body of an answer, in bytes; a longer one ends the call as uncertain.
  package var maximumResponse: Int
  /// Whether the server may stand on a private, loopback or otherwise reserved address (see `AddressGuard`). Does not
  /// hold for another server that it redirects to.
  package var allowsPrivateAddresses: Bool
  /// How many redirects are followed; the one after that is the answer. Another scheme, host or port gets none of the
  /// headers that may hold a key.
  package var maximumRedirects: Int
  /// A PEM file of the authorities to trust instead of the system's, for servers with certificates of their own.
  package var authoritiesFile: String?

  package init(
    method: String, url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    timeout: Duration = .seconds(20), connectTimeout: Duration = .seconds(5), maximumResponse: Int = 256 * 1024,
    allowsPrivateAddresses: Bool = false, maximumRedirects: Int = 0, authoritiesFile: String? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.maximumResponse = maximumResponse
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.maximumRedirects = maximumRedirects
    self.authoritiesFile = authoritiesFile
  }
}

extension OutgoingRequest: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without URL, headers and body: each may hold a key.
  package var description: String { "\(method) with \(body.count) bytes" }
  package var debugDescription: String { description }
}
