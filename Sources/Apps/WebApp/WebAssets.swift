import Cryptography
import Formats

/// What Scripts/web made of the app: files, pages, and what the pages need to be safe and fast.
///
/// The archive is `SBWEB001`, the length of the index (four bytes, little endian), the SHA-256 of all that follows, the
/// index (JSON), and the bytes of all files.
package struct WebAssets: Sendable {
  /// Modules that a page will ask for as soon as its scripts run.
  struct Preload: Sendable {
    /// Like `/texts/with/:peer`.
    let pattern: String
    let files: [String]
  }

  /// The style's hash as a content policy names it: `sha256-…`.
  package let styleHash: String
  let files: [String: WebFile]
  let shells: [WebLanguage: WebShell]
  let preloads: [Preload]

  private static let magic = Array("SBWEB001".utf8)
  private static let start = magic.count + 4 + SHA256.length

  /// - Throws: where the archive is not whole. Nothing of a broken one is served.
  package init(archive: [UInt8]) throws(WebAssetsError) {
    guard archive.count >= Self.start, archive.starts(with: Self.magic) else { throw .notAnArchive }
    let length = (0..<4).reduce(0) { $0 | Int(archive[Self.magic.count + $1]) << (8 * $1) }
    let rest = Array(archive[Self.start...])
    guard length <= rest.count, SHA256.hash(rest) == Array(archive[Self.magic.count + 4..<Self.start]) else {
      throw .damaged
    }
    let content = Array(rest[length...])
    do {
      let index = try JSON.parse(Array(rest[..<length]))
      var reader = try ObjectReader(index, path: "", file: "the archive of the web app")
      styleHash = try reader.string("style")
      files = try Self.files(&reader, content)
      shells = try Self.shells(&reader, content)
      preloads = try Self.preloads(&reader)
      try reader.finish()
    } catch let error as WebAssetsError {
      throw error
    } catch {
      throw .index("\(error)")
    }
    for language in WebLanguage.allCases where shells[language] == nil { throw .index("no page in \(language)") }
  }

  private static func files(_ reader: inout ObjectReader, _ content: [UInt8]) throws -> [String: WebFile] {
    var files: [String: WebFile] = [:]
    for value in try reader.value("files").array ?? [] {
      var row = try ObjectReader(value)
      let path = try row.string("path")
      guard path.hasPrefix("/"), files[path] == nil else { throw WebAssetsError.index("the path \(path)") }
      let file = WebFile(
        type: try row.string("type"), isImmutable: try row.value("immutable").bool ?? false,
        identity: try bytes(row.value("identity"), content),
        brotli: try row.valueIfPresent("br").map { try bytes($0, content) },
        gzip: try row.valueIfPresent("gzip").map { try bytes($0, content) })
      try row.finish()
      files[path] = file
    }
    return files
  }

  private static func shells(_ reader: inout ObjectReader, _ content: [UInt8]) throws -> [WebLanguage: WebShell] {
    var shells: [WebLanguage: WebShell] = [:]
    for value in try reader.value("shells").array ?? [] {
      var row = try ObjectReader(value)
      let language = try row.parsed("language", "a language of the app") { WebLanguage(rawValue: $0) }
      shells[language] = WebShell(
        head: try bytes(row.value("identity"), content), brotli: try bytes(row.value("br"), content),
        gzip: try bytes(row.value("gzip"), content), tail: Array(try row.string("tail").utf8),
        tag: try row.string("tag"))
      try row.finish()
    }
    return shells
  }

  private static func preloads(_ reader: inout ObjectReader) throws -> [Preload] {
    try (reader.value("preloads").array ?? []).map { value in
      var row = try ObjectReader(value)
      let pattern = try row.string("pattern")
      let files = (try row.value("files").array ?? []).compactMap(\.string)
      try row.finish()
      return Preload(pattern: pattern, files: files)
    }
  }

  /// The bytes at `[offset, length]`.
  private static func bytes(_ place: JSONValue, _ content: [UInt8]) throws -> [UInt8] {
    guard let offset = place[0]?.integer, let length = place[1]?.integer, place.array?.count == 2,
      offset >= 0, length >= 0, offset <= content.count, length <= Int64(content.count) - offset
    else { throw WebAssetsError.index("a place outside of the archive") }
    return Array(content[Int(offset)..<Int(offset + length)])
  }
}

/// Why an archive of the app is not served.
package enum WebAssetsError: Error, Equatable, CustomStringConvertible {
  case notAnArchive
  case damaged
  case index(String)

  package var description: String {
    let what =
      switch self {
      case .notAnArchive: "is not one of Scripts/web"
      case .damaged: "is not whole"
      case .index(let what): "has an index that can not be used (\(what))"
      }
    return "The archive of the web app \(what). Run Scripts/web and build the program again."
  }
}
