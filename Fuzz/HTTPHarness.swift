import CarrierProfiles
import Foundation
import Network

/// The HTTP parser, and what is done with its heads: routes, queries, forms, cookies.
enum HTTPHarness {
  static func run(_ input: [UInt8]) {
    read(input, .init(), maximumBody: 1 << 20)
    var tight = HTTPRequestParser.Limits()
    (tight.head, tight.fields, tight.trailers, tight.chunkExtensions) = (300, 6, 80, 24)
    read(input, tight, maximumBody: 40)
    form(input)
    // Nothing else gets through the parser.
    let target = input.filter { 0x21...0x7E ~= $0 }
    route(HTTPRequest(method: "GET", target: "/" + String(decoding: target, as: UTF8.self)))
  }

  private static func read(_ input: [UInt8], _ limits: HTTPRequestParser.Limits, maximumBody: Int) {
    let whole = HTTPReading([input], limits: limits, maximumBody: maximumBody)
    var random = Repeatable(input)
    let split = HTTPReading(random.pieces(of: input), limits: limits, maximumBody: maximumBody)
    require(whole == split, "the pieces say \(split), the whole says \(whole)")
    if input.count <= 600 {
      let bytewise = HTTPReading(input.map { [$0] }, limits: limits, maximumBody: maximumBody)
      require(whole == bytewise, "the bytes say \(bytewise), the whole says \(whole)")
    }
    for request in whole.requests { check(request) }
    let complete = whole.requests.filter(\.isComplete)
    if whole.violation == nil { require(complete.count + 1 >= whole.requests.count, "two requests that are open") }
    rewrite(complete, maximumBody)
  }

  private static func check(_ request: HTTPReading.Request) {
    let head = request.head
    require(head.headers.all("host").count <= 1 && (head.version == 0 || head.headers.contains("Host")), "no one host")
    switch head.framing {
    case .none:
      require(!head.headers.contains("Content-Length") && !head.headers.contains("Transfer-Encoding"), "no framing")
      require(request.body.isEmpty, "a body that nobody announced")
    case .length(let length):
      require(head.headers.all("content-length").compactMap { Int($0) } == [length], "another length")
      require(!head.headers.contains("Transfer-Encoding"), "a length and a coding")
      require(request.isComplete ? request.body.count == length : request.body.count <= length, "another body")
    case .chunked:
      require(head.headers.all("transfer-encoding").map { $0.lowercased() } == ["chunked"], "another coding")
      require(!head.headers.contains("Content-Length") && head.version == 1, "a coding that can not be")
    }
    require(head.path.utf8.first == 0x2F || head.path == "*", "a path that is none")
    let served = HTTPRequest(method: head.method, target: head.target, headers: head.headers, body: request.body)
    route(served)
    _ = served.queryItems()
    for name in ["session", "a", ""] {
      require(served.cookie(name).map { !$0.contains(";") } ?? true, "two cookies in one")
    }
    form(request.body)
    if let query = head.query { form(Array(query.utf8)) }
  }

  private static func rewrite(_ requests: [HTTPReading.Request], _ maximumBody: Int) {
    var limits = HTTPRequestParser.Limits()
    (limits.head, limits.fields) = (1 << 20, 1000)
    let again = HTTPReading([requests.flatMap(\.rewritten)], limits: limits, maximumBody: maximumBody)
    require(again.requests == requests && again.violation == nil && again.isIdle, "written anew they are \(again)")
  }

  // MARK: Forms

  private static func form(_ bytes: [UInt8]) {
    guard let raw = FormDecoding().parseRaw(bytes) else { return }
    require(raw.count <= 1000, "more pairs than the limit")
    let lenient = FormField.decode(bytes)
    require(
      lenient.elementsEqual(raw.prefix(FormField.limit)) { $0.name == $1.name && $0.value == $1.value },
      "the two form readers differ")
    let rewritten = raw.map { encoded(Array($0.name.utf8)) + [0x3D] + encoded($0.value) }.joined(separator: [0x26])
    let again = FormDecoding().parseRaw(Array(rewritten))
    require(again?.elementsEqual(raw) { $0.name == $1.name && $0.value == $1.value } ?? false, "a form changes")
    if let pairs = FormDecoding().parse(bytes) {
      require(pairs.elementsEqual(raw) { $0.name == $1.name && Array($0.value.utf8) == $1.value }, "a value changes")
    }
  }

  private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [0x25, digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  // MARK: Routes

  /// What the handler saw.
  private final class Seen: @unchecked Sendable {
    var pattern: String?
    var parameters: [String: String] = [:]
  }

  private static let seen = Seen()

  private static let router: Router = {
    var router = Router()
    for (method, pattern) in [
      ("GET", "/"), ("GET", "/messages"), ("POST", "/messages"), ("GET", "/messages/{id}"), ("POST", "/messages/new"),
      ("GET", "/messages/{message}/parts/{part}"), ("GET", "/web/{rest...}"), ("GET", "/web/app.js"),
    ] {
      router.on(method, pattern, maximumBody: pattern.utf8.count) { request in
        seen.pattern = pattern
        seen.parameters = request.parameters
        return HTTPResponse(status: 200, text: "")
      }
    }
    return router
  }()

  private static func route(_ request: HTTPRequest) {
    seen.pattern = nil
    // Nothing in a handler waits, so it is over when this returns.
    Task.immediate { _ = await router.handle(request) }
    let limit = router.maximumBody(method: request.method, path: request.path)
    require(limit == seen.pattern?.utf8.count, "the limit is another route's")
    guard let pattern = seen.pattern else { return }
    let raw = request.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    for (name, value) in seen.parameters {
      require(!value.utf8.contains(0) && (!value.isEmpty || name == "rest"), "a parameter is empty or has a zero")
      for segment in value.split(separator: "/") where name == "rest" {
        require(segment != "." && segment != "..", "a path that climbs")
      }
      guard name != "rest", let place = pattern.split(separator: "/").firstIndex(of: "{\(name)}") else { continue }
      require(raw[place + 1].removingPercentEncoding == value, "the parameter is not what was sent")
    }
  }
}
