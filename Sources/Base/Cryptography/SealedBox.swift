import CSodium

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): a fresh random nonce of 24 bytes, then the ciphertext, then a tag of
/// 16 bytes. The nonce is long enough to be drawn at random for every box of one key.
package enum SealedBox {
  package static let keyLength = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
  package static let overhead = nonceLength + tagLength
  private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - context: not in the box, but it opens only with the same.
  package static func seal(_ bytes: [UInt8], key: [UInt8], context: [UInt8] = []) -> [UInt8] {
    seal(bytes, key: key, context: context, nonce: randomBytes(nonceLength))
  }

  static func seal(_ bytes: [UInt8], key: [UInt8], context: [UInt8], nonce: [UInt8]) -> [UInt8] {
    precondition(key.count == keyLength && nonce.count == nonceLength, "a key has 32 bytes and a nonce 24")
    var sealed = [UInt8](repeating: 0, count: bytes.count + tagLength)
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, nil, bytes, UInt64(bytes.count), context, UInt64(context.count), nil, nonce, key)
    return nonce + sealed
  }

  /// - Returns: nil when the box was sealed with another key or context, or was changed since.
  package static func open(_ box: [UInt8], key: [UInt8], context: [UInt8] = []) -> [UInt8]? {
    precondition(key.count == keyLength, "a key has 32 bytes")
    guard box.count >= overhead else { return nil }
    let nonce = Array(box.prefix(nonceLength))
    let sealed = Array(box.dropFirst(nonceLength))
    var bytes = [UInt8](repeating: 0, count: sealed.count - tagLength)
    let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &bytes, nil, nil, sealed, UInt64(sealed.count), context, UInt64(context.count), nonce, key)
    return result == 0 ? bytes : nil
  }
}
