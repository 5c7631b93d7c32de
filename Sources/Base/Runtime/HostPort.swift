/// A host and a TCP or UDP port: `127.0.0.1:8080`, `[::1]:8080`, `sms.example.org:443`.
package struct HostPort: Sendable, Hashable, CustomStringConvertible {
  /// Without brackets.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// An IPv6 address stands in brackets; anything else has no colon and no space.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      let isAddress = host.utf8.allSatisfy { byte in
        hexDigits.contains(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
      }
      guard host.contains(":"), isAddress else { return nil }
    } else {
      guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Array("[]:/@".utf8).contains($0) }) else {
        return nil
      }
    }
    self.init(host: String(host), port: port)
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

private let hexDigits = Set("0123456789abcdefABCDEF".utf8)

extension SettingKind<HostPort> {
  package static var hostPort: Self {
    SettingKind(
      "a host and a port, like 127.0.0.1:8080 or [::1]:8080", example: "127.0.0.1:8080", parse: { HostPort($0) },
      write: \.description)
  }
}
