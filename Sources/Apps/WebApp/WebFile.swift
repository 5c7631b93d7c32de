import Cryptography
import Network

/// One file of the app in all its encodings.
struct WebFile: Sendable {
  let type: String
  /// Its name has a hash of its content, so it is the same for ever.
  let isImmutable: Bool
  let identity: [UInt8]
  let brotli: [UInt8]?
  let gzip: [UInt8]?
  /// Weak, as it is the same for every encoding (RFC 9110 section 8.8.3).
  let tag: String

  init(type: String, isImmutable: Bool = false, identity: [UInt8], brotli: [UInt8]? = nil, gzip: [UInt8]? = nil) {
    self.type = type
    self.isImmutable = isImmutable
    self.identity = identity
    self.brotli = brotli
    self.gzip = gzip
    tag = "W/\"\(Hex.encode(Array(SHA256.hash(identity).prefix(8))))\""
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    var available: Set<ContentEncoding> = [.identity]
    if brotli != nil { available.insert(.brotli) }
    if gzip != nil { available.insert(.gzip) }
    let encoding = ContentEncoding(for: request, among: available)
    var headers = HTTPHeaders()
    headers.add("content-type", type)
    headers.add("cache-control", isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
    if available.count > 1 { headers.add("vary", "accept-encoding") }
    // What never changes is never asked for again.
    if !isImmutable { headers.add("etag", tag) }
    headers.add("x-content-type-options", "nosniff")
    headers.add("cross-origin-resource-policy", "same-origin")
    if request.holds(tag: tag) { return HTTPResponse(status: 304, headers: headers) }
    if encoding != .identity { headers.add("content-encoding", encoding.rawValue) }
    let bytes =
      switch encoding {
      case .brotli: brotli ?? identity
      case .gzip: gzip ?? identity
      case .identity: identity
      }
    return HTTPResponse(headers: headers, body: .bytes(bytes))
  }
}

extension HTTPRequest {
  /// Whether the client has what `tag` stands for (RFC 9110 section 13.1.2), by the weak comparison.
  func holds(tag: String) -> Bool {
    func bare(_ tag: Substring) -> Substring {
      let tag = Substring(tag.filter { !$0.isWhitespace })
      return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }
    return headers.all("if-none-match").contains { value in
      value.split(separator: ",", maxSplits: 32).contains { bare($0) == bare(tag[...]) || bare($0) == "*" }
    }
  }
}
