import Foundation

/// Microseconds on a clock that nobody sets. Sockets know no other clock, so this one is not passed in.
struct MonotonicTime: Comparable, Sendable {
  var microseconds: Int64

  static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.microseconds < right.microseconds }

  static func + (time: MonotonicTime, milliseconds: Int) -> MonotonicTime {
    MonotonicTime(microseconds: time.microseconds + Int64(milliseconds) * 1000)
  }

  /// Rounded up, and never below 0.
  func milliseconds(since earlier: MonotonicTime) -> Int {
    Int(max(0, (microseconds - earlier.microseconds + 999) / 1000))
  }
}

extension Duration {
  /// As libcurl takes its limits, where 0 would mean none: between 1 ms and one day.
  var asLimit: Int {
    if self >= .seconds(86_400) { return 86_400_000 }
    if self <= .milliseconds(1) { return 1 }
    let (seconds, attoseconds) = components
    return Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
