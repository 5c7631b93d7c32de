/// First in, first out, in amortised constant time.
struct Ring<Element> {
  fileprivate var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : elements[head] }

  var last: Element? { elements.last ?? nil }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if head >= 64, head > elements.count / 2 {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func removeFirst(_ count: Int) { for _ in 0..<count { _ = popFirst() } }

  func prefix(_ count: Int) -> [Element] { elements[head...].prefix(count).compactMap { $0 } }
  func suffix(_ count: Int) -> [Element] { elements[head...].suffix(count).compactMap { $0 } }
}

extension Ring where Element == [UInt8] {
  /// Lengthens the last element in place.
  mutating func appendToLast(_ bytes: [UInt8]) { elements[elements.count - 1]?.append(contentsOf: bytes) }
}
