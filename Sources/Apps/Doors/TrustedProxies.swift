package import Network

/// Proxies in front whose word on who asks is taken: `X-Forwarded-For` and `X-Forwarded-Proto`. Everybody else's is
/// ignored, so that nobody can pass for another address.
package struct TrustedProxies: Sendable {
  private let addresses: Set<String>

  /// - Parameter addresses: numeric addresses, as connections show them.
  package init(_ addresses: [String]) { self.addresses = Set(addresses) }

  /// The request as the proxy saw it.
  package func seenThrough(_ request: HTTPRequest) -> HTTPRequest {
    guard addresses.contains(request.remoteAddress) else { return request }
    var request = request
    // The nearest address that is no proxy of ours; what stands before it anybody may have written.
    let forwarded = request.headers.all("x-forwarded-for").joined(separator: ",")
      .split(separator: ",").map { entry in String(entry.filter { $0 != " " }) }.filter { !$0.isEmpty }
    if let client = forwarded.last(where: { !addresses.contains($0) }), client.utf8.count <= 45 {
      request.remoteAddress = client
    }
    if let scheme = request.headers["x-forwarded-proto"] { request.isSecure = scheme.lowercased() == "https" }
    return request
  }
}
