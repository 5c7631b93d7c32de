import CRE2

/// A regular expression that takes time in proportion to the text, whatever it says (RE2, in UTF-8).
///
/// The syntax is RE2's (https://github.com/google/re2/wiki/Syntax): no look-around and no back-references.
package struct Pattern: Sendable {
  /// The text it was made from.
  package let text: String
  package let ignoresCase: Bool
  /// Names of its groups, in order; nil for a group without a name.
  package let groupNames: [String?]

  private let compiled: Compiled

  /// Patterns that need more memory than this are refused; matching needs no more either.
  private static let memory: Int64 = 4 << 20
  private static let longest = 8192

  package init(_ text: String, ignoresCase: Bool = false) throws(PatternError) {
    guard text.utf8.count <= Self.longest else {
      throw PatternError(reason: "it is longer than \(Self.longest) bytes")
    }
    var copy = text
    var error = [CChar](repeating: 0, count: 200)
    let pointer = copy.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        cre2_compile($0.baseAddress, $0.count, ignoresCase, Self.memory, &error, error.count)
      }
    }
    guard let pointer else {
      // RE2 repeats the part of the pattern that it does not understand.
      let words = String(decoding: error.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw PatternError(reason: shown(words, limit: error.count))
    }
    self.text = text
    self.ignoresCase = ignoresCase
    compiled = Compiled(pointer)
    let count = cre2_group_count(pointer)
    groupNames = count == 0 ? [] : (1...count).map { cre2_group_name(pointer, $0).map { String(cString: $0) } }
  }

  /// The leftmost match anywhere in `text`; nil where there is none.
  package func firstMatch(in text: String) -> Match? { match(text, whole: false) }

  /// A match that covers all of `text`.
  package func wholeMatch(in text: String) -> Match? { match(text, whole: true) }

  package func matches(_ text: String) -> Bool { firstMatch(in: text) != nil }

  private func match(_ text: String, whole: Bool) -> Match? {
    var text = text
    return text.withUTF8 { bytes -> Match? in
      var offsets = [Int64](repeating: -1, count: 2 * (groupNames.count + 1))
      // Empty text has no address, and RE2 would take a group that matched it for one that took no part.
      let empty: [UInt8] = [0]
      return empty.withUnsafeBufferPointer { empty -> Match? in
        let source = bytes.isEmpty ? empty : bytes
        let found = source.withMemoryRebound(to: CChar.self) {
          cre2_match(compiled.pointer, $0.baseAddress, bytes.count, whole, &offsets)
        }
        guard found else { return nil }
        let groups = (0...groupNames.count).map { group -> String? in
          let start = Int(offsets[2 * group])
          let end = Int(offsets[2 * group + 1])
          return start < 0 ? nil : String(decoding: source[start..<end], as: UTF8.self)
        }
        return Match(groups: groups, names: groupNames, start: Int(offsets[0]), end: Int(offsets[1]))
      }
    }
  }

  /// What a pattern found.
  package struct Match: Sendable, Equatable {
    /// The whole match, then each group; nil for a group that took no part.
    package let groups: [String?]
    let names: [String?]
    /// Bytes of the text before the match, and up to its end.
    package let start: Int
    package let end: Int

    /// The whole match.
    package var whole: String { groups.first.flatMap { $0 } ?? "" }

    /// A group by number, the whole match being 0; nil where it took no part or does not exist.
    package subscript(group: Int) -> String? { groups.indices.contains(group) ? groups[group] : nil }

    /// A group by name, written `(?P<name>…)`.
    package subscript(name: String) -> String? { names.firstIndex(of: name).flatMap { groups[$0 + 1] } }

    /// Every named group that took part.
    package var named: [String: String] {
      var named: [String: String] = [:]
      for (index, name) in names.enumerated() { if let name { named[name] = groups[index + 1] } }
      return named
    }
  }

  private final class Compiled: @unchecked Sendable {
    // RE2's matching is safe from several threads.
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { cre2_free(pointer) }
  }
}

extension Pattern: Equatable {
  package static func == (left: Pattern, right: Pattern) -> Bool {
    left.text == right.text && left.ignoresCase == right.ignoresCase
  }
}

/// Why a text is no regular expression.
package struct PatternError: Error, Equatable, CustomStringConvertible {
  /// RE2's words, such as `missing ): (a`.
  package let reason: String
  package var description: String { "This is not a regular expression as RE2 reads it: \(reason)." }
}
