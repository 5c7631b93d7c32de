import Network
import Testing

@Suite struct RouterTests {
  /// A router whose handlers answer with the pattern and the parameters.
  private func router(_ routes: [(String, String)]) -> Router {
    var router = Router()
    for (method, pattern) in routes {
      router.on(method, pattern) { request in
        let values = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return HTTPResponse(text: ([method, pattern] + values).joined(separator: " "))
      }
    }
    return router
  }

  private func answer(_ router: Router, _ method: String, _ target: String) async -> String {
    let response = await router.handle(HTTPRequest(method: method, target: target))
    guard case .bytes(let bytes) = response.body else { return "" }
    return response.status == 200 ? String(decoding: bytes, as: UTF8.self) : String(response.status)
  }

  private var sample: Router {
    router([
      ("GET", "/"), ("GET", "/messages"), ("POST", "/messages"), ("GET", "/messages/{id}"),
      ("DELETE", "/messages/{id}"), ("POST", "/messages/new"), ("GET", "/messages/{message}/parts/{part}"),
      ("GET", "/web/{rest...}"), ("GET", "/web/app.js"),
    ])
  }

  @Test func findsTheHandlerAndItsParameters() async {
    let router = sample
    #expect(await answer(router, "GET", "/") == "GET /")
    #expect(await answer(router, "POST", "/messages?x=/y") == "POST /messages")
    #expect(await answer(router, "GET", "/messages/7") == "GET /messages/{id} id=7")
    #expect(
      await answer(router, "GET", "/messages/7/parts/8") == "GET /messages/{message}/parts/{part} message=7 part=8")
    #expect(await answer(router, "GET", "/web/a/b.png") == "GET /web/{rest...} rest=a/b.png")
    #expect(await answer(router, "GET", "/web/app.js") == "GET /web/app.js")
    #expect(await answer(router, "GET", "/nowhere") == "404")
    #expect(await answer(router, "GET", "/messages/") == "404")
    #expect(await answer(router, "GET", "/messages/7/") == "404")
    #expect(await answer(router, "GET", "/web") == "404")
    #expect(await answer(router, "OPTIONS", "*") == "404")
  }

  @Test func aPathThatAConcretePatternFitsIsNoParameterToo() async {
    #expect(await answer(sample, "POST", "/messages/new") == "POST /messages/new")
    #expect(await answer(sample, "GET", "/messages/new") == "405")
    #expect(await answer(sample, "DELETE", "/messages/new") == "405")
    #expect(await answer(sample, "GET", "/messages/new/parts/1").hasSuffix("message=new part=1"))
  }

  @Test func decodesSegments() async {
    #expect(await answer(sample, "GET", "/messages/a%20b%2Fc%C3%B6+") == "GET /messages/{id} id=a b/cö+")
    #expect(await answer(sample, "GET", "/mess%61ges") == "GET /messages")
  }

  @Test(arguments: [
    "/messages/%", "/messages/%zz", "/messages/%ff", "/messages/%00", "/web/../messages", "/web/%2e%2E/x", "/web/a%2Fb",
    "/./messages", "//messages",
  ])
  func pathsThatMightMeanAnotherAreFoundNowhere(_ path: String) async {
    #expect(await answer(sample, "GET", path) == "404")
  }

  @Test func aKnownPathWithAnotherMethodSaysWhichAreAllowed() async {
    let response = await sample.handle(HTTPRequest(method: "PATCH", target: "/messages"))
    #expect(response.status == 405)
    #expect(response.headers.all("allow") == ["GET, HEAD, POST"])
    let concrete = await sample.handle(HTTPRequest(method: "PUT", target: "/messages/new"))
    #expect(concrete.headers["Allow"] == "POST")
  }

  @Test func headIsAnsweredByGet() async {
    #expect(await answer(sample, "HEAD", "/messages") == "GET /messages")
  }

  @Test func theOwnerCanAnswerUnknownAddressesInItsOwnWay() async {
    var router = sample
    router.notFound = { _ in HTTPResponse(status: 404, contentType: "application/json", bytes: []) }
    router.methodNotAllowed = { _, allowed in HTTPResponse(status: 405, text: allowed.joined()) }
    let missing = await router.handle(HTTPRequest(method: "GET", target: "/x"))
    #expect(missing.headers["content-type"] == "application/json")
    let refused = await router.handle(HTTPRequest(method: "POST", target: "/"))
    #expect(refused.status == 405)
    #expect(refused.headers["allow"] == "GET, HEAD")
  }

  @Test func routesHaveTheirOwnBodyLimits() {
    var router = Router()
    router.on("POST", "/photos/{id}", maximumBody: 8 << 20) { _ in HTTPResponse() }
    router.on("POST", "/texts") { _ in HTTPResponse() }
    #expect(router.maximumBody(method: "POST", path: "/photos/1") == 8 << 20)
    #expect(router.maximumBody(method: "POST", path: "/texts") == nil)
    #expect(router.maximumBody(method: "PUT", path: "/photos/1") == nil)
  }

  @Test func listsItsRoutes() {
    let routes = sample.routes
    #expect(routes.count == 9)
    #expect(routes.first?.method == "GET")
    #expect(routes.last?.pattern == "/web/app.js")
  }
}
