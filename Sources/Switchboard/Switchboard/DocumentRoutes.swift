import Network

/// Documents that the program serves of itself.
enum DocumentRoutes {
  static func add(to router: inout Router) {
    for (path, name, type) in [
      ("/openapi.json", "Docs/openapi.json", "application/json"),
      ("/docs/errors", "Docs/Errors.md", "text/markdown; charset=utf-8"),
    ] {
      guard let bytes = Resource.named(name) else { continue }
      router.on("GET", path) { _ in HTTPResponse(contentType: type, bytes: bytes) }
    }
  }
}
