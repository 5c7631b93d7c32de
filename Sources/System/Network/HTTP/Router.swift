/// Finds the handler of a request by its method and path.
///
/// Patterns: `/api/v1/messages/{id}`; `{id}` takes one whole segment, a last `{rest...}` takes one or more. A literal
/// segment goes before a parameter, and that before the rest; a path that a concrete pattern fits is that pattern's with
/// every method (as OpenAPI has it: Path Templating Matching). Segments are percent-decoded before they are compared;
/// paths with `.` or `..` segments, broken escapes or bytes that are not UTF-8 are found nowhere.
package struct Router: Sendable {
  private struct Route: Sendable {
    var method: String
    var pattern: String
    var names: [String]
    var maximumBody: Int?
    var handler: HTTPHandler
  }

  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    var routes: [Int] = []
    var rest: [Int] = []
  }

  private struct Match {
    var route: Int?
    var values: [String] = []
    var allowed: [String] = []
  }

  private var all: [Route] = []
  private var nodes = [Node()]

  /// Answers where no pattern fits the path.
  package var notFound: HTTPHandler = { _ in HTTPResponse(status: 404, text: "There is nothing at this address.\n") }

  /// Answers where the path is known but not with this method; `Allow` is added to the answer.
  package var methodNotAllowed: @Sendable (_ request: HTTPRequest, _ allowed: [String]) async -> HTTPResponse = {
    _, allowed in
    HTTPResponse(status: 405, text: "This address takes \(allowed.joined(separator: ", ")) only.\n")
  }

  package init() {}

  /// Every route in the order in which it was added.
  package var routes: [(method: String, pattern: String)] { all.map { ($0.method, $0.pattern) } }

  /// Adds a route. A route for GET also answers HEAD, unless HEAD has its own.
  /// - Parameter maximumBody: bytes, where the server's own limit does not fit.
  /// - Precondition: the pattern begins with `/`, and no other route has the same method and path.
  package mutating func on(
    _ method: String, _ pattern: String, maximumBody: Int? = nil, _ handler: @escaping HTTPHandler
  ) {
    precondition(pattern.hasPrefix("/"), "a pattern begins with /: \(pattern)")
    let segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    var names: [String] = []
    var node = 0
    var takesRest = false
    for segment in segments {
      precondition(!takesRest, "{...} comes last: \(pattern)")
      if segment.hasPrefix("{"), segment.hasSuffix("...}") {
        names.append(String(segment.dropFirst().dropLast(4)))
        takesRest = true
      } else if segment.hasPrefix("{"), segment.hasSuffix("}") {
        names.append(String(segment.dropFirst().dropLast()))
        node = child(of: node, \.parameter)
      } else {
        node = child(of: node, \.literals[String(segment)])
      }
    }
    let taken = takesRest ? nodes[node].rest : nodes[node].routes
    precondition(!taken.contains { all[$0].method == method }, "this route is there already: \(method) \(pattern)")
    all.append(Route(method: method, pattern: pattern, names: names, maximumBody: maximumBody, handler: handler))
    if takesRest { nodes[node].rest.append(all.count - 1) } else { nodes[node].routes.append(all.count - 1) }
  }

  private mutating func child(of node: Int, _ place: WritableKeyPath<Node, Int?>) -> Int {
    if let child = nodes[node][keyPath: place] { return child }
    nodes.append(Node())
    nodes[node][keyPath: place] = nodes.count - 1
    return nodes.count - 1
  }

  package func handle(_ request: HTTPRequest) async -> HTTPResponse {
    let match = match(request.method, request.path)
    if let index = match.route {
      let route = all[index]
      var request = request
      for (name, value) in zip(route.names, match.values) { request.parameters[name] = value }
      return await route.handler(request)
    }
    if match.allowed.isEmpty { return await notFound(request) }
    var allowed = Set(match.allowed)
    if allowed.contains("GET") { allowed.insert("HEAD") }
    let list = allowed.sorted()
    var response = await methodNotAllowed(request, list)
    response.headers.set("Allow", list.joined(separator: ", "))
    return response
  }

  /// The body limit of the route that would handle this; nil where it has none of its own.
  package func maximumBody(method: String, path: String) -> Int? {
    match(method, path).route.flatMap { all[$0].maximumBody }
  }

  private func match(_ method: String, _ path: String) -> Match {
    var match = Match()
    guard let segments = Self.segments(path) else { return match }
    _ = search(segments[...], from: 0, method, &match)
    return match
  }

  /// Depth first; true once a pattern fits the path, with this method or without.
  private func search(_ segments: ArraySlice<String>, from node: Int, _ method: String, _ match: inout Match) -> Bool {
    guard let segment = segments.first else { return choose(nodes[node].routes, method, &match) }
    if let child = nodes[node].literals[segment], search(segments.dropFirst(), from: child, method, &match) {
      return true
    }
    if let child = nodes[node].parameter, !segment.isEmpty {
      match.values.append(segment)
      if search(segments.dropFirst(), from: child, method, &match) { return true }
      match.values.removeLast()
    }
    // A slash that was encoded must not become one that parts segments.
    if !nodes[node].rest.isEmpty, !segments.contains(where: { $0.utf8.contains(0x2F) }) {
      match.values.append(segments.joined(separator: "/"))
      if choose(nodes[node].rest, method, &match) { return true }
      match.values.removeLast()
    }
    return false
  }

  private func choose(_ candidates: [Int], _ method: String, _ match: inout Match) -> Bool {
    guard !candidates.isEmpty else { return false }
    if let exact = candidates.first(where: { all[$0].method == method }) {
      match.route = exact
    } else if method == "HEAD", let get = candidates.first(where: { all[$0].method == "GET" }) {
      match.route = get
    } else {
      match.allowed = candidates.map { all[$0].method }
    }
    return true
  }

  private static func segments(_ path: String) -> [String]? {
    guard path.utf8.first == 0x2F else { return nil }
    var segments: [String] = []
    for raw in path.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
      let segment: String
      if raw.contains(0x25) {
        guard let decoded = PercentDecoding.string(raw), !decoded.utf8.contains(0) else { return nil }
        segment = decoded
      } else {
        segment = String(Substring(raw))
      }
      if segment == "." || segment == ".." { return nil }
      segments.append(segment)
    }
    return segments
  }
}
