import Doors
package import Network

/// The web app: its pages by language, and its files.
package struct WebAppDoor: Sendable {
  private let source: WebSource
  private let start: @Sendable (HTTPRequest) async -> [UInt8]

  /// - Parameter start: what the page begins with, as one JSON text; the same as `GET /api/v1/start` answers.
  package init(_ source: WebSource, start: @escaping @Sendable (HTTPRequest) async -> [UInt8]) {
    self.source = source
    self.start = start
  }

  /// Addresses of screens; each answers the same page, and the app shows the screen.
  private static let pages = [
    "/", "/sign-up", "/sign-in", "/terms", "/texts", "/texts/{rest...}", "/texts/with/{peer}", "/contacts",
    "/contacts/{rest...}",
    "/me", "/me/{rest...}", "/outbox", "/operator/{rest...}",
  ]

  private static let files =
    ["/worker.js", "/icon.svg", "/wordmark.svg", "/apple-touch-icon.png", "/favicon.ico", "/robots.txt"]
    + WebLanguage.allCases.map { "/manifest.\($0.rawValue).webmanifest" }

  package func routes(_ router: inout Router) {
    for pattern in Self.pages {
      router.on("GET", pattern) { request in await page(request, data: start(request), isShared: false) }
    }
    // The page without anybody's data, for the service worker to keep.
    router.on("GET", "/shell") { request in page(request, data: Array("{}".utf8), isShared: true) }
    for address in Self.files {
      router.on("GET", address) { request in file(address, request) }
    }
    router.on("GET", "/assets/{name...}") { request in
      file("/assets/\(request.parameters["name"] ?? "")", request)
    }
  }

  // MARK: Pages

  private func page(_ request: HTTPRequest, data: [UInt8], isShared: Bool) -> HTTPResponse {
    let language = WebLanguage(for: request)
    guard let shell = source.shell(language) else { return Self.missing }
    let encoding = ContentEncoding(for: request, among: shell.encodings)
    var headers = PagePolicy.headers(styles: source.styles, isSecure: request.isSecure)
    headers.add("content-type", "text/html; charset=utf-8")
    headers.add("content-language", language.rawValue)
    headers.add("vary", "accept-encoding, accept-language, cookie")
    // Who is signed in stands in the page: no cache keeps it.
    headers.add("cache-control", isShared ? "no-cache" : "no-store")
    if isShared {
      let tag = "W/\"\(shell.tag)\""
      headers.add("etag", tag)
      if request.holds(tag: tag) { return HTTPResponse(status: 304, headers: headers) }
    } else {
      for file in preloads(request, shell) { headers.add("link", "<\(file)>; rel=modulepreload") }
    }
    if encoding != .identity { headers.add("content-encoding", encoding.rawValue) }
    return HTTPResponse(headers: headers, body: .bytes(shell.page(data, as: encoding)))
  }

  /// Whoever has no session will see the sign-up, whatever was asked for.
  private func preloads(_ request: HTTPRequest, _ shell: WebShell) -> [String] {
    let isVisitor = request.cookie(Authenticator.cookieName) == nil
    let path = isVisitor && request.path != "/sign-in" ? "/sign-up" : request.path
    return shell.preloads.first { $0.path == path }?.files ?? []
  }

  private static let missing = HTTPResponse(
    status: 503,
    text: """
      The web app is not in this program; everything else of it works.

      `make build` puts it in. By hand: Scripts/web, then build the program again. Or start it with --web Web, which
      serves the sources as they are.

      """)

  // MARK: Files

  private func file(_ address: String, _ request: HTTPRequest) -> HTTPResponse {
    guard let file = source.file(address) else {
      if case .missing = source, !address.hasPrefix("/assets/") { return Self.missing }
      var answer = HTTPResponse(status: 404, text: "There is no such file.\n")
      answer.headers.add("cache-control", "no-store")
      return answer
    }
    var answer = file.answer(request)
    if address == "/worker.js" { PagePolicy.addWorker(to: &answer.headers) }
    if address.hasSuffix(".svg") { PagePolicy.addPicture(to: &answer.headers) }
    return answer
  }
}
