/// Where the app comes from.
package enum WebSource: Sendable {
  case archive(WebAssets)
  case folder(WebFolder)
  /// The program was built without it.
  case missing

  func file(_ address: String) -> WebFile? {
    switch self {
    case .archive(let assets): assets.files[address]
    case .folder(let folder): folder.file(address)
    case .missing: nil
    }
  }

  func shell(_ language: WebLanguage) -> WebShell? {
    switch self {
    case .archive(let assets): assets.shells[language]
    case .folder(let folder): folder.shell(language)
    case .missing: nil
    }
  }

  /// What a content policy allows as style: our own files, and the one that stands in the page.
  var styles: String {
    if case .archive(let assets) = self { "'self' '\(assets.styleHash)'" } else { "'self'" }
  }
}
