import Testing

@testable import WebApp

@Suite struct WebAssetsTests {
  @Test func anArchiveGivesItsFilesAndPages() throws {
    let assets = try WebAssets(archive: SampleAssets.archive())
    #expect(assets.files.keys.sorted() == ["/assets/main-AB.js", "/worker.js"])
    #expect(assets.files["/assets/main-AB.js"]?.identity == Array(SampleAssets.script.utf8))
    #expect(assets.files["/assets/main-AB.js"]?.isImmutable == true)
    #expect(assets.files["/worker.js"]?.brotli == nil)
    #expect(assets.shells.count == 3)
  }

  @Test func whatIsNoArchiveIsRefused() {
    for bytes in [[], Array("hello".utf8), Array(repeating: 0, count: 100)] {
      #expect(throws: WebAssetsError.notAnArchive) { try WebAssets(archive: bytes) }
    }
  }

  @Test("A byte that has changed, or is missing, anywhere after the first eight makes it a damaged one")
  func damaged() {
    let archive = SampleAssets.archive()
    for place in stride(from: 8, to: archive.count, by: 7) {
      var changed = archive
      changed[place] ^= 0x20
      #expect(throws: WebAssetsError.damaged) { try WebAssets(archive: changed) }
    }
    for count in stride(from: 44, to: archive.count, by: 13) {
      #expect(throws: WebAssetsError.damaged) { try WebAssets(archive: Array(archive[..<count])) }
    }
  }

  @Test(
    "An index that does not fit is refused, and says so",
    arguments: [
      ("\"identity\": [0, ", "\"identity\": [0, 9999"), ("\"identity\": [", "\"identity\": [-1, 0], \"x\": ["),
      ("\"style\"", "\"stile\""), ("/worker.js", "/assets/main-AB.js"), ("\"path\": \"/", "\"path\": \""),
      ("\"tag\":", "\"tags\":"), ("{\"style", "style"), ("[", "[9223372036854775807, "),
    ])
  func unfit(change: (from: String, to: String)) {
    let archive = SampleAssets.archive { $0.replacing(change.from, with: change.to) }
    let index = #expect(throws: WebAssetsError.self) { try WebAssets(archive: archive) }
    guard case .index = index else {
      Issue.record("\(change) was not found in the index")
      return
    }
  }

  @Test func aLanguageThatIsMissingIsMissed() {
    let archive = SampleAssets.archive(languages: ["en", "fi"])
    #expect(throws: WebAssetsError.index("no page in simplifiedChinese")) { try WebAssets(archive: archive) }
  }
}
