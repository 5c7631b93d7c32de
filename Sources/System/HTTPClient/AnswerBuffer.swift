/// Gathers one answer as libcurl hands it over, within limits.
struct AnswerBuffer {
  private var headers: [(name: String, value: String)] = []
  private var body: [UInt8] = []
  private var headBytes = 0
  private let maximumBody: Int
  private(set) var isTooLarge = false

  /// Of all heads of one answer together (`100 Continue` and the like come before the real one).
  static let maximumHead = 65_536

  init(maximumBody: Int) { self.maximumBody = max(0, maximumBody) }

  /// Takes one line of the head, its line break included.
  /// - Returns: false when the transfer must end.
  mutating func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
    headBytes += line.count
    guard headBytes <= Self.maximumHead else {
      isTooLarge = true
      return false
    }
    // A trailer field comes after the body.
    guard body.isEmpty else { return true }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), !line.starts(with: "HTTP/".utf8) else {
      // A status line begins a head, and what an interim answer brought is forgotten.
      if line.starts(with: "HTTP/".utf8) { headers.removeAll(keepingCapacity: true) }
      return true
    }
    headers.append((Self.text(line[..<colon]), Self.text(line[(colon + 1)...])))
    return true
  }

  /// - Returns: false when the transfer must end.
  mutating func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= maximumBody - body.count else {
      isTooLarge = true
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  func response(status: Int) -> OutgoingResponse { OutgoingResponse(status: status, headers: headers, body: body) }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var bytes = bytes
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
  }
}
