/// Writes what happens as constant sentences with data beside them.
///
/// A sentence has no interpolation, so that it can be searched for and can carry nobody's data.
package struct Logger: Sendable {
  package var label: String
  /// The least important level that is written.
  package var level: LogLevel
  private var metadata: [String: LogValue] = [:]
  private let sink: any LogSink
  private let clock: any WallClock

  package init(
    _ label: String, level: LogLevel = .info, sink: any LogSink, clock: any WallClock = SystemClock()
  ) {
    self.label = label
    self.level = level
    self.sink = sink
    self.clock = clock
  }

  /// A logger that writes nothing.
  package static let silent = Logger("silent", level: .error, sink: SilentSink())

  /// The same logger with more data on every line, and under another label where one is given.
  package func with(_ more: [String: LogValue], label: String? = nil) -> Logger {
    var logger = self
    logger.metadata.merge(more) { $1 }
    if let label { logger.label = label }
    return logger
  }

  /// The same logger under another label.
  package func labelled(_ label: String) -> Logger { with([:], label: label) }

  package func debug(_ sentence: StaticString, _ metadata: @autoclosure () -> [String: LogValue] = [:]) {
    log(.debug, sentence, metadata())
  }

  package func info(_ sentence: StaticString, _ metadata: @autoclosure () -> [String: LogValue] = [:]) {
    log(.info, sentence, metadata())
  }

  /// Something that a person should look at, though nothing is lost.
  package func warning(_ sentence: StaticString, _ metadata: @autoclosure () -> [String: LogValue] = [:]) {
    log(.warning, sentence, metadata())
  }

  /// Something that did not work and that somebody must look at.
  package func error(_ sentence: StaticString, _ metadata: @autoclosure () -> [String: LogValue] = [:]) {
    log(.error, sentence, metadata())
  }

  package func log(
    _ level: LogLevel, _ sentence: StaticString, _ metadata: @autoclosure () -> [String: LogValue] = [:]
  ) {
    guard level >= self.level else { return }
    let all = self.metadata.merging(metadata()) { $1 }
    sink.write(
      LogRecord(
        at: clock.now, level: level, label: label, sentence: sentence,
        metadata: all.sorted { $0.key < $1.key }.map { LogRecord.Entry(key: $0.key, value: $0.value) }))
  }
}

package enum LogLevel: String, Sendable, Comparable, CaseIterable {
  case debug, info, warning, error

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}
