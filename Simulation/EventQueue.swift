import Contract
import Delivery
import Exchange

/// What is going to happen in the world.
enum Happening {
  // People and programs
  case request(Int)
  case cancel
  /// Somebody calls back what is under way.
  case callBack(call: Int)
  // The server; `epoch` tells one life of it from the next
  case turn(epoch: Int, token: Int)
  case perform(epoch: Int, plan: DispatchPlan)
  case performed(epoch: Int, plan: DispatchPlan, result: DispatchResult)
  case call(epoch: Int, lease: Lease)
  case crash
  case restart
  case stop
  case configure
  case stepClock
  // Carriers and phones
  case arrive(call: Int)
  case answer(call: Int, outcome: AttemptOutcome)
  case timeLimit(call: Int)
  case phone(acceptance: Int, part: Int)
  case report(Int)
}

/// Happenings in order of time; those of one millisecond in the order in which they were planned. A binary heap.
struct EventQueue {
  private struct Entry {
    let at: Int64
    let number: UInt64
    let happening: Happening

    func isBefore(_ other: Entry) -> Bool { at != other.at ? at < other.at : number < other.number }
  }

  private var heap: [Entry] = []
  private var count: UInt64 = 0

  mutating func push(at: Int64, _ happening: Happening) {
    count += 1
    heap.append(Entry(at: at, number: count, happening: happening))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> (at: Int64, happening: Happening)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return (first.at, first.happening) }
    heap[0] = last
    var parent = 0
    while true {
      var child = parent * 2 + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return (first.at, first.happening)
  }
}
