import Formats

/// Why a profile can not be used, and where.
package struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
  package var file: String
  /// From one; zero where the whole file is meant.
  package var line: Int
  package var sentence: String

  package var description: String { line > 0 ? "\(file):\(line): \(sentence)" : "\(file): \(sentence)" }

  init(file: String, line: Int, sentence: String) {
    self.file = file
    self.line = line
    self.sentence = sentence
  }

  init(_ error: FieldError, file: String) {
    self.init(file: file, line: Int(error.position.line), sentence: error.sentence)
  }

  init(_ error: JSON5Error, file: String) {
    self.init(file: file, line: Int(error.position.line), sentence: error.reason)
  }
}

/// An example of a profile that does not come out as the profile says.
package typealias ProfileProblem = ProfileError

extension ObjectReader {
  /// An error in words of one's own, which begin with the field's path.
  func problem(_ key: String, _ sentence: String) -> FieldError {
    error(key, .other("\(path(to: key)): \(sentence)"))
  }

  /// A length of time: `20s`, `15m`, `24h`, `7d`, or whole seconds.
  mutating func durationIfPresent(_ key: String, in range: ClosedRange<Int>) throws(FieldError) -> Duration? {
    guard let value = valueIfPresent(key), !value.isNull else { return nil }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let seconds: Int? =
      if let number = value.integer { Int(exactly: number) } else {
        value.string.flatMap { text in
          guard let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 7,
            text.dropLast().utf8.allSatisfy(\.isDigit), let number = Int(text.dropLast())
          else { return nil }
          return number * unit
        }
      }
    guard let seconds, range.contains(seconds) else {
      throw error(
        key,
        .mustBe(
          "a time like \"20s\", \"15m\", \"24h\" or \"7d\", from \(range.lowerBound) to \(range.upperBound) seconds"))
    }
    return .seconds(seconds)
  }
}
