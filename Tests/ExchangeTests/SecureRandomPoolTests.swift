import Exchange
import Testing

/// Random numbers in larger draughts.
struct SecureRandomPoolTests {
  @Test("Many at once draw different numbers")
  func distinct() async {
    let pool = SecureRandomPool()
    let numbers = await withTaskGroup(of: [UInt64].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1000).map { _ in pool.next() } } }
      return await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
    }
    #expect(numbers.count == 8000)
  }
}
