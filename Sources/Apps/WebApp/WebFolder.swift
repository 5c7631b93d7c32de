import Foundation

/// The app's sources, served as they are: what was just saved is what runs. Only for whoever develops the app; files
/// are read at each request.
package struct WebFolder: Sendable {
  let path: String

  /// Names begin so, and nothing under it is kept by the browser.
  static let prefix = "/assets/dev/"

  /// - Returns: nil where the folder has no page.
  package init?(_ path: String) {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard FileManager.default.fileExists(atPath: "\(path)/shell.html") else { return nil }
    self.path = path
  }

  func file(_ address: String) -> WebFile? {
    if address.hasPrefix(Self.prefix) { return source(String(address.dropFirst(Self.prefix.count))) }
    switch address {
    case "/worker.js": return source("worker.js")
    case "/favicon.ico": return source("icons/icon-32.png")
    case "/robots.txt":
      return WebFile(type: "text/plain; charset=utf-8", identity: Array("User-agent: *\nDisallow: /\n".utf8))
    case "/icon.svg", "/wordmark.svg", "/apple-touch-icon.png": return source("icons\(address)")
    default:
      guard address.hasSuffix(".webmanifest") else { return nil }
      let text = #"{"name":"Switchboard","start_url":"/","display":"standalone","icons":[]}"#
      return WebFile(type: "application/manifest+json", identity: Array(text.utf8))
    }
  }

  private static let types = [
    "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    "png": "image/png",
  ]

  private func source(_ name: String) -> WebFile? {
    let file = URL(fileURLWithPath: "\(path)/\(name)").resolvingSymlinksInPath()
    guard file.path.hasPrefix("\(path)/"), let type = Self.types[file.pathExtension],
      let data = try? Data(contentsOf: file)
    else { return nil }
    return WebFile(type: type, identity: Array(data))
  }

  /// Its texts are those that stand in the page itself, in English, until the scripts run.
  func shell(_ language: WebLanguage) -> WebShell? {
    guard var page = try? String(contentsOfFile: "\(path)/shell.html", encoding: .utf8) else { return nil }
    let styles = ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/style")) ?? [])
      .filter { $0.hasSuffix(".css") }.sorted {
        ($1 == "switchboard.css" ? 1 : 0, $0) < ($0 == "switchboard.css" ? 1 : 0, $1)
      }
    page = page.replacing("{{language}}", with: language.rawValue)
      .replacing("{{icon}}", with: "/icon.svg")
      .replacing("{{modules}}", with: #"<script type="module" src="\#(Self.prefix)main.js"></script>"#)
      .replacing(
        "{{style}}",
        with: styles.map { #"<link rel="stylesheet" href="\#(Self.prefix)style/\#($0)">"# }.joined(separator: "\n"))
    while let open = page.firstRange(of: "{{t "), let close = page[open.upperBound...].firstRange(of: "}}") {
      let words = page[open.upperBound..<close.lowerBound]
      page.replaceSubrange(
        open.lowerBound..<close.upperBound,
        with: words.firstIndex(of: "|").map { words[words.index(after: $0)...] } ?? words)
    }
    guard let first = page.firstRange(of: "{{first}}") else { return nil }
    return WebShell(
      head: Array(page[..<first.lowerBound].utf8), tail: Array(page[first.upperBound...].utf8), tag: "dev")
  }
}
