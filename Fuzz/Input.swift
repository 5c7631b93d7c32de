/// An input taken apart from its front.
struct Input {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var bytes: [UInt8] { Array(rest) }
  var text: String { String(decoding: rest, as: UTF8.self) }

  /// Zero at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of `choices`; seeds write `0`, `1`, `2`, …
  mutating func choice<Choice>(of choices: [Choice]) -> Choice { choices[Int(byte() &- 0x30) % choices.count] }

  /// Up to the next line feed, which is passed.
  mutating func line() -> [UInt8] {
    let line = rest.prefix { $0 != 0x0A }
    rest = rest.dropFirst(line.count + 1)
    return Array(line)
  }
}

/// Numbers that the same input makes again.
struct Repeatable: RandomNumberGenerator {
  private var state: UInt64

  /// FNV-1a.
  init(_ bytes: [UInt8]) {
    state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// `bytes` in pieces, as a socket might give them.
  mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = next() % 4 == 0 ? Int(next() % 200) : Int(next() % 9)
      pieces.append(Array(rest.prefix(count + 1)))
      rest = rest.dropFirst(count + 1)
    }
    return pieces
  }
}

extension String {
  /// Whether it is fit for a log or a sentence: one line, no control characters.
  var isOneLine: Bool { unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
}
