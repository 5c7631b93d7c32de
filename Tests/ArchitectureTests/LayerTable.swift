/// The tables of Docs/Architecture.md: which target lies where and may import what. The document is the rule; nothing
/// of it is repeated here.
struct LayerTable {
  struct Row: Equatable {
    let layer: String
    let targets: [String]
    /// Names of targets, and names of layers with a slash at the end; nil for everything.
    let mayImport: [String]?
  }

  let rows: [Row]
  /// Which Swift targets may import a C module.
  let wrappers: [String: [String]]

  init(_ document: String) throws {
    let tables = MarkdownTable.all(in: document)
    guard let layers = tables.first(where: { $0.header == ["folder", "targets", "may import"] }),
      let modules = tables.first(where: { $0.header == ["module", "library", "imported by"] })
    else { throw Missing() }
    rows = layers.rows.map { cells in
      let isEverything = cells[2] == "everything"
      return Row(
        layer: (MarkdownTable.code(cells[0]).first ?? "").replacing("/", with: ""),
        targets: MarkdownTable.code(cells[1]), mayImport: isEverything ? nil : MarkdownTable.code(cells[2]))
    }
    wrappers = Dictionary(
      modules.rows.map { (MarkdownTable.code($0[0]).first ?? "", MarkdownTable.code($0[2])) },
      uniquingKeysWith: { $0 + $1 })
  }

  struct Missing: Error {}

  func row(of target: String) -> Row? { rows.first { $0.targets.contains(target) } }

  func targets(of layer: String) -> [String] { rows.filter { $0.layer == layer }.flatMap(\.targets) }

  /// Whether the table has the arrow.
  func allows(_ target: String, toImport other: String) -> Bool {
    guard let row = row(of: target) else { return false }
    guard let names = row.mayImport else { return true }
    return names.contains(other)
      || names.contains { $0.hasSuffix("/") && targets(of: String($0.dropLast())).contains(other) }
  }
}

/// A table of a Markdown document.
struct MarkdownTable {
  let header: [String]
  let rows: [[String]]

  static func all(in document: String) -> [MarkdownTable] {
    var tables: [MarkdownTable] = []
    var block: [[String]] = []
    for line in (document + "\n\n").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("|") {
        block.append(cells(of: line))
      } else {
        if block.count > 2 { tables.append(MarkdownTable(header: block[0], rows: Array(block[2...]))) }
        block = []
      }
    }
    return tables
  }

  private static func cells(of line: Substring) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { cell in
        let trimmed = cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return String(trimmed)
      }
  }

  /// What stands in back-ticks.
  static func code(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }
}
