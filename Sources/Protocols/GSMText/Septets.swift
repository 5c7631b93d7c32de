/// Septets packed into octets without a gap: 3GPP TS 23.038 clause 6.1.2.1, fill bits by TS 23.040 clause 9.2.3.24.
package enum Septets {
  /// Bits to skip after a header of `octets` octets (its length octet counted), so that the text begins at a septet.
  package static func fillBits(afterHeaderOctets octets: Int) -> Int {
    octets > 0 ? (7 - octets % 7) % 7 : 0
  }

  /// Septets that a header of `octets` octets (256 at most) takes of a packed part, fill bits counted.
  package static func septets(forHeaderOctets octets: Int) -> Int {
    (min(max(octets, 0), 256) * 8 + 6) / 7
  }

  /// Packs unpacked septets; a high bit is ignored.
  ///
  /// - Parameters:
  ///   - fillBits: zero bits in front, 0 to 6.
  ///   - paddedWithReturn: where seven bits are left over, put a carriage return there instead of zeros, which a reader
  ///     without a count would show as `@`; and double a carriage return that ends on an octet's edge, since that
  ///     reader takes one away (TS 23.038 clause 6.1.2.3.1, for USSD). With a count of septets it is not needed.
  package static func packed(
    _ septets: some Collection<UInt8>, fillBits: Int = 0, paddedWithReturn: Bool = false
  ) -> [UInt8] {
    if septets.isEmpty { return [] }
    var packing = Packing(capacity: septets.count + 1, fillBits: min(max(fillBits, 0), 6))
    var septets = Array(septets)
    let used = (septets.count * 7 + packing.held) % 8
    if paddedWithReturn, used == 1 || (used == 0 && septets.last == GSMAlphabet.carriageReturn) {
      septets.append(GSMAlphabet.carriageReturn)
    }
    for septet in septets { packing.put(septet) }
    return packing.finished()
  }

  private struct Packing {
    private var octets: [UInt8] = []
    private var bits: UInt32 = 0
    private(set) var held: Int

    init(capacity: Int, fillBits: Int) {
      octets.reserveCapacity(capacity)
      held = fillBits
    }

    mutating func put(_ septet: UInt8) {
      bits |= UInt32(septet & 0x7F) << UInt32(held)
      held += 7
      if held >= 8 {
        octets.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        held -= 8
      }
    }

    func finished() -> [UInt8] {
      held > 0 ? octets + [UInt8(truncatingIfNeeded: bits)] : octets
    }
  }

  /// Unpacks septets, one into each octet.
  ///
  /// - Parameters:
  ///   - count: how many septets there are, without those of a header; fewer come back when `octets` end earlier. Nil
  ///     when nobody said: then all that are whole, but for a carriage return that ends on an octet's edge, which is
  ///     padding (TS 23.038 clause 6.1.2.3.1).
  ///   - fillBits: bits to skip in front, 0 to 6.
  package static func unpacked(_ octets: some Collection<UInt8>, count: Int? = nil, fillBits: Int = 0) -> [UInt8] {
    var septets: [UInt8] = []
    let limit = max(0, count ?? .max)
    septets.reserveCapacity(min(limit, octets.count + octets.count / 7 + 1))
    var bits: UInt32 = 0
    var held = 0
    var skipped = min(max(fillBits, 0), 6)
    reading: for octet in Array(octets) {
      bits |= UInt32(octet) << UInt32(held)
      held += 8
      if skipped > 0 {
        bits >>= UInt32(skipped)
        held -= skipped
        skipped = 0
      }
      while held >= 7 {
        guard septets.count < limit else { break reading }
        septets.append(UInt8(bits & 0x7F))
        bits >>= 7
        held -= 7
      }
    }
    if count == nil, held == 0, septets.last == GSMAlphabet.carriageReturn { septets.removeLast() }
    return septets
  }
}
