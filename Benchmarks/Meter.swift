import Foundation

/// Wall time and this process's CPU time since the meter was made. On a shared machine the CPU time is the one to
/// trust.
struct Meter {
  private let began = ContinuousClock.now
  private let cpuBefore = Meter.cpu()

  struct Reading {
    let seconds: Double
    let cpuSeconds: Double
  }

  func read() -> Reading {
    let wall = ContinuousClock.now - began
    return Reading(seconds: wall.inSeconds, cpuSeconds: Self.cpu() - cpuBefore)
  }

  private static func cpu() -> Double {
    var usage = rusage()
    // RUSAGE_SELF, whose constant is imported with another type than the parameter's.
    getrusage(0, &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
}

extension Duration {
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
