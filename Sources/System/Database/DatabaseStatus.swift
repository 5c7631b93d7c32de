import Runtime

/// What the threads of a database have to say about it.
final class DatabaseStatus: Sendable {
  private let state = Lock((metrics: DatabaseMetrics(), damage: String?.none))

  var metrics: DatabaseMetrics { state.withLock { $0.metrics } }

  var damage: String? { state.withLock { $0.damage } }

  /// The first damage is remembered until the program starts again.
  func note(damage: String?) {
    guard let damage else { return }
    state.withLock { if $0.damage == nil { $0.damage = damage } }
  }

  func note(callers: Int, failures: Int, took: Duration, logPages: Int) {
    state.withLock {
      if failures < callers { $0.metrics.commits += 1 }
      $0.metrics.callers += callers
      $0.metrics.failures += failures
      $0.metrics.lastCommit = took
      $0.metrics.logPages = logPages
    }
  }
}

/// Counts since the start, and what is so now.
package struct DatabaseMetrics: Sendable, Equatable {
  /// Commits on disk; many callers share one.
  package var commits = 0
  /// Transactions asked for and answered.
  package var callers = 0
  /// Those of them that threw.
  package var failures = 0
  /// From the beginning of the last group to the end of its commit.
  package var lastCommit = Duration.zero
  /// Pages of 4 kB in the write-ahead log.
  package var logPages = 0
  package var waitingWrites = 0
  package var waitingReads = 0
}
