import Cryptography

/// An archive in the form that Scripts/web writes, small enough to be read.
enum SampleAssets {
  static let style = "body{margin:0}"
  static let script = "console.log(1);"

  static func archive(
    index change: (String) -> String = { $0 }, languages: [String] = ["en", "fi", "zh-Hans"]
  ) -> [UInt8] {
    var content: [UInt8] = []
    func put(_ text: String) -> String {
      defer { content += text.utf8 }
      return "[\(content.count), \(text.utf8.count)]"
    }
    let shells = languages.map { language in
      let head = put("<html lang=\(language)><style>\(style)</style><script>")
      return """
        {"language": "\(language)", \
        "preloads": [{"pattern": "/sign-up", "files": ["/assets/sign-up-EF.js", "/assets/words-\(language)-EF.js"]}], \
        "tail": "</script>", "tag": "tag-\(language)", "identity": \(head), \
        "br": \(put("br:\(language)")), "gzip": \(put("gz:\(language)"))}
        """
    }
    let files = [
      """
      {"path": "/assets/main-AB.js", "type": "text/javascript", "immutable": true, "identity": \(put(script)), \
      "br": \(put("small")), "gzip": \(put("smaller"))}
      """,
      """
      {"path": "/worker.js", "type": "text/javascript", "immutable": false, "identity": \(put("worker"))}
      """,
    ]
    let hash = Base64.encode(SHA256.hash(Array(style.utf8)))
    let index = change(
      """
      {"style": "sha256-\(hash)", "files": [\(files.joined(separator: ", "))], \
      "shells": [\(shells.joined(separator: ", "))]}
      """)
    return wrapped(index: index, content: content)
  }

  static func wrapped(index: String, content: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: index.utf8.count >> ($0 * 8)) }
    let rest = length + Array(index.utf8) + content
    return Array("SBWEB001".utf8) + SHA256.hash(rest) + rest
  }
}
