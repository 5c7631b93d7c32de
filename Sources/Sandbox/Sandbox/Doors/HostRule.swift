import Network

/// Under which names the sandbox answers: a page of a stranger's site must not reach it through a name that it lets
/// point to this machine (DNS rebinding), nor by a form.
struct HostRule: Sendable {
  private let names: Set<String>

  init(_ configuration: SandboxConfiguration) {
    names = Set((configuration.hostNames + [configuration.host, "localhost"]).map { $0.lowercased() })
  }

  /// Numeric addresses can not be rebound.
  func allows(_ request: HTTPRequest) -> Bool {
    guard let authority = request.headers["host"], let host = Self.host(of: authority) else { return false }
    guard names.contains(host) || Self.isNumeric(host) else { return false }
    guard let origin = request.headers["origin"] else { return true }
    return origin.lowercased() == "http://\(authority.lowercased())"
  }

  private static func host(of authority: String) -> String? {
    if authority.hasPrefix("[") {
      return authority.firstIndex(of: "]").map { authority[..<$0].dropFirst().lowercased() }
    }
    return authority.split(separator: ":", omittingEmptySubsequences: false).first.map { $0.lowercased() }
  }

  private static func isNumeric(_ host: String) -> Bool { host.contains(":") || version4(host) != nil }

  private static func version4(_ host: String) -> [UInt8]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { UInt8($0) }
    return parts.count == 4 && numbers.count == 4 ? numbers : nil
  }

  /// Whether only this machine reaches a server that listens there.
  static func isLoopback(_ host: String) -> Bool {
    host.lowercased() == "localhost" || host == "::1" || version4(host)?.first == 127
  }
}
