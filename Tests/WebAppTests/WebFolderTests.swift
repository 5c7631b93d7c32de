import Foundation
import Network
import Testing

@testable import WebApp

/// The sources of the app as they are, and the archive where it has been built.
@Suite struct WebFolderTests {
  private let router: Router

  init() throws {
    let folder = try #require(WebFolder("\(BuiltArchive.root)/Web"))
    var router = Router()
    WebAppDoor(.folder(folder)) { _ in Array("{}".utf8) }.routes(&router)
    self.router = router
  }

  private func get(_ target: String) async -> (status: Int, type: String?, text: String) {
    let response = await router.handle(HTTPRequest(method: "GET", target: target))
    guard case .bytes(let bytes) = response.body else { return (response.status, nil, "") }
    return (response.status, response.headers["content-type"], String(decoding: bytes, as: UTF8.self))
  }

  @Test func thePageNamesTheSourcesAndNothingIsLeftToFill() async {
    let page = await get("/texts")
    #expect(page.status == 200)
    #expect(page.text.contains(#"<script type="module" src="/assets/dev/main.js"></script>"#))
    #expect(page.text.contains(#"href="/assets/dev/style/switchboard.css""#))
    #expect(page.text.contains("Skip to content"))
    #expect(!page.text.contains("{{"))
  }

  @Test(
    "Sources and the files beside them are served",
    arguments: [
      ("/assets/dev/main.js", "text/javascript; charset=utf-8"), ("/worker.js", "text/javascript; charset=utf-8"),
      ("/assets/dev/style/switchboard.css", "text/css; charset=utf-8"), ("/icon.svg", "image/svg+xml"),
      ("/favicon.ico", "image/png"), ("/manifest.fi.webmanifest", "application/manifest+json"),
    ])
  func files(target: String, type: String) async {
    let answer = await get(target)
    #expect(answer.status == 200)
    #expect(answer.type == type)
  }

  @Test(
    "Nothing outside of the folder is",
    arguments: [
      "/assets/dev/../Package.swift", "/assets/dev/%2e%2e/Package.swift", "/assets/dev/..%2fPackage.swift",
      "/assets/dev/shell.html", "/assets/dev/", "/assets/dev/style", "/assets/dev//etc/hostname.js",
    ])
  func outside(target: String) async {
    #expect(await get(target).status == 404)
  }

  @Test func aLinkThatLeadsOutOfTheFolderIsNotFollowed() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("web-\(UUID().uuidString)")
    let web = folder.appendingPathComponent("Web")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: web, withIntermediateDirectories: true)
    try Data("{{first}}".utf8).write(to: web.appendingPathComponent("shell.html"))
    try Data("secret".utf8).write(to: folder.appendingPathComponent("secret.js"))
    try FileManager.default.createSymbolicLink(
      at: web.appendingPathComponent("link.js"), withDestinationURL: folder.appendingPathComponent("secret.js"))
    let source = try #require(WebFolder(web.path))
    #expect(source.file("/assets/dev/link.js") == nil)
    #expect(WebFolder(folder.path) == nil)
  }
}
