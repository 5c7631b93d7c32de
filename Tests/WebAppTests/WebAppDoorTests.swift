import Network
import Testing

@testable import WebApp

@Suite struct WebAppDoorTests {
  private let router: Router

  init() throws {
    router = Self.router(.archive(try WebAssets(archive: SampleAssets.archive())))
  }

  private static func router(_ source: WebSource, data: String = #"{"version":"1"}"#) -> Router {
    var router = Router()
    WebAppDoor(source) { _ in Array(data.utf8) }.routes(&router)
    return router
  }

  private func get(_ target: String, _ headers: HTTPHeaders = [:], isSecure: Bool = false) async -> HTTPResponse {
    await router.handle(HTTPRequest(method: "GET", target: target, headers: headers, isSecure: isSecure))
  }

  private func text(_ response: HTTPResponse) -> String {
    guard case .bytes(let bytes) = response.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Pages

  @Test(
    "Every screen's address answers the page with what it begins with",
    arguments: [
      "/", "/sign-up", "/sign-in", "/texts", "/texts/new?to=%2B358401234567", "/texts/with/%2B358401234567",
      "/texts/with/A%2FB", "/texts/message/msg_1", "/contacts", "/me", "/me/sessions", "/outbox",
      "/operator/messages/msg_1",
    ])
  func pages(target: String) async {
    let response = await get(target)
    #expect(response.status == 200)
    #expect(text(response).hasSuffix(#"<script>{"version":"1"}</script>"#))
    #expect(response.headers["content-type"] == "text/html; charset=utf-8")
    #expect(response.headers["cache-control"] == "no-store")
  }

  @Test(
    "The page is in the language that was chosen, else in the one that the browser wants most, else in English",
    arguments: [
      (nil, nil, "en"), (nil, "fi", "fi"), (nil, "fi-FI,fi;q=0.9,en;q=0.8", "fi"), (nil, "sv, zh-TW;q=0.5", "zh-Hans"),
      (nil, "en;q=0.1, fi;q=0.2", "fi"), (nil, "fi;q=0, zh", "zh-Hans"), (nil, "de, *", "en"),
      ("zh-Hans", "fi", "zh-Hans"),
      ("fi", "en", "fi"), ("pseudo", "fi", "fi"), (nil, ";;;,,q=", "en"), (nil, "fi;q=x,en", "en"),
    ] as [(String?, String?, String)])
  func languages(cookie: String?, accepted: String?, language: String) async {
    var headers = HTTPHeaders()
    if let cookie { headers.add("cookie", "a=b; switchboard_language=\(cookie)") }
    if let accepted { headers.add("accept-language", accepted) }
    let response = await get("/texts", headers)
    #expect(text(response).hasPrefix("<html lang=\(language)>"))
    #expect(response.headers["content-language"] == language)
    #expect(response.headers["vary"]?.contains("cookie") == true)
  }

  @Test func whatThePageBeginsWithCanNotBreakOutOfItsElement() async {
    let hostile = #"{"name":"</script><script>alert(1)</script><!--<script>"}"#
    let router = Self.router(.archive(try! WebAssets(archive: SampleAssets.archive())), data: hostile)
    let page = text(await router.handle(HTTPRequest(method: "GET", target: "/me")))
    let data = page.dropFirst("<html lang=en><style>body{margin:0}</style><script>".count).dropLast("</script>".count)
    #expect(!data.contains("<"))
    #expect(data == hostile.replacing("<", with: #"\u003c"#))
  }

  @Test func thePolicyNamesTheStyleInThePageAndAllowsNothingElse() async {
    let policy = await get("/").headers["content-security-policy"] ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-"))
    for part in [
      "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "require-trusted-types-for 'script'",
      "trusted-types switchboard", "connect-src 'self'",
    ] {
      #expect(policy.contains(part))
    }
    #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
  }

  @Test func overTLSTheBrowserIsToldToStayThere() async {
    #expect(await get("/", isSecure: true).headers["strict-transport-security"] == "max-age=31536000")
    #expect(await get("/").headers["strict-transport-security"] == nil)
  }

  @Test func theModulesOfAScreenAreAskedForAheadOfItsScripts() async {
    let files = ["</assets/sign-up-EF.js>; rel=modulepreload", "</assets/words-en-EF.js>; rel=modulepreload"]
    for path in ["/", "/texts", "/sign-up"] { #expect(await get(path).headers.all("link") == files) }
    let signedIn: HTTPHeaders = ["cookie": "switchboard_session=x"]
    #expect(await get("/sign-up", signedIn).headers.all("link") == files)
    for path in ["/texts", "/me"] { #expect(await get(path, signedIn).headers["link"] == nil) }
    #expect(await get("/sign-in").headers["link"] == nil)
    #expect(await get("/shell").headers["link"] == nil)
  }

  @Test func thePageForTheWorkerHasNobodysDataAndATag() async {
    let response = await get("/shell", ["accept-language": "fi", "cookie": "switchboard_session=x"])
    #expect(text(response).hasSuffix("<script>{}</script>"))
    #expect(response.headers["cache-control"] == "no-cache")
    #expect(response.headers["etag"] == "W/\"tag-fi\"")
    let again = await get("/shell", ["accept-language": "fi", "if-none-match": "\"x\", W/\"tag-fi\""])
    #expect(again.status == 304)
    #expect(text(again).isEmpty)
    #expect(await get("/shell", ["accept-language": "en", "if-none-match": "W/\"tag-fi\""]).status == 200)
  }

  // MARK: Files

  @Test(
    "The smallest encoding that the browser takes is sent",
    arguments: [
      (nil, nil, "console.log(1);"), ("gzip, deflate, br, zstd", "br", "small"), ("gzip", "gzip", "smaller"),
      ("br;q=0, gzip", "gzip", "smaller"), ("br;q=0,gzip;q=0", nil, "console.log(1);"), ("*", "br", "small"),
      ("BR", "br", "small"), ("identity", nil, "console.log(1);"),
    ] as [(String?, String?, String)])
  func encodings(accepted: String?, encoding: String?, body: String) async {
    let response = await get("/assets/main-AB.js", accepted.map { ["accept-encoding": $0] } ?? [:])
    #expect(response.headers["content-encoding"] == encoding)
    #expect(text(response) == body)
    #expect(response.headers["vary"] == "accept-encoding")
  }

  @Test func hashedNamesAreKeptForAYearAndOthersAreAskedForAgain() async {
    #expect(await get("/assets/main-AB.js").headers["cache-control"] == "public, max-age=31536000, immutable")
    let worker = await get("/worker.js")
    #expect(worker.headers["cache-control"] == "no-cache")
    let tag = worker.headers["etag"] ?? ""
    #expect(await get("/worker.js", ["if-none-match": tag]).status == 304)
    #expect(worker.headers["content-security-policy"] == "default-src 'none'; connect-src 'self'")
  }

  @Test(
    "What is no file of the app is not found",
    arguments: [
      "/assets/other.js", "/assets/", "/assets/../worker.js", "/assets/%2e%2e/worker.js", "/assets/dev/main.js",
    ])
  func nothing(target: String) async {
    #expect(await get(target).status == 404)
  }

  @Test func headIsAnsweredLikeGet() async {
    for target in ["/", "/assets/main-AB.js", "/worker.js"] {
      let head = await router.handle(HTTPRequest(method: "HEAD", target: target))
      let get = await get(target)
      #expect(head.status == 200)
      #expect(head.headers == get.headers)
    }
  }

  // MARK: Without an archive

  @Test func aProgramWithoutTheAppSaysHowToBuildIt() async {
    let router = Self.router(.missing)
    let response = await router.handle(HTTPRequest(method: "GET", target: "/"))
    #expect(response.status == 503)
    #expect(text(response).contains("Scripts/web"))
    #expect(await router.handle(HTTPRequest(method: "GET", target: "/assets/x.js")).status == 404)
  }
}
