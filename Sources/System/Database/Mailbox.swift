import Foundation

/// Work on its way to threads that wait for it. Bounded: what does not fit is refused, not kept.
final class Mailbox<Item>: @unchecked Sendable {
  // All of it is guarded by the mutex. Two stacks make a queue: items are put on one, and taken from the other.
  private var entrance: [Item] = []
  private var exit: [Item] = []
  private var isClosed = false
  private var sleepers = 0
  private let limit: Int
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  enum Refusal {
    case full
    case closed
  }

  init(limit: Int) {
    self.limit = limit
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Leaves an item, or says why it can not.
  func post(_ item: sending Item) -> Refusal? {
    pthread_mutex_lock(mutex)
    let refusal: Refusal? = isClosed ? .closed : entrance.count + exit.count >= limit ? .full : nil
    if refusal == nil { entrance.append(item) }
    let mustWake = refusal == nil && sleepers > 0
    pthread_mutex_unlock(mutex)
    // Outside the mutex, for which the thread would wait as soon as it wakes.
    if mustWake { pthread_cond_signal(condition) }
    return refusal
  }

  /// Waits for items, and takes up to `most` in the order they came, into `items`.
  /// - Returns: false when the mailbox is closed and empty.
  func take(upTo most: Int, into items: inout [Item]) -> Bool {
    items.removeAll(keepingCapacity: true)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while entrance.isEmpty, exit.isEmpty {
      if isClosed { return false }
      sleepers += 1
      pthread_cond_wait(condition, mutex)
      sleepers -= 1
    }
    while items.count < most {
      if exit.isEmpty {
        if entrance.isEmpty { break }
        swap(&entrance, &exit)
        exit.reverse()
      }
      items.append(exit.removeLast())
    }
    return true
  }

  /// Takes nothing more; what is in it already is still handed out.
  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  var count: Int {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return entrance.count + exit.count
  }
}
