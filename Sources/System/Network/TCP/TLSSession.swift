import COpenSSL

/// The TLS state of one connection, over its non-blocking descriptor. On the loop of its connection only.
final class TLSSession {
  enum Outcome {
    case bytes(Int)
    case wantsInput
    case wantsOutput
    /// The peer said it will send no more.
    case ended
    case failed
  }

  private let pointer: OpaquePointer

  init?(_ context: TLSContext, descriptor: Int32) {
    guard let pointer = SSL_new(context.pointer) else { return nil }
    self.pointer = pointer
    guard SSL_set_fd(pointer, descriptor) == 1 else {
      SSL_free(pointer)
      return nil
    }
    SSL_set_accept_state(pointer)
  }

  deinit { SSL_free(pointer) }

  /// Decrypted bytes that no event will announce.
  var hasPendingInput: Bool { SSL_has_pending(pointer) == 1 }

  func handshake() -> Outcome {
    ERR_clear_error()
    return outcome(SSL_do_handshake(pointer))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    ERR_clear_error()
    return outcome(SSL_read(pointer, buffer.baseAddress, Int32(clamping: buffer.count)))
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    guard !bytes.isEmpty else { return .bytes(0) }
    ERR_clear_error()
    return outcome(SSL_write(pointer, bytes.baseAddress, Int32(clamping: bytes.count)))
  }

  /// Says that no more will be sent (close_notify); does not wait for the peer's.
  func shutdown() {
    ERR_clear_error()
    SSL_shutdown(pointer)
  }

  private func outcome(_ result: Int32) -> Outcome {
    if result > 0 { return .bytes(Int(result)) }
    switch SSL_get_error(pointer, result) {
    case SSL_ERROR_WANT_READ: return .wantsInput
    case SSL_ERROR_WANT_WRITE: return .wantsOutput
    case SSL_ERROR_ZERO_RETURN: return .ended
    default: return .failed
    }
  }
}
