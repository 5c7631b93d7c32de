extension OutgoingRequest {
  /// Refuses whatever could put a second header or request on the wire, or that libcurl would understand otherwise
  /// than it is written.
  /// - Parameter origin: the request's own, worked out once.
  func validate(origin: String) throws(HTTPClientError) {
    guard !method.isEmpty, method.utf8.allSatisfy(\.isToken) else {
      throw .invalidRequest("the method is not a token")
    }
    guard method != "HEAD" || body.isEmpty else { throw .invalidRequest("a HEAD request has no body") }
    guard method != "CONNECT" else { throw .invalidRequest("the method CONNECT is for proxies") }
    guard url.utf8.count <= 65_536 else { throw .invalidRequest("the URL is longer than 65536 bytes") }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw .invalidRequest("the URL has a space or a control character in it")
    }
    guard !origin.isEmpty else { throw .invalidRequest("the URL is not an absolute http or https URL") }
    for header in headers {
      guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isToken) else {
        throw .invalidRequest("the name of a header is not a token")
      }
      guard header.value.utf8.allSatisfy(\.isFieldText) else {
        throw .invalidRequest("a header has a line break or another control character in it")
      }
      guard !Self.framing.contains(where: { header.name.equalsIgnoringCase($0) }) else {
        throw .invalidRequest("the header \(header.name.lowercased()) is the client's own to set")
      }
    }
  }

  /// Scheme and authority in small letters, as they are written: connections are counted by it. Empty when the URL is
  /// neither `http` nor `https`.
  var origin: String {
    for scheme in ["https://", "http://"] where url.utf8.count > scheme.utf8.count {
      let bytes = url.utf8
      let start = bytes.index(bytes.startIndex, offsetBy: scheme.utf8.count)
      guard url[..<start].equalsIgnoringCase(scheme) else { continue }
      let rest = bytes[start...]
      let end =
        rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        ?? bytes.endIndex
      return start == end ? "" : url[..<end].lowercased()
    }
    return ""
  }

  private static let framing = ["content-length", "transfer-encoding", "connection", "expect", "te", "upgrade"]
}

extension StringProtocol {
  /// For the names of headers and schemes: ASCII letters only.
  func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercased == $1.lowercased }
  }
}

extension UInt8 {
  var lowercased: UInt8 { self >= 0x41 && self <= 0x5a ? self | 0x20 : self }

  /// RFC 9110, 5.6.2: `tchar`.
  fileprivate var isToken: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// RFC 9110, 5.5: what may stand in a field value.
  fileprivate var isFieldText: Bool { self == 0x09 || (self >= 0x20 && self != 0x7f) }
}
