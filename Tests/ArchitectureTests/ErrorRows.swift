/// The rows of Contract's table of errors.
enum ErrorRows {
  static func all(in source: String) -> [(code: String, status: String, message: String)] {
    var rows: [(code: String, status: String, message: String)] = []
    var rest = source[...]
    while let start = rest.firstRange(of: "= row(") {
      rest = rest[start.upperBound...]
      let strings = rest.split(separator: "\"", maxSplits: 4, omittingEmptySubsequences: false)
      guard strings.count == 5 else { break }
      rows.append((String(strings[1]), strings[2].filter(\.isNumber), String(strings[3])))
    }
    return rows
  }
}
