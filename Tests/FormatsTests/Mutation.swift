/// Damages texts in a way that a seed repeats.
struct Mutation: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func damaged(_ bytes: [UInt8], beside other: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<6, using: &self) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(other.randomElement(using: &self) ?? 0, at: place)
      case 3: bytes.removeSubrange(place...)
      case 4:
        let end = Int.random(in: place..<bytes.count, using: &self)
        bytes.insert(contentsOf: bytes[place...end], at: place)
      default:
        let start = Int.random(in: 0..<other.count, using: &self)
        bytes.insert(contentsOf: other[start...].prefix(8), at: place)
      }
    }
    return bytes
  }
}
