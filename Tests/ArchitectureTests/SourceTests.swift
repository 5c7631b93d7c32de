import Testing

/// What every file must keep to.
@Suite struct SourceTests {
  /// Past that a file is no longer read in one sitting.
  static let mostLines = 400

  @Test func noSourceFileIsLongerThanOneSitting() {
    for file in Repository.sources {
      let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
      #expect(count <= Self.mostLines, "\(file.path) has \(count) lines; divide it (the limit is \(Self.mostLines))")
    }
  }

  /// Folders of one machine, and notes to come back later. Put together here, so that this file passes.
  static let forbidden = ["/wo" + "rk/", "/ro" + "ot/", "TO" + "DO", "FIX" + "ME"]

  @Test(arguments: forbidden)
  func noFileHasWordsThatDoNotBelongHere(_ word: String) {
    for file in Repository.files where file.text.contains(word) {
      for (index, line) in file.lines.enumerated() where line.contains(word) {
        Issue.record("\(file.path):\(index + 1) has '\(word)'")
      }
    }
  }

  @Test func everyProfileIsInTheProgram() throws {
    let resources = try Repository.text("Sources/Switchboard/CResources/CResources.c")
    let profiles = Repository.files.map(\.path).filter { $0.hasPrefix("Profiles/") && $0.hasSuffix(".json5") }
    #expect(!profiles.isEmpty)
    for path in profiles {
      #expect(resources.contains("#embed \"../../../\(path)\""), "\(path) is not embedded in CResources.c")
      #expect(resources.contains("ROW(\"\(path)\","), "\(path) has no row in CResources.c")
    }
  }

  @Test func everyScriptCanBeRun() {
    for file in Repository.files where file.path.hasPrefix("Scripts/") && !file.name.contains(".") {
      #expect(file.text.hasPrefix("#!"), "\(file.path) has no #! line")
      #expect(Repository.isExecutable(file.path), "\(file.path) is not executable: chmod +x")
    }
  }
}
