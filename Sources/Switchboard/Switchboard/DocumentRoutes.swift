import Network
import WebApp

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

  /// The web app: of the folder that the settings name, else what Scripts/web made before the program was built.
  static func web(_ settings: ServerSettings) throws -> WebSource {
    if let path = settings.web {
      guard let folder = WebFolder(path) else {
        throw CommandError("web names \(path), where no shell.html is. It must be the folder Web of the sources.")
      }
      return .folder(folder)
    }
    return try Resource.named("Web/.dist/assets.bin").map { .archive(try WebAssets(archive: $0)) } ?? .missing
  }
}
