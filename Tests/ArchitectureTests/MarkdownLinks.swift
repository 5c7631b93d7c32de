/// The links of a Markdown document, and what can be linked to.
enum MarkdownLinks {
  /// Links without a scheme, such as `Docs/Errors.md#not-found`; code is left out.
  static func relative(in document: String) -> [String] {
    var links: [String] = []
    for line in prose(of: document) {
      var rest = line[...]
      while let start = rest.firstRange(of: "](") {
        rest = rest[start.upperBound...]
        let target = rest.prefix { $0 != ")" && $0 != " " }
        if !target.isEmpty, !target.contains(":") { links.append(String(target)) }
      }
    }
    return links
  }

  /// What a link from `path` means, from the root.
  static func resolve(_ link: String, from path: String) -> String {
    var parts = link.hasPrefix("/") ? [] : Array(path.split(separator: "/").dropLast())
    for part in link.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": if !parts.isEmpty { parts.removeLast() }
      default: parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }

  /// Headings as GitHub names them, and anchors written out.
  static func anchors(in document: String) -> Set<String> {
    var anchors: Set<String> = []
    var isCode = false
    for line in document.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      if isCode { continue }
      if line.hasPrefix("#") {
        let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
        anchors.insert(
          String(title.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.map { $0 == " " ? "-" : $0 }))
      }
      var rest = line
      while let start = rest.firstRange(of: "<a id=\"") {
        rest = rest[start.upperBound...]
        anchors.insert(String(rest.prefix { $0 != "\"" }))
      }
    }
    return anchors
  }

  /// The lines outside fences, without what stands in back-ticks.
  private static func prose(of document: String) -> [String] {
    var isCode = false
    return document.split(separator: "\n").compactMap { line in
      if line.hasPrefix("```") {
        isCode.toggle()
        return nil
      }
      if isCode { return nil }
      return line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    }
  }
}
