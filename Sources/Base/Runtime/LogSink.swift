package import Contract
import Formats

/// Where log records go. Called from any thread; it must not wait long.
package protocol LogSink: Sendable {
  func write(_ record: LogRecord)
}

package struct LogRecord: Sendable {
  package struct Entry: Sendable, Equatable {
    package let key: String
    package let value: LogValue
  }

  package let at: Instant
  package let level: LogLevel
  package let label: String
  package let sentence: StaticString
  /// Sorted by key.
  package let metadata: [Entry]

  package subscript(key: String) -> LogValue? { metadata.first { $0.key == key }?.value }
}

struct SilentSink: LogSink {
  func write(_: LogRecord) {}
}

/// Keeps what is logged, for tests.
package final class CapturedLog: LogSink {
  private let kept = Lock<[LogRecord]>([])

  package init() {}

  package func write(_ record: LogRecord) { kept.withLock { $0.append(record) } }

  package var records: [LogRecord] { kept.withLock { $0 } }
  package var sentences: [String] { records.map { $0.sentence.description } }

  /// All of it as the program would print it; what must never be logged can be searched for here.
  package var text: String { records.map { $0.rendered(as: .json) + $0.rendered(as: .text) }.joined() }
}

package enum LogFormat: String, Sendable, CaseIterable {
  /// One JSON object a line, for programs.
  case json
  /// One readable line, for people.
  case text
}

extension LogRecord {
  /// One line with its line end, and no other control character in it.
  package func rendered(as format: LogFormat) -> String {
    switch format {
    case .json: json
    case .text: text
    }
  }

  private var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("at", at)
    writer.field("level", level.rawValue)
    writer.field("label", label)
    writer.field("message", sentence.description)
    for entry in metadata {
      writer.key(dynamic: visible(entry.key))
      switch entry.value {
      case .integer(let value): writer.integer(value)
      case .number(let value): writer.number(value)
      case .bool(let value): writer.bool(value)
      case .duration(let value): writer.string(value.inReadableMilliseconds)
      case .text(let value): writer.string(visible(value))
      }
    }
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private var text: String {
    let level = self.level.rawValue.uppercased()
    var line = "\(at) \(level)\(String(repeating: " ", count: 8 - level.count))\(label): \(sentence)"
    for entry in metadata {
      line += " \(visible(entry.key))="
      switch entry.value {
      case .integer(let value): line += String(value)
      case .number(let value): line += value.description
      case .bool(let value): line += value ? "true" : "false"
      case .duration(let value): line += value.inReadableMilliseconds
      case .text(let value): line += quotedIfNeeded(visible(value))
      }
    }
    return line + "\n"
  }
}

/// Control characters, and those that turn the direction of a terminal's line, as escapes; cut at 2,000 characters.
private func visible(_ text: String) -> String {
  var shown = ""
  var count = 0
  for scalar in text.unicodeScalars {
    guard count < 2000 else { return shown + "…" }
    count += 1
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      shown += "\\u{\(String(scalar.value, radix: 16))}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}

private func quotedIfNeeded(_ text: String) -> String {
  let isPlain = !text.isEmpty && !text.unicodeScalars.contains { $0 == " " || $0 == "=" || $0 == "\"" }
  return isPlain
    ? text : "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
}

extension Duration {
  /// `12.345ms`, rounded down to microseconds.
  fileprivate var inReadableMilliseconds: String {
    let (seconds, attoseconds) = components
    let microseconds = attoseconds / 1_000_000_000_000
    return (Double(seconds) * 1000 + Double(microseconds) / 1000).description + "ms"
  }
}
