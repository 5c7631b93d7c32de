import Testing

/// The walls between the layers. Docs/Architecture.md has the rule; the manifest and every import line are held to it.
@Suite struct LayerTests {
  let manifest: Manifest
  let table: LayerTable

  init() throws {
    manifest = Manifest(try Repository.text("Package.swift"))
    table = try LayerTable(try Repository.text("Docs/Architecture.md"))
  }

  @Test func theManifestAndTheTableAreRead() {
    #expect(manifest.swiftTargets.count > 15)
    #expect(manifest.cTargets.count > 5)
    #expect(table.rows.count > 8)
    #expect(manifest["Exchange"]?.dependencies.contains("Database") == true)
    #expect(!Repository.sources.isEmpty)
  }

  @Test func everyTargetStandsInTheTableInTheLayerOfItsFolder() {
    for target in manifest.swiftTargets {
      let row = table.row(of: target.name)
      #expect(row != nil, "\(target.name) does not stand in the table of Docs/Architecture.md")
      #expect(
        row?.layer == target.layer, "\(target.name) lies in \(target.layer ?? "-"), the table says \(row?.layer ?? "-")"
      )
    }
    for name in table.rows.flatMap(\.targets) {
      #expect(manifest[name] != nil, "the table has \(name), which is no target of Package.swift")
    }
  }

  @Test func everyNameInTheTableIsATargetOrALayer() {
    for name in table.rows.flatMap({ $0.mayImport ?? [] }) {
      let isKnown = name.hasSuffix("/") ? !table.targets(of: String(name.dropLast())).isEmpty : manifest[name] != nil
      #expect(isKnown, "'\(name)' in the table of Docs/Architecture.md is neither a target nor a layer")
    }
  }

  @Test func theFoldersOfSourcesAreTheLayers() {
    for file in Repository.sources {
      let parts = file.path.split(separator: "/")
      guard parts.count > 3 else {
        Issue.record("\(file.path) lies in no target's folder")
        continue
      }
      let layer = String(parts[1])
      // The program's target is written small, its folder is not.
      let target = layer == "Switchboard" ? "switchboard" : String(parts[2])
      #expect(manifest[target]?.layer == layer, "\(file.path) belongs to no target of the layer \(layer)")
    }
  }

  @Test func theManifestHasNoArrowThatTheTableLacks() {
    for target in manifest.swiftTargets {
      for dependency in target.dependencies where manifest[dependency]?.isC == false {
        #expect(
          table.allows(target.name, toImport: dependency),
          "Package.swift lets \(target.name) use \(dependency); the table of Docs/Architecture.md does not")
      }
    }
  }

  @Test func noImportLineGoesWhereTheTableHasNoArrow() {
    let toolchain: Set<String> = ["Foundation", "Dispatch", "Synchronization", "Glibc"]
    for file in Repository.sources {
      guard let target = Self.target(of: file) else { continue }
      for module in ImportLine.modules(of: file) where !toolchain.contains(module) {
        guard let imported = manifest[module] else {
          Issue.record(
            "\(file.path) imports \(module), which is neither a target of ours nor one of \(toolchain.sorted())")
          continue
        }
        if imported.isC {
          let wrappers = table.wrappers[module] ?? []
          #expect(wrappers.contains(target), "\(file.path) imports \(module), which belongs to \(wrappers)")
        } else {
          #expect(table.allows(target, toImport: module), "\(file.path): \(target) may not import \(module)")
        }
        #expect(
          manifest[target]?.dependencies.contains(module) == true,
          "\(file.path) imports \(module), which its target does not depend on in Package.swift")
      }
    }
  }

  @Test func eachCModuleHasOneSwiftTargetThatWrapsIt() {
    for module in manifest.cTargets.map(\.name) {
      let wrappers = manifest.swiftTargets.filter { $0.dependencies.contains(module) }.map(\.name)
      #expect(
        Set(wrappers) == Set(table.wrappers[module] ?? []),
        "\(module) is used by \(wrappers); the table of Docs/Architecture.md says \(table.wrappers[module] ?? [])")
      // OpenSSL does the hashes of one target and the TLS of others.
      if module != "COpenSSL" { #expect(wrappers.count == 1, "\(module) is wrapped by \(wrappers)") }
    }
    for module in table.wrappers.keys { #expect(manifest[module] != nil, "there is no C module \(module)") }
  }

  /// It costs a static program 50 MB; HTTPClient is there for the server.
  @Test func onlyTheClientPackageUsesFoundationNetworking() {
    for file in Repository.files where file.path.hasSuffix(".swift") && !file.path.hasPrefix("Sources/Client/") {
      #expect(!ImportLine.modules(of: file).contains("FoundationNetworking"), "\(file.path)")
    }
  }

  /// Targets that have no folder of unit tests, and where they are tested instead.
  static let testedElsewhere: [String: String] = [
    "SMSChannel": "IntegrationTests, with real servers and carriers of the sandbox",
    "switchboard": "IntegrationTests, which run the program",
  ]

  @Test func everyTargetHasTestsOrAReason() {
    for target in manifest.swiftTargets {
      let folder = "Tests/\(target.name)Tests/"
      let hasTests = Repository.files.contains { file in
        file.path.hasPrefix(folder) && (file.text.contains("@Test") || file.text.contains("@Suite"))
      }
      if Self.testedElsewhere[target.name] == nil {
        #expect(hasTests, "\(target.name) has no test in \(folder)")
      } else {
        #expect(!hasTests, "\(target.name) has tests now; take it off the list of those without")
      }
    }
  }

  private static func target(of file: Repository.File) -> String? {
    let parts = file.path.split(separator: "/")
    guard parts.count > 3 else { return nil }
    return parts[1] == "Switchboard" ? "switchboard" : String(parts[2])
  }
}
