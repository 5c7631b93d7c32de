import Cryptography
import Foundation
import Network
import Testing

@testable import WebApp

/// Where Scripts/web puts it.
enum BuiltArchive {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  static let path = "\(root)/Web/.dist/assets.bin"
}

/// What Scripts/web made, where it ran; `make test` runs it first.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: BuiltArchive.path), "Scripts/web has not run"))
struct BuiltArchiveTests {
  private let assets: WebAssets

  init() throws {
    assets = try WebAssets(archive: Array(try Data(contentsOf: URL(fileURLWithPath: BuiltArchive.path))))
  }

  @Test func thePolicyNamesTheHashOfTheStyleThatIsInThePage() throws {
    for language in WebLanguage.allCases {
      let page = String(decoding: try #require(assets.shells[language]).head, as: UTF8.self)
      let pieces = page.split(separator: "<style>")
      #expect(pieces.count == 2)
      let style = try #require(pieces.last?.firstRange(of: "</style>")).lowerBound
      let hash = Base64.encode(SHA256.hash(Array(pieces[1][..<style].utf8)))
      #expect(assets.styleHash == "sha256-\(hash)")
      #expect(page.contains("<html lang=\"\(language.rawValue)\">"))
      #expect(!page.contains("style="), "a style as an attribute would be refused by the policy")
    }
  }

  @Test func everyFileThatAPageOrTheManifestNamesIsThere() throws {
    let manifests = WebLanguage.allCases.compactMap { assets.files["/manifest.\($0.rawValue).webmanifest"]?.identity }
    #expect(manifests.count == 3)
    for text in assets.shells.values.map(\.head) + manifests {
      for piece in String(decoding: text, as: UTF8.self).split(separator: "\"")
      where piece.hasPrefix("/") && piece.count > 1 {
        #expect(assets.files[String(piece)] != nil, "\(piece) is not in the archive")
      }
    }
    for file in assets.shells.values.flatMap(\.preloads).flatMap(\.files) { #expect(assets.files[file] != nil) }
  }

  @Test func theWorkerKeepsFilesThatThereAre() throws {
    let worker = String(decoding: try #require(assets.files["/worker.js"]).identity, as: UTF8.self)
    let names = worker.split(separator: "\"").filter { $0.hasPrefix("/assets/") || $0.hasSuffix(".svg") }
    #expect(names.count > 6)
    for name in names { #expect(assets.files[String(name)] != nil, "\(name) is not in the archive") }
    for shell in assets.shells.values { #expect(worker.contains(shell.tag)) }
  }

  /// By Node's decoders, which are not ours.
  @Test(arguments: WebLanguage.allCases)
  func foreignDecodersReadThePageAsItWasMeant(language: WebLanguage) throws {
    let shell = try #require(assets.shells[language])
    let data = Array(#"{"version":"1","name":"Ä <b> 你好"}"#.utf8)
    let long = Array((#"["# + String(repeating: #""0123456789abcdef","#, count: 8000) + "0]").utf8)
    for data in [data, long, []] {
      let plain = shell.page(data, as: .identity)
      #expect(try decoded(shell.page(data, as: .brotli), by: "brotliDecompressSync") == plain)
      #expect(try decoded(shell.page(data, as: .gzip), by: "gunzipSync") == plain)
    }
  }

  private func decoded(_ bytes: [UInt8], by function: String) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "node", "-e",
      "process.stdout.write(require('zlib').\(function)(require('fs').readFileSync(process.argv[1])))", file.path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "node could not decode the page")
    return Array(output)
  }
}
