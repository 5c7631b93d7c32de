/// Who goes next: one line per server, at most so many of each line and so many of all at once, and lines that wait
/// take turns, so that a slow server holds up nobody else's line.
struct WaitingLines<Element> {
  private struct Line {
    var active = 0
    var waiting = Queue<Element>()
    var isInTurn = false
  }

  private var lines: [String: Line] = [:]
  private var turns = Queue<String>()
  private let maximumPerLine: Int
  private let maximum: Int
  private(set) var active = 0
  private(set) var waiting = 0

  init(maximumPerLine: Int, maximum: Int) {
    self.maximumPerLine = max(1, maximumPerLine)
    self.maximum = max(1, maximum)
  }

  mutating func add(_ element: Element, to name: String) {
    lines[name, default: Line()].waiting.append(element)
    waiting += 1
    giveTurn(to: name)
  }

  /// Takes the next that may go, or nil while nobody may. Whoever went must be reported to `finished`.
  mutating func next() -> Element? {
    while active < maximum, let name = turns.popFirst() {
      lines[name]?.isInTurn = false
      guard let element = lines[name]?.waiting.popFirst() else {
        forgetIfIdle(name)
        continue
      }
      lines[name]?.active += 1
      active += 1
      waiting -= 1
      giveTurn(to: name)
      return element
    }
    return nil
  }

  /// One of that line is through.
  mutating func finished(_ name: String) {
    lines[name]?.active -= 1
    active -= 1
    giveTurn(to: name)
    forgetIfIdle(name)
  }

  /// Takes everybody out who waits and satisfies `condition`.
  mutating func remove(where condition: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    for name in Array(lines.keys) {
      lines[name]?.waiting.remove(where: condition, into: &removed)
      forgetIfIdle(name)
    }
    waiting -= removed.count
    return removed
  }

  private mutating func giveTurn(to name: String) {
    guard let line = lines[name], !line.isInTurn, !line.waiting.isEmpty, line.active < maximumPerLine else { return }
    lines[name]?.isInTurn = true
    turns.append(name)
  }

  private mutating func forgetIfIdle(_ name: String) {
    if let line = lines[name], line.active == 0, line.waiting.isEmpty, !line.isInTurn { lines[name] = nil }
  }
}

/// First in, first out, in constant time.
struct Queue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head > 64, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  mutating func remove(where condition: (Element) -> Bool, into removed: inout [Element]) {
    var kept: [Element?] = []
    for case let element? in elements[head...] {
      if condition(element) { removed.append(element) } else { kept.append(element) }
    }
    elements = kept
    head = 0
  }
}
