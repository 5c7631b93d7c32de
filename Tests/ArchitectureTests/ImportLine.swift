/// The module that a line of Swift imports.
enum ImportLine {
  private static let words: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
  private static let kinds: Set<Substring> = [
    "typealias", "struct", "class", "enum", "protocol", "let", "var", "func", "actor",
  ]

  static func module(of line: Substring) -> String? {
    guard line.contains("import") else { return nil }
    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    let tokens = code.split(separator: " ").drop { $0.hasPrefix("@") || words.contains($0) }
    guard tokens.first == "import" else { return nil }
    return tokens.dropFirst().first { !kinds.contains($0) }
      .map { String($0.prefix { $0 != "." && $0 != ";" }) }
  }

  static func modules(of file: Repository.File) -> [String] { file.lines.compactMap(module) }
}
