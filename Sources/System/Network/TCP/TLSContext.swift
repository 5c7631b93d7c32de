import COpenSSL
import Foundation

/// Where a server's certificate chain and its private key are, as PEM files.
package struct TLSFiles: Sendable, Equatable {
  package var certificate: String
  package var key: String

  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}

/// A certificate or key that can not be used; the description is for the operator and holds no secret.
package struct TLSError: Error, CustomStringConvertible {
  package var description: String
}

/// What all TLS connections of a server share: certificate, key, versions (1.2 and later).
package final class TLSContext: @unchecked Sendable {
  let pointer: OpaquePointer

  package init(_ files: TLSFiles) throws(TLSError) {
    guard let pointer = SSL_CTX_new(TLS_server_method()) else {
      throw TLSError(description: "OpenSSL could not make a context: \(Self.lastError())")
    }
    self.pointer = pointer
    SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    let modes = UInt(SSL_MODE_ENABLE_PARTIAL_WRITE) | UInt(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)
    SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(modes | UInt(SSL_MODE_RELEASE_BUFFERS)), nil)
    SSL_CTX_set_options(pointer, UInt64(1 << 30))  // SSL_OP_NO_RENEGOTIATION
    SSL_CTX_set_alpn_select_cb(pointer, selectHTTP1, nil)
    guard SSL_CTX_use_certificate_chain_file(pointer, files.certificate) == 1 else {
      throw TLSError(
        description: "the certificate \(files.certificate) can not be used (\(Self.lastError())); give a PEM file")
    }
    guard SSL_CTX_use_PrivateKey_file(pointer, files.key, SSL_FILETYPE_PEM) == 1 else {
      throw TLSError(description: "the private key \(files.key) can not be used (\(Self.lastError())); give a PEM file")
    }
    guard SSL_CTX_check_private_key(pointer) == 1 else {
      throw TLSError(description: "the private key \(files.key) does not belong to \(files.certificate)")
    }
  }

  deinit { SSL_CTX_free(pointer) }

  static func lastError() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let reason = ERR_reason_error_string(code) else { return "no reason given" }
    return String(cString: reason)
  }
}

/// ALPN (RFC 7301): `http/1.1` where the client offers it; otherwise no answer, which old clients take for HTTP/1.1 too.
private func selectHTTP1(
  _: OpaquePointer?, chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, length: UnsafeMutablePointer<UInt8>?,
  offered: UnsafePointer<UInt8>?, offeredLength: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
  guard let chosen, let length, let offered else { return SSL_TLSEXT_ERR_NOACK }
  let name = Array("http/1.1".utf8)
  var index = 0
  while index < Int(offeredLength) {
    let count = Int(offered[index])
    guard index + 1 + count <= Int(offeredLength) else { break }
    if UnsafeBufferPointer(start: offered + index + 1, count: count).elementsEqual(name) {
      chosen.pointee = offered + index + 1
      length.pointee = UInt8(count)
      return SSL_TLSEXT_ERR_OK
    }
    index += 1 + count
  }
  return SSL_TLSEXT_ERR_NOACK
}
