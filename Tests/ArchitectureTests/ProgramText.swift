/// What the sources say about the program's commands and settings.
enum ProgramText {
  /// `static let name = "…"` of a command.
  static func name(in source: String) -> String? {
    firstStrings(after: "static let name = ", in: source).first
  }

  /// The first string behind each place where `mark` stands.
  static func firstStrings(after mark: String, in source: String) -> [String] {
    var found: [String] = []
    var rest = source[...]
    while let start = rest.firstRange(of: mark) {
      rest = rest[start.upperBound...]
      let text = rest.drop { $0.isWhitespace }
      guard text.hasPrefix("\"") else { continue }
      found.append(String(text.dropFirst().prefix { $0 != "\"" }))
    }
    return found
  }

  /// What follows `switchboard` wherever a document has it as a command: in a code span or a code block.
  static func commandLines(in document: String) -> [[String]] {
    var lines: [[String]] = []
    var isCode = false
    var joined = ""
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode.toggle()
        continue
      }
      guard isCode else {
        let spans = line.split(separator: "`", omittingEmptySubsequences: false)
        for (index, span) in spans.enumerated() where !index.isMultiple(of: 2) { lines += command(in: span) }
        continue
      }
      // A line that ends in a backslash goes on.
      joined += line.hasSuffix("\\") ? line.dropLast() : line
      if line.hasSuffix("\\") { continue }
      lines += command(in: joined[...])
      joined = ""
    }
    return lines
  }

  /// What stands before the program in a shell or in a crontab does not count; the name of a user or of a path is no
  /// command.
  private static func command(in code: Substring) -> [[String]] {
    var words = code.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)[...]
    if words.first == "sudo" { words = words.dropFirst(words.dropFirst().first == "-u" ? 3 : 1) }
    while words.count > 1, !isProgram(words[words.startIndex]) || isProgram(words[words.startIndex + 1]) {
      let word = words.removeFirst()
      let isBeforeACommand =
        word == "|" || isProgram(word) || word.allSatisfy { $0.isNumber || $0 == "*" }
        || words.contains("|")
      guard isBeforeACommand else { return [] }
    }
    let rest = words.dropFirst().prefix { $0 != "|" && $0 != "#" }
      .map { String($0.prefix { $0 != "=" && $0 != "]" && $0 != "," }).replacing("[", with: "") }
    guard let first = rest.first, first.allSatisfy({ $0.isLowercase }) else { return [] }
    return [rest]
  }

  private static func isProgram(_ word: String) -> Bool {
    word == "switchboard" || word.hasSuffix("/switchboard")
  }
}
