/// The page of one language: everything before the first data, and what follows it.
struct WebShell: Sendable {
  /// Modules that the screen at `path` brings beside those that the page names.
  struct Preload: Sendable {
    let path: String
    let files: [String]
  }

  let head: [UInt8]
  /// The same, compressed and ended on a whole byte without finishing the stream; nil where it was not compressed.
  let brotli: [UInt8]?
  let gzip: [UInt8]?
  let tail: [UInt8]
  /// Changes with the page, not with the first data.
  let tag: String
  let preloads: [Preload]
  private let sum: CRC32

  init(
    head: [UInt8], brotli: [UInt8]? = nil, gzip: [UInt8]? = nil, tail: [UInt8], tag: String, preloads: [Preload] = []
  ) {
    self.head = head
    self.brotli = brotli
    self.gzip = gzip
    self.tail = tail
    self.tag = tag
    self.preloads = preloads
    var sum = CRC32()
    sum.update(head)
    self.sum = sum
  }

  var encodings: Set<ContentEncoding> {
    var encodings: Set<ContentEncoding> = [.identity]
    if brotli != nil { encodings.insert(.brotli) }
    if gzip != nil { encodings.insert(.gzip) }
    return encodings
  }

  /// The whole page.
  /// - Parameter data: one JSON text.
  func page(_ data: [UInt8], as encoding: ContentEncoding) -> [UInt8] {
    let rest = Self.escaped(data) + tail
    switch encoding {
    case .brotli:
      guard let brotli else { return head + rest }
      return brotli + StoredBlocks.brotli(rest)
    case .gzip:
      guard let gzip else { return head + rest }
      var sum = sum
      sum.update(rest)
      let count = UInt32(truncatingIfNeeded: head.count + rest.count)
      let trailer = [sum.value, count].flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32($0 * 8)) }
      }
      return gzip + StoredBlocks.deflate(rest) + trailer
    case .identity:
      return head + rest
    }
  }

  /// In a script element only `<` can end it or begin a comment (HTML standard, section 4.12.1.3); in JSON it stands in
  /// texts alone.
  private static func escaped(_ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 16)
    for byte in data {
      if byte == UInt8(ascii: "<") { bytes += #"\u003c"#.utf8 } else { bytes.append(byte) }
    }
    return bytes
  }
}
