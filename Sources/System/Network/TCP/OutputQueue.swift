/// Bytes that wait for the socket, first in, first out.
struct OutputQueue {
  private var parts: [[UInt8]] = []
  private var head = 0
  private var offset = 0

  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// - Parameter skipping: bytes at the start that were sent already; only into an empty queue.
  mutating func append(_ bytes: [UInt8], skipping sent: Int = 0) {
    guard sent < bytes.count else { return }
    if parts.isEmpty { offset = sent }
    parts.append(bytes)
    count += bytes.count - sent
  }

  /// Shows the first unsent bytes to `body`.
  func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard head < parts.count else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return parts[head].withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
  }

  /// Forgets bytes of the first part.
  mutating func drop(_ sent: Int) {
    guard head < parts.count else { return }
    count -= sent
    offset += sent
    guard offset >= parts[head].count else { return }
    parts[head] = []
    head += 1
    offset = 0
    if head == parts.count {
      parts.removeAll(keepingCapacity: false)
      head = 0
    } else if head >= 64, head * 2 > parts.count {
      parts.removeFirst(head)
      head = 0
    }
  }

  mutating func removeAll() { self = OutputQueue() }
}
