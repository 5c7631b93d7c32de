import Network

/// How a body was made smaller.
enum ContentEncoding: String, CaseIterable {
  case brotli = "br"
  case gzip
  case identity

  /// The smallest of those that `available` has and the client takes (RFC 9110 section 12.5.3).
  init(for request: HTTPRequest, among available: Set<ContentEncoding>) {
    let wishes = WeightedList(request.headers.all("accept-encoding"))
    self =
      Self.allCases.first { encoding in
        guard available.contains(encoding) else { return false }
        if encoding == .identity || wishes.refused.contains(encoding.rawValue) { return encoding == .identity }
        return wishes.names.contains(encoding.rawValue) || wishes.names.contains("*")
      } ?? .identity
  }
}
