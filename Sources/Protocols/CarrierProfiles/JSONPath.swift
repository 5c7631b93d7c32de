import Formats

/// A way into a JSON value: names with dots between, `[0]` for an element, `[*]` for all of them. Empty is the value
/// itself.
struct JSONPath: Sendable {
  private enum Step: Sendable {
    case name(String)
    case element(Int)
    case all
  }

  private let steps: [Step]

  /// Values that one path may find.
  static let limit = 1000

  init?(_ text: String) {
    var steps: [Step] = []
    var rest = text[...]
    while !rest.isEmpty {
      if rest.first == "[" {
        guard let end = rest.firstIndex(of: "]") else { return nil }
        let inside = rest[rest.index(after: rest.startIndex)..<end]
        if inside == "*" {
          steps.append(.all)
        } else {
          guard inside.utf8.count <= 4, inside.utf8.allSatisfy(\.isDigit), let index = Int(inside) else { return nil }
          steps.append(.element(index))
        }
        rest = rest[rest.index(after: end)...]
        if rest.first == "." {
          rest = rest.dropFirst()
          guard !rest.isEmpty, rest.first != "[" else { return nil }
        } else if !rest.isEmpty, rest.first != "[" {
          return nil
        }
      } else {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty else { return nil }
        steps.append(.name(String(name)))
        rest = rest.dropFirst(name.count)
        if rest.first == "." {
          rest = rest.dropFirst()
          guard !rest.isEmpty, rest.first != "[" else { return nil }
        }
      }
    }
    self.steps = steps
  }

  /// The first value found.
  func first(in value: JSONValue) -> JSONValue? {
    var value = value
    for (index, step) in steps.enumerated() {
      switch step {
      case .name(let name):
        guard let next = value[name] else { return nil }
        value = next
      case .element(let element):
        guard let next = value[element] else { return nil }
        value = next
      case .all:
        let rest = JSONPath(steps: Array(steps[(index + 1)...]))
        return value.array?.lazy.compactMap { rest.first(in: $0) }.first
      }
    }
    return value
  }

  func all(in value: JSONValue) -> [JSONValue] {
    var found = [value]
    for step in steps {
      switch step {
      case .name(let name): found = found.compactMap { $0[name] }
      case .element(let element): found = found.compactMap { $0[element] }
      case .all: found = Array(found.lazy.flatMap { $0.array ?? [] }.prefix(Self.limit))
      }
    }
    return found
  }

  private init(steps: [Step]) { self.steps = steps }
}

extension JSONValue {
  /// A string, a number or a truth value as text; nil for anything else.
  var scalarText: String? {
    switch kind {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .bool(let value): value ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
