import Runtime

/// The one source of chance in a run.
struct Dice {
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    _ = random.next()
  }

  mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance(_ probability: Double) -> Bool {
    probability > 0 && Double(random.next() >> 11) * 0x1p-53 < probability
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }

  /// One of several with weights.
  mutating func pick<Element>(_ weighted: [(Int, Element)]) -> Element {
    var rest = number(1...weighted.reduce(0) { $0 + $1.0 })
    for (weight, element) in weighted {
      rest -= weight
      if rest <= 0 { return element }
    }
    return weighted[0].1
  }

  mutating func seed() -> UInt64 { random.next() }

  mutating func generator() -> SeededRandom { SeededRandom(seed: random.next()) }
}

extension Int64 {
  static let second: Int64 = 1000
  static let minute: Int64 = 60_000
  static let hour: Int64 = 3_600_000
  static let day: Int64 = 86_400_000
}
