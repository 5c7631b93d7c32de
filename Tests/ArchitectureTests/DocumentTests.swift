import Testing

/// The documents say what is so.
@Suite struct DocumentTests {
  // MARK: Links

  @Test func everyRelativeLinkLeadsSomewhere() {
    for document in Repository.documents {
      for link in MarkdownLinks.relative(in: document.text) {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].isEmpty ? document.path : MarkdownLinks.resolve(parts[0], from: document.path)
        guard Repository.exists(path) else {
          Issue.record("\(document.path): the link '\(link)' leads nowhere")
          continue
        }
        if parts.count > 1, let target = Repository.documents.first(where: { $0.path == path }) {
          #expect(
            MarkdownLinks.anchors(in: target.text).contains(parts[1]),
            "\(document.path): \(path) has no '#\(parts[1])'")
        }
      }
    }
  }

  @Test func everyDecisionStandsInTheList() throws {
    let list = try Repository.text("Docs/Decisions/README.md")
    for document in Repository.documents where document.path.hasPrefix("Docs/Decisions/0") {
      #expect(list.contains("(\(document.name))"), "\(document.path) is not listed in Docs/Decisions/README.md")
    }
  }

  // MARK: Errors

  @Test func everyErrorStandsInTheTableOfErrorsAsTheServerSaysIt() throws {
    let rows = ErrorRows.all(in: try Repository.text("Sources/Contract/Contract/APIError.swift"))
    let document = try Repository.text("Docs/Errors.md")
    let table = MarkdownTable.all(in: document).filter { $0.header.first == "code" }.flatMap(\.rows)
    #expect(rows.count > 20)
    for row in rows {
      #expect(document.contains("<a id=\"\(row.code)\"></a>"), "Docs/Errors.md has no anchor for \(row.code)")
      let cells = table.first { MarkdownTable.code($0[0]).first == row.code }
      #expect(cells?[1] == row.status, "the status of \(row.code)")
      #expect(cells?[2] == row.message, "the sentence of \(row.code)")
      #expect(cells?[3].isEmpty == false, "what to do about \(row.code)")
    }
    for cells in table {
      let code = MarkdownTable.code(cells[0]).first
      #expect(rows.contains { $0.code == code }, "Docs/Errors.md has \(code ?? "?"), which no error is")
    }
  }

  // MARK: The life of a delivery

  @Test func theDrawingOfADeliverysLifeHasEveryArrowAndEveryState() throws {
    let document = try Repository.text("Docs/DeliveryLife.md")
    let life = try Repository.text("Sources/Exchange/Delivery/Life.swift")
    let functions = life.split(separator: "\n").compactMap { line -> Substring? in
      guard line.hasPrefix("  package mutating func ") || line.hasPrefix("  package static func ") else { return nil }
      return line.firstRange(of: "func ").map { line[$0.upperBound...].prefix { $0 != "(" } }
    }
    #expect(functions.count > 8)
    for name in functions {
      #expect(document.contains("| `\(name)` |"), "Docs/DeliveryLife.md does not say what '\(name)' is")
    }
    let states = try Repository.text("Sources/Exchange/Delivery/DeliveryState.swift")
      .split(separator: "\n").prefix { line in !line.contains("var isFinal") }
      .filter { line in line.hasPrefix("  case ") }
      .map { line in line.dropFirst("  case ".count).prefix { $0 != " " } }
    #expect(states.count > 8)
    for state in states {
      #expect(document.contains("| `\(state)` |"), "Docs/DeliveryLife.md does not say what '\(state)' is")
    }
  }

  // MARK: The program

  /// Every `switchboard …` in the documents is a command that there is, with options that its help shows.
  @Test func everyCommandInTheDocumentsIsOneThatThereIs() throws {
    let commands = Dictionary(
      Repository.sources.filter { $0.path.contains("/Commands/") }.compactMap { file in
        ProgramText.name(in: file.text).map { ($0, file.text) }
      }, uniquingKeysWith: { $0 + $1 })
    #expect(commands.count > 5)
    for document in Repository.documents where document.path != "Docs/Roadmap.md" {
      for words in ProgramText.commandLines(in: document.text) {
        guard let name = words.first else { continue }
        guard let text = commands[name] else {
          Issue.record("\(document.path): there is no command '\(name)'")
          continue
        }
        for option in words where option.hasPrefix("--") && option != "--help" {
          #expect(text.contains(option), "\(document.path): `switchboard \(name)` has no \(option)")
        }
      }
    }
  }

  @Test func everySettingAndEveryMetricIsExplainedToTheOperator() throws {
    let operations = try Repository.text("Docs/Operations.md")
    let settings = try Repository.text("Sources/Switchboard/Switchboard/ServerSettings.swift")
    let names = ProgramText.firstStrings(after: "Setting(", in: settings)
    #expect(names.count > 8)
    for name in names { #expect(operations.contains("`\(name)`"), "Docs/Operations.md does not explain '\(name)'") }
    let metrics = Repository.sources.filter { $0.path.hasPrefix("Sources/Switchboard/") }.flatMap { file in
      ["metrics.gauge(", "metrics.counter(", "metrics.histogram("].flatMap {
        ProgramText.firstStrings(after: $0, in: file.text)
      }
    }
    #expect(!metrics.isEmpty)
    for name in metrics { #expect(operations.contains("`\(name)`"), "Docs/Operations.md does not explain '\(name)'") }
  }
}
