import Cryptography
import Formats

/// What Scripts/web made of the app: files, pages, and what the pages need to be safe and fast.
///
/// The archive is `SBWEB001`, the SHA-256 of all that follows, the length of the index (four bytes, little endian), the
/// index (JSON), and the bytes of all files.
package struct WebAssets: Sendable {
  /// The style's hash as a content policy names it: `sha256-…`.
  package let styleHash: String
  let files: [String: WebFile]
  let shells: [WebLanguage: WebShell]

  private static let magic = Array("SBWEB001".utf8)

  /// - Throws: where the archive is not whole. Nothing of a broken one is served.
  package init(archive: [UInt8]) throws(WebAssetsError) {
    let start = Self.magic.count + SHA256.length
    guard archive.count >= start + 4, archive.starts(with: Self.magic) else { throw .notAnArchive }
    let rest = Array(archive[start...])
    let length = (0..<4).reduce(0) { $0 | Int(rest[$1]) << (8 * $1) }
    guard SHA256.hash(rest) == Array(archive[Self.magic.count..<start]), length <= rest.count - 4 else {
      throw .damaged
    }
    let content = Array(rest[(4 + length)...])
    do {
      let index = try JSON.parse(Array(rest[4..<4 + length]))
      var reader = try ObjectReader(index, path: "", file: "the archive of the web app")
      styleHash = try reader.string("style")
      files = try Self.files(&reader, content)
      shells = try Self.shells(&reader, content)
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
        tag: try row.string("tag"), preloads: try preloads(&row))
      try row.finish()
    }
    return shells
  }

  private static func preloads(_ row: inout ObjectReader) throws -> [WebShell.Preload] {
    try (row.value("preloads").array ?? []).map { value in
      var row = try ObjectReader(value)
      let pattern = try row.string("pattern")
      let files = (try row.value("files").array ?? []).compactMap(\.string)
      try row.finish()
      return WebShell.Preload(path: pattern, files: files)
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
