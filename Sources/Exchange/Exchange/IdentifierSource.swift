package import Contract
import Runtime

/// Makes ids that only ever rise, also within one millisecond and when the clock is set back, so that the order of ids
/// is the order of acceptance (RFC 9562 section 6.2, method 2).
package final class IdentifierSource: Sendable {
  private struct State {
    var last = ID128(high: 0, low: 0)
    var random: any RandomNumberGenerator & Sendable
  }

  private let state: Lock<State>

  package init(random: any RandomNumberGenerator & Sendable) {
    state = Lock(State(random: random))
  }

  /// Goes on after an id that an earlier process made, though the clock was set back since.
  package func goOn(after id: ID128) {
    state.withLock { $0.last = max($0.last, id) }
  }

  package func next(at now: Instant) -> ID128 {
    state.withLock { state in
      let milliseconds = min(UInt64(clamping: now.milliseconds), 0xFFFF_FFFF_FFFF)
      if milliseconds > state.last.high >> 16 {
        // The top bit stays clear, so that there is room to count up.
        state.last = ID128(
          high: milliseconds << 16 | state.random.next() & 0x7FFF, low: state.random.next())
      } else {
        // Counted in the upper 96 bits, since a short reference has no more; the others are drawn anew.
        let step = 1 + (state.random.next() & 0xFFFF)
        let (low, overflow) = state.last.low.addingReportingOverflow(step << 32)
        state.last = ID128(
          high: overflow ? state.last.high &+ 1 : state.last.high,
          low: low & ~0xFFFF_FFFF | state.random.next() & 0xFFFF_FFFF)
      }
      return state.last
    }
  }
}

extension ID128 {
  /// The moment at which the id was made.
  package var instant: Instant { Instant(milliseconds: Int64(clamping: high >> 16)) }

  /// The first 96 bits in 16 characters of base64url: what a carrier gets as our reference, and gives back.
  package var shortReference: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return String(unsafeUninitializedCapacity: 16) { buffer in
      for index in 0..<16 {
        let shift = 90 - index * 6
        // 96 bits: the high word, then the upper half of the low one.
        let value: UInt64 =
          if shift >= 32 { high >> UInt64(shift - 32) } else if shift + 6 <= 32 { low >> UInt64(32 + shift) } else {
            high << UInt64(32 - shift) | low >> UInt64(32 + shift)
          }
        buffer[index] = alphabet[Int(value & 63)]
      }
      return 16
    }
  }

  /// The ids whose `shortReference` is `text`; nil where it is none.
  package static func range(shortReference text: String) -> ClosedRange<ID128>? {
    guard text.utf8.count == 16 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for character in text.utf8 {
      let value: UInt64
      switch character {
      case 0x41...0x5A: value = UInt64(character - 0x41)
      case 0x61...0x7A: value = UInt64(character - 0x61) + 26
      case 0x30...0x39: value = UInt64(character - 0x30) + 52
      case 0x2D: value = 62
      case 0x5F: value = 63
      default: return nil
      }
      high = high << 6 | low >> 58
      low = low << 6 | value
    }
    // 96 bits now stand in the low end of the pair: move them up by 32.
    let first = ID128(high: high << 32 | low >> 32, low: low << 32)
    return first...ID128(high: first.high, low: first.low | 0xFFFF_FFFF)
  }
}
