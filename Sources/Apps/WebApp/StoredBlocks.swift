/// Goes on with a compressed stream that was ended on a whole byte but not finished: what follows is put in as it is.
///
/// So the page is compressed as well as can be when the app is built, and the few hundred bytes that are different for
/// everybody cost no compressor in the server.
enum StoredBlocks {
  /// Uncompressed meta-blocks, then the empty last one (RFC 7932 section 9.2).
  static func brotli(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(bytes.count + 8)
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      let block = bytes[start..<min(start + 65_536, bytes.count)]
      // ISLAST 0, MNIBBLES 0 (four nibbles), MLEN - 1, ISUNCOMPRESSED 1, then zeros to the next byte.
      let header = UInt32(block.count - 1) << 3 | 1 << 19
      stream.append(UInt8(truncatingIfNeeded: header))
      stream.append(UInt8(truncatingIfNeeded: header >> 8))
      stream.append(UInt8(truncatingIfNeeded: header >> 16))
      stream += block
    }
    stream.append(0x03)
    return stream
  }

  /// Stored blocks, the last one marked (RFC 1951 section 3.2.4).
  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(bytes.count + 8)
    for start in stride(from: 0, to: max(1, bytes.count), by: 65_535) {
      let end = min(start + 65_535, bytes.count)
      let count = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      for word in [count, ~count] {
        stream.append(UInt8(truncatingIfNeeded: word))
        stream.append(UInt8(truncatingIfNeeded: word >> 8))
      }
      stream += bytes[start..<end]
    }
    return stream
  }
}

/// The check sum of gzip (RFC 1952 section 8).
struct CRC32 {
  private var register: UInt32 = 0xFFFF_FFFF

  var value: UInt32 { ~register }

  mutating func update(_ bytes: [UInt8]) {
    for byte in bytes { register = Self.table[Int((register ^ UInt32(byte)) & 0xFF)] ^ register >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}
