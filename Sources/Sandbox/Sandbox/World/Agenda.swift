import Contract

/// What is to happen, the earliest first, and at one moment in the order in which it was planned.
struct Agenda<Event> {
  private struct Entry {
    var due: Instant
    var number: UInt64
    var event: Event

    func isBefore(_ other: Entry) -> Bool { (due, number) < (other.due, other.number) }
  }

  private var heap: [Entry] = []
  private var lastNumber: UInt64 = 0

  var count: Int { heap.count }
  var nextDue: Instant? { heap.first?.due }

  mutating func add(_ event: Event, at due: Instant) {
    lastNumber += 1
    heap.append(Entry(due: due, number: lastNumber, event: event))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// The next event that is due at `now`, and when it was due.
  mutating func takeDue(at now: Instant) -> (event: Event, due: Instant)? {
    guard let first = heap.first, first.due <= now else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.event, first.due)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      if least == parent { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
