/// Which Internet addresses a request to a stranger's server may reach: globally reachable unicast ones.
///
/// A URL that somebody else chose (a webhook, a redirect) must not reach into this machine or its network. The tables
/// are IANA's special-purpose registries (RFC 6890 and its successors), read 2026.
package enum AddressGuard {
  /// - Parameter address: 4 bytes (IPv4) or 16 (IPv6), in network order; any other length is refused.
  package static func isPublic(_ address: some Collection<UInt8>) -> Bool {
    switch address.count {
    case 4: isPublic(version4: address.reduce(0) { $0 << 8 | UInt32($1) })
    case 16: isPublic(version6: address.reduce(0) { $0 << 8 | UInt128($1) })
    default: false
    }
  }

  private static func isPublic(version4 address: UInt32) -> Bool {
    !reserved4.contains { block, length in address >> (32 - length) == block >> (32 - length) }
  }

  private static func isPublic(version6 address: UInt128) -> Bool {
    let embedded = UInt32(truncatingIfNeeded: address)
    // ::ffff:0:0/96 (IPv4-mapped) and 64:ff9b::/96 (NAT64, RFC 6052) carry an IPv4 address at their end.
    if address >> 32 == 0xffff || address >> 32 == 0x64_ff9b << 64 { return isPublic(version4: embedded) }
    // 2002::/16 (6to4, RFC 3056) carries it behind its prefix.
    if address >> 112 == 0x2002 { return isPublic(version4: UInt32(truncatingIfNeeded: address >> 80)) }
    // Only 2000::/3 is global unicast: this leaves out ::, ::1, 64:ff9b:1::/48, 100::/64, fc00::/7, fe80::/10, ff00::/8.
    guard address >> 125 == 0b001 else { return false }
    // 2001::/23 (Teredo, benchmarks, ORCHID), 2001:db8::/32 and 3fff::/20 (documentation).
    return address >> 105 != 0x2001_0000 >> 9 && address >> 96 != 0x2001_0db8 && address >> 108 != 0x3fff0
  }

  private static let reserved4: [(UInt32, length: UInt32)] = [
    (0x0000_0000, 8),  // 0.0.0.0/8, this network
    (0x0a00_0000, 8),  // 10.0.0.0/8, private (RFC 1918)
    (0x6440_0000, 10),  // 100.64.0.0/10, carriers' NAT (RFC 6598)
    (0x7f00_0000, 8),  // 127.0.0.0/8, loopback
    (0xa9fe_0000, 16),  // 169.254.0.0/16, link-local, clouds' metadata
    (0xac10_0000, 12),  // 172.16.0.0/12, private
    (0xc000_0000, 24),  // 192.0.0.0/24, protocol assignments
    (0xc000_0200, 24),  // 192.0.2.0/24, documentation
    (0xc058_6300, 24),  // 192.88.99.0/24, the former 6to4 relays
    (0xc0a8_0000, 16),  // 192.168.0.0/16, private
    (0xc612_0000, 15),  // 198.18.0.0/15, benchmarks (RFC 2544)
    (0xc633_6400, 24),  // 198.51.100.0/24, documentation
    (0xcb00_7100, 24),  // 203.0.113.0/24, documentation
    (0xe000_0000, 4),  // 224.0.0.0/4, multicast
    (0xf000_0000, 4),  // 240.0.0.0/4, reserved, and 255.255.255.255
  ]
}
