import Foundation

/// Where a request comes from, as far as limits tell places apart.
struct ClientAddress: Sendable, Equatable {
  /// The address itself; of IPv6 its /64, since whoever has one address has at least that (RFC 6177).
  let own: String
  /// Its neighbourhood: the /24, of IPv6 the /48.
  let network: String

  /// - Parameter text: a numeric address. Anything else counts as a place of its own.
  init(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      (own, network) = Self.places(version4: bytes[..<4])
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      // IPv4 as IPv6 writes it (RFC 4291 section 2.5.5.2).
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      (own, network) =
        isMapped
        ? Self.places(version4: bytes[12...])
        : (
          Self.written(bytes[..<8], radix: 16, between: ":") + "/64",
          Self.written(bytes[..<6], radix: 16, between: ":") + "/48"
        )
    } else {
      (own, network) = (text, text)
    }
  }

  private static func places(version4 bytes: ArraySlice<UInt8>) -> (String, String) {
    (written(bytes, radix: 10, between: "."), written(bytes.prefix(3), radix: 10, between: ".") + "/24")
  }

  private static func written(_ bytes: ArraySlice<UInt8>, radix: Int, between separator: String) -> String {
    bytes.map { String($0, radix: radix) }.joined(separator: separator)
  }
}
