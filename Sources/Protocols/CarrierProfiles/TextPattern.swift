import Formats

/// A pattern over octets from outside, whose named groups are captured.
struct TextPattern: Sendable {
  let pattern: Pattern
  /// Named groups by their number.
  private let groups: [(index: Int, name: String)]

  init(_ pattern: Pattern) {
    self.pattern = pattern
    groups = pattern.groupNames.enumerated().compactMap { index, name in name.map { (index + 1, $0) } }
  }

  var names: [String] { groups.map(\.name) }

  /// Octets that are not UTF-8 are seen as U+FFFD.
  func match(_ octets: [UInt8], into captures: inout Captures) -> Bool {
    match(String(decoding: octets, as: UTF8.self), into: &captures)
  }

  func match(_ text: String, into captures: inout Captures) -> Bool {
    guard let match = pattern.firstMatch(in: text) else { return false }
    for (index, name) in groups {
      if let value = match[index] { captures.add(name, Array(value.utf8)) }
    }
    return true
  }
}

/// What a field or a JSON value must be.
enum ValuePattern: Sendable {
  /// A number or a truth value of the profile.
  case equals(String)
  case pattern(TextPattern)

  var names: [String] { if case .pattern(let pattern) = self { pattern.names } else { [] } }

  func match(_ text: String, into captures: inout Captures) -> Bool {
    switch self {
    case .equals(let value): text == value
    case .pattern(let pattern): pattern.match(text, into: &captures)
    }
  }

  func match(_ octets: [UInt8], into captures: inout Captures) -> Bool {
    match(String(decoding: octets, as: UTF8.self), into: &captures)
  }
}
