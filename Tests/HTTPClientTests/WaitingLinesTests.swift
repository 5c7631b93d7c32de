import Testing

@testable import HTTPClient

@Suite("Who goes next")
struct WaitingLinesTests {
  @Test("Each line has its limit, and a finished one makes room")
  func perLine() {
    var lines = WaitingLines<Int>(maximumPerLine: 2, maximum: 100)
    for number in 1...4 { lines.add(number, to: "a") }
    #expect(lines.next() == 1)
    #expect(lines.next() == 2)
    #expect(lines.next() == nil)
    lines.finished("a")
    #expect(lines.next() == 3)
    #expect(lines.next() == nil)
    #expect(lines.active == 2)
    #expect(lines.waiting == 1)
  }

  @Test("Where all together are limited, lines take turns")
  func turns() {
    var lines = WaitingLines<String>(maximumPerLine: 10, maximum: 2)
    for number in 1...5 { lines.add("a\(number)", to: "a") }
    var order = [lines.next(), lines.next()]
    #expect(lines.next() == nil)
    for number in 1...2 { lines.add("b\(number)", to: "b") }
    lines.finished("a")
    order.append(lines.next())
    lines.finished("a")
    order.append(lines.next())
    lines.finished("a")
    order.append(lines.next())
    lines.finished("b")
    order.append(lines.next())
    #expect(order == ["a1", "a2", "a3", "b1", "a4", "b2"])
  }

  @Test("Whoever is taken out of a line is gone, and the others keep their order")
  func removal() {
    var lines = WaitingLines<Int>(maximumPerLine: 1, maximum: 100)
    for number in 1...6 { lines.add(number, to: "a") }
    lines.add(8, to: "b")
    #expect(lines.next() == 1)
    #expect(lines.remove { $0.isMultiple(of: 2) }.sorted() == [2, 4, 6, 8])
    #expect(lines.next() == nil)
    lines.finished("a")
    #expect(lines.next() == 3)
    lines.finished("a")
    #expect(lines.next() == 5)
    lines.finished("a")
    #expect(lines.next() == nil)
    #expect(lines.active == 0)
    #expect(lines.waiting == 0)
  }

  @Test("A queue gives back what it got, in order, however it grows and shrinks")
  func queue() {
    var queue = Queue<Int>()
    var next = 0
    var added = 0
    for round in 1...200 {
      for _ in 0..<round % 17 {
        queue.append(added)
        added += 1
      }
      for _ in 0..<round % 13 {
        guard let element = queue.popFirst() else { break }
        #expect(element == next)
        next += 1
      }
    }
    while let element = queue.popFirst() {
      #expect(element == next)
      next += 1
    }
    #expect(next == added)
    #expect(queue.isEmpty)
  }
}
