/// Something that the operator gives when a carrier is set up.
package struct SettingField: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case text
    /// `https://` or `http://`, a host, and perhaps a port and a path.
    case url
    /// A host, and perhaps a port.
    case host
    /// Digits.
    case number
    /// An offset from UTC: `utc`, `+10:00`.
    case zone
  }

  package var name: String
  package var title: String
  /// What it is and where the operator finds it.
  package var doc: String
  package var kind: Kind
  /// Kept encrypted and never shown again.
  package var isSecret: Bool
  /// Whether it must be given: there is no default, and the profile does not call it optional.
  package var isRequired: Bool
  package var defaultValue: String?

  /// Longest value.
  package static let limit = 1000

  /// Why `value` can not be used; nil when it can. The sentence does not repeat it.
  package func problem(with value: String) -> String? {
    guard value.utf8.count <= Self.limit else { return "\(title) is longer than \(Self.limit) characters." }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return "\(title) has a line end or another control character."
    }
    switch kind {
    case .text: return nil
    case .url:
      return Self.isURL(value) ? nil : "\(title) is not an address like https://example.com:9444/path."
    case .host:
      return Self.isAuthority(value.utf8[...]) ? nil : "\(title) is not a host like example.com or example.com:9444."
    case .number:
      return (1...18).contains(value.utf8.count) && value.utf8.allSatisfy(\.isDigit)
        ? nil : "\(title) is not a whole number."
    case .zone:
      return TimeFormat.offset(value) != nil ? nil : "\(title) is not an offset from UTC like +10:00."
    }
  }

  private static func isURL(_ value: String) -> Bool {
    var rest = value.utf8[...]
    if rest.starts(with: "https://".utf8) {
      rest = rest.dropFirst(8)
    } else if rest.starts(with: "http://".utf8) {
      rest = rest.dropFirst(7)
    } else {
      return false
    }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    return isAuthority(authority)
      && rest.dropFirst(authority.count).allSatisfy { octet in
        octet.isDigit || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet) || "-._~/%".utf8.contains(octet)
      }
  }

  /// No user name, which would go to the carrier's log.
  private static func isAuthority(_ octets: Substring.UTF8View) -> Bool {
    !octets.isEmpty && octets.first != UInt8(ascii: ":")
      && octets.allSatisfy { octet in
        octet.isDigit || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
          || "-.:[]".utf8.contains(octet)
      }
  }
}
