import COpenSSL
import CSodium

/// FIPS 180-4. For whole texts, or piece by piece for what is too large to hold.
package struct SHA256: Sendable {
  package static let length = 32

  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    digest(bytes, EVP_sha256(), length: length)
  }

  private var state = crypto_hash_sha256_state()

  package init() { crypto_hash_sha256_init(&state) }

  package mutating func update(_ bytes: [UInt8]) {
    crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
  }

  /// The hash of everything so far.
  package func finish() -> [UInt8] {
    var state = state
    var hash = [UInt8](repeating: 0, count: Self.length)
    crypto_hash_sha256_final(&state, &hash)
    return hash
  }
}

/// FIPS 180-4. Only where an old protocol demands it; not for anything new.
package enum SHA1 {
  package static let length = 20

  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    digest(bytes, EVP_sha1(), length: length)
  }
}

/// RFC 2104.
package enum HMAC {
  package static func sha256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    code(key, message, EVP_sha256(), length: SHA256.length)
  }

  /// Only where an old protocol demands it, as Twilio's signatures do.
  package static func sha1(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    code(key, message, EVP_sha1(), length: SHA1.length)
  }

  private static func code(_ key: [UInt8], _ message: [UInt8], _ hash: OpaquePointer?, length: Int) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: length)
    var written: UInt32 = 0
    let result = COpenSSL.HMAC(hash, key, Int32(clamping: key.count), message, message.count, &code, &written)
    // OpenSSL fails here only when memory is exhausted; a wrong code must not look like a right one.
    precondition(result != nil && Int(written) == length, "OpenSSL has no memory left")
    return code
  }
}

/// RFC 5869 with SHA-256.
package enum HKDF {
  /// - Parameter length: at most 8,160 bytes; more is cut to that.
  package static func sha256(key: [UInt8], salt: [UInt8] = [], info: [UInt8], length: Int) -> [UInt8] {
    var extracted = HMAC.sha256(key: salt.isEmpty ? [UInt8](repeating: 0, count: SHA256.length) : salt, key)
    defer { wipe(&extracted) }
    let length = min(max(0, length), 255 * SHA256.length)
    var output: [UInt8] = []
    var block: [UInt8] = []
    var counter: UInt8 = 0
    while output.count < length {
      counter += 1
      block = HMAC.sha256(key: extracted, block + info + [counter])
      output += block
    }
    return Array(output.prefix(length))
  }
}

private func digest(_ bytes: [UInt8], _ hash: OpaquePointer?, length: Int) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: length)
  let result = EVP_Digest(bytes, bytes.count, &digest, nil, hash, nil)
  precondition(result == 1, "OpenSSL has no memory left")
  return digest
}
