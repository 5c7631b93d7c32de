/// The words behind a command, taken one by one; what nobody took is refused.
struct Arguments {
  private(set) var words: [String]

  init(_ words: [String]) { self.words = words }

  /// Whether `name` stands there.
  mutating func flag(_ name: String) -> Bool {
    guard let index = words.firstIndex(of: name) else { return false }
    words.remove(at: index)
    return true
  }

  /// The value of `--name value` or `--name=value`; nil where it is not there.
  mutating func value(_ name: String) throws(UsageError) -> String? {
    if let index = words.firstIndex(where: { $0.hasPrefix(name + "=") }) {
      return String(words.remove(at: index).dropFirst(name.count + 1))
    }
    guard let index = words.firstIndex(of: name) else { return nil }
    guard index + 1 < words.count else { throw UsageError("\(name) needs a value.") }
    let value = words[index + 1]
    words.removeSubrange(index...index + 1)
    return value
  }

  mutating func required(_ name: String) throws(UsageError) -> String {
    guard let value = try value(name) else { throw UsageError("\(name) is missing.") }
    return value
  }

  /// Every value of an option that may stand there several times.
  mutating func values(_ name: String) throws(UsageError) -> [String] {
    var values: [String] = []
    while let value = try value(name) { values.append(value) }
    return values
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = try value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// The next word that is no option.
  mutating func word() -> String? {
    guard let first = words.first, !first.hasPrefix("--") else { return nil }
    return words.removeFirst()
  }

  /// - Throws: a `UsageError` that names what nobody took.
  func finish() throws(UsageError) {
    if let word = words.first { throw UsageError("'\(word)' is not understood here.") }
  }
}
