import Foundation

/// The key from which every other key of an exchange is derived.
///
/// It lies in a file of mode 0600 or comes in an environment variable, as 64 hexadecimal digits. Whoever has it and the
/// database has all secrets; without it they can not be read again.
package struct MasterKey: Sendable {
  package static let length = 32

  private let secret: SecretBytes
  /// Tells keys apart in what they sealed, so that one can be replaced while old boxes are still about.
  package let id: UInt8

  /// - Parameter bytes: 32 of them; wiped.
  package init?(wiping bytes: inout [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    secret = SecretBytes(wiping: &bytes)
    id = Self.derive("key id", from: secret, length: 1).first ?? 0
  }

  /// Reads 64 hexadecimal digits; white space round them does not count. Nil for anything else.
  package init?(hex text: String) {
    guard var bytes = Hex.decode(text.filter { !$0.isWhitespace }) else { return nil }
    self.init(wiping: &bytes)
  }

  private static func derive(_ purpose: String, from secret: SecretBytes, length: Int) -> [UInt8] {
    secret.withBytes { HKDF.sha256(key: $0, info: Array("switchboard \(purpose)".utf8), length: length) }
  }

  /// A key of its own for one purpose; the same each time.
  package func subkey(_ purpose: Purpose) -> [UInt8] {
    Self.derive(purpose.label, from: secret, length: SealedBox.keyLength)
  }

  /// What a derived key is for: a constant of the program, such as `carrier password`.
  package struct Purpose: Sendable, Hashable, ExpressibleByStringLiteral {
    let label: String

    package init(stringLiteral label: StaticString) { self.label = String(describing: label) }
  }

  // MARK: What must be read again

  /// Encrypts `bytes`; the box opens only with this key and for the same purpose.
  package func seal(_ bytes: [UInt8], purpose: Purpose) -> [UInt8] {
    var key = subkey(purpose)
    defer { wipe(&key) }
    return [id] + SealedBox.seal(bytes, key: key, context: Array(purpose.label.utf8))
  }

  package func open(_ box: [UInt8], purpose: Purpose) throws(OpenError) -> [UInt8] {
    guard box.count > SealedBox.overhead, let sealedBy = box.first else { throw .damaged }
    guard sealedBy == id else { throw .otherKey }
    var key = subkey(purpose)
    defer { wipe(&key) }
    guard let bytes = SealedBox.open(Array(box.dropFirst()), key: key, context: Array(purpose.label.utf8)) else {
      throw .damaged
    }
    return bytes
  }

  package enum OpenError: Error, Equatable, CustomStringConvertible {
    case otherKey
    case damaged

    package var description: String {
      switch self {
      case .otherKey:
        "This secret was encrypted with another master key. Put that key back, or enter the secret again."
      case .damaged: "This secret can not be decrypted: it was changed or cut. Enter it again."
      }
    }
  }

  // MARK: What need only be compared

  /// The keyed hash under which an API key or a session token is kept: 32 bytes.
  package func hash(_ token: [UInt8], purpose: Purpose) -> [UInt8] {
    var key = subkey(purpose)
    defer { wipe(&key) }
    return HMAC.sha256(key: key, token)
  }

  package func hash(_ token: String, purpose: Purpose) -> [UInt8] { hash(Array(token.utf8), purpose: purpose) }
}
