/// A complete request, as a handler gets it.
package struct HTTPRequest: Sendable {
  package var method: String
  /// As it was sent.
  package var target: String
  /// Raw, before `?`.
  package var path: String
  /// Raw, after `?`; nil where there is none.
  package var query: String?
  package var headers: HTTPHeaders
  package var body: [UInt8]
  /// The peer's numeric address without its port; a proxy's where there is one.
  package var remoteAddress: String
  /// Whether it came over TLS to this server itself.
  package var isSecure: Bool
  /// Parts of the path by name, percent-decoded; set by `Router`.
  package var parameters: [String: String]
  /// Short and unique while the server runs, for the log.
  package var id: String

  package init(
    method: String, target: String, headers: HTTPHeaders = [:], body: [UInt8] = [], remoteAddress: String = "",
    isSecure: Bool = false, parameters: [String: String] = [:], id: String = ""
  ) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.method = method
    self.target = target
    path = String(parts.first ?? "")
    query = parts.count > 1 ? String(parts[1]) : nil
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
    self.parameters = parameters
    self.id = id
  }

  init(_ head: HTTPRequestHead, body: [UInt8], remoteAddress: String, isSecure: Bool, id: String) {
    method = head.method
    target = head.target
    path = head.path
    query = head.query
    headers = head.headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
    parameters = [:]
    self.id = id
  }

  /// The query as pairs in their order, `+` read as a space; empty without a query, nil when it is malformed.
  package func queryItems() -> [(name: String, value: String)]? {
    guard let query else { return [] }
    return FormDecoding().parse(query.utf8)
  }

  /// The value of the first cookie of this name (RFC 6265 section 4.2), as it was sent.
  package func cookie(_ name: String) -> String? {
    for header in headers.all("cookie") {
      for pair in header.split(separator: ";") {
        let pair = pair.drop { $0 == " " || $0 == "\t" }
        guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
        return String(pair[pair.index(after: equals)...])
      }
    }
    return nil
  }
}

package typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse
