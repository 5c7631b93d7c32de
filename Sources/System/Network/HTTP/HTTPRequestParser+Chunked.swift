/// The chunked coding (RFC 9112 section 7.1).
extension HTTPRequestParser {
  /// The longest line that announces a chunk.
  private static var chunkLine: Int { 1024 }

  /// `1*HEXDIG [ chunk-ext ] CRLF`.
  mutating func readChunkSize() throws(HTTPViolation) -> Step {
    guard let line = try line(limit: Self.chunkLine, tooLong: .invalidChunk) else { return .needsMore }
    let (size, extensions) = try Self.reading(buffer, line) { (bytes) throws(HTTPViolation) in
      try Self.chunk(bytes)
    }
    start = cursor
    extensionCount += extensions
    if extensionCount > limits.chunkExtensions { throw .invalidChunk }
    if size == 0 {
      state = .trailers
      return .again
    }
    // Compared without adding: the size is the sender's word.
    if size > maximumBody - bodyCount { throw .bodyTooLarge }
    bodyCount += size
    state = .chunkData(remaining: size)
    return .again
  }

  private static func chunk(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(HTTPViolation) -> (size: Int, extensions: Int) {
    var size = 0
    var index = 0
    while index < bytes.count, let digit = HTTPSyntax.hexadecimal(bytes[index]) {
      // 15 digits fit into Int with room to spare.
      if index == 15 { throw .invalidChunk }
      size = size << 4 | Int(digit)
      index += 1
    }
    guard index > 0 else { throw .invalidChunk }
    let extensions = bytes.count - index
    guard extensions > 0 else { return (size, 0) }
    // *( BWS ";" BWS name [ BWS "=" BWS value ] ): the names mean nothing here, the characters must be sound.
    while index < bytes.count, bytes[index] == HTTPSyntax.space || bytes[index] == HTTPSyntax.tab { index += 1 }
    guard index < bytes.count, bytes[index] == 0x3B, bytes[index...].allSatisfy(HTTPSyntax.isFieldValue) else {
      throw .invalidChunk
    }
    return (size, extensions)
  }

  /// The CR LF after the data of a chunk.
  mutating func readChunkEnd() throws(HTTPViolation) -> Step {
    guard cursor < buffer.count else { return .needsMore }
    if buffer[cursor] != HTTPSyntax.carriageReturn { throw .invalidChunk }
    guard cursor + 1 < buffer.count else { return .needsMore }
    if buffer[cursor + 1] != HTTPSyntax.lineFeed { throw .invalidChunk }
    cursor += 2
    start = cursor
    state = .chunkSize
    return .again
  }

  /// Fields after the last chunk are checked and dropped: nothing may change a head that was acted upon.
  mutating func readTrailer() throws(HTTPViolation) -> Step {
    guard let line = try line(limit: limits.trailers - trailerBytes, tooLong: .trailersTooLarge) else {
      return .needsMore
    }
    trailerBytes += cursor - start
    start = cursor
    if line.isEmpty {
      state = .ended
      return .again
    }
    if trailerCount >= limits.fields { throw .trailersTooLarge }
    trailerCount += 1
    try Self.reading(buffer, line) { (bytes) throws(HTTPViolation) in _ = try Self.field(bytes) }
    return .again
  }
}
