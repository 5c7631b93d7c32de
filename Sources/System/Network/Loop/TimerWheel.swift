/// What is due when, in ticks of 10 milliseconds.
///
/// A ring of 1,024 slots. What is due later than the ring reaches comes back early, at the end of the ring, and is put in
/// again by its owner; so nothing is ever moved or searched for.
package struct TimerWheel<Element> {
  package static var tick: Int64 { 10 }
  private static var slotCount: Int { 1024 }

  private var slots: [[Element]]
  private var occupied: [UInt64]
  private var position: Int64

  /// - Parameter now: milliseconds of a clock that never goes back.
  package init(now: Int64) {
    slots = Array(repeating: [], count: Self.slotCount)
    occupied = Array(repeating: 0, count: Self.slotCount / 64)
    position = now / Self.tick
  }

  /// - Returns: the time at which `element` comes back: the first tick not before `time`, or the end of the ring.
  package mutating func insert(_ element: Element, at time: Int64) -> Int64 {
    let wanted = time / Self.tick + (time % Self.tick > 0 ? 1 : 0)
    let tick = min(max(wanted, position + 1), position + Int64(Self.slotCount) - 1)
    let slot = Int(tick) & (Self.slotCount - 1)
    slots[slot].append(element)
    occupied[slot / 64] |= 1 << UInt64(slot % 64)
    return tick * Self.tick
  }

  /// Takes out everything whose time has come, each with the time that `insert` had returned, in order of time.
  package mutating func advance(to now: Int64) -> [(element: Element, time: Int64)] {
    let target = now / Self.tick
    var due: [(element: Element, time: Int64)] = []
    guard target > position else { return due }
    let first = position + 1
    // Everything lies within one turn of the ring, so a longer jump needs no more than one.
    let last = min(target, position + Int64(Self.slotCount))
    for tick in first...last {
      let slot = Int(tick) & (Self.slotCount - 1)
      guard occupied[slot / 64] & (1 << UInt64(slot % 64)) != 0 else { continue }
      for element in slots[slot] { due.append((element, tick * Self.tick)) }
      slots[slot].removeAll(keepingCapacity: slots[slot].count <= 64)
      occupied[slot / 64] &= ~(1 << UInt64(slot % 64))
    }
    position = target
    return due
  }

  /// When something comes back next; nil while the wheel is empty.
  package var next: Int64? {
    let first = Int(position + 1) & (Self.slotCount - 1)
    for step in 0...(Self.slotCount / 64) {
      let word = (first / 64 + step) % (Self.slotCount / 64)
      var bits = occupied[word]
      if step == 0 { bits &= ~0 << UInt64(first % 64) }
      if step == Self.slotCount / 64 { bits &= ~(~0 << UInt64(first % 64)) }
      guard bits != 0 else { continue }
      let slot = word * 64 + bits.trailingZeroBitCount
      let distance = (slot - first) & (Self.slotCount - 1)
      return (position + 1 + Int64(distance)) * Self.tick
    }
    return nil
  }
}
