package import Contract

/// What may stand beside a log sentence.
///
/// A literal is what the source says; text that was made at run time needs `.text`, so that each place where a person's
/// data could reach the log can be found. Message texts, codes, tokens and passwords are never given here.
package enum LogValue: Sendable, Equatable {
  case integer(Int64)
  case number(Double)
  case bool(Bool)
  case duration(Duration)
  case text(String)

  package static func integer(_ value: Int) -> LogValue { .integer(Int64(value)) }
  package static func word(_ value: StaticString) -> LogValue { .text(String(describing: value)) }
  package static func instant(_ value: Instant) -> LogValue { .text(value.description) }
  package static func id(_ value: ID128) -> LogValue { .text(value.hex) }
  package static func id<Kind>(_ value: Identifier<Kind>) -> LogValue { .text(value.description) }
  /// An error whose description is safe to show; so are those of this program.
  package static func error(_ error: any Error) -> LogValue { .text(String(describing: error)) }

  /// A phone number with two digits hidden before the last three: `+3584012••567`. What is no number is hidden whole.
  package static func phone(_ number: String) -> LogValue {
    let digits = Array(number)
    guard digits.count >= 8, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "+") }) else {
      return .text("•••")
    }
    return .text(String(digits.dropLast(5)) + "••" + String(digits.suffix(3)))
  }
}

extension LogValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(stringLiteral value: StaticString) { self = .word(value) }

  package init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }
  package init(_ value: Bool) { self = .bool(value) }
  package init(_ value: Double) { self = .number(value) }
  package init(_ value: Duration) { self = .duration(value) }
  package init(_ value: Instant) { self = .instant(value) }
  package init(_ value: StaticString) { self = .word(value) }
  package init(_ value: ID128) { self = .id(value) }
  package init<Kind>(_ value: Identifier<Kind>) { self = .id(value) }
}
