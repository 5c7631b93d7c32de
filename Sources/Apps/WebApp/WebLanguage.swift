package import Network

/// The languages of the app, named as the page's `lang` attribute names them (BCP 47).
package enum WebLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case finnish = "fi"
  case simplifiedChinese = "zh-Hans"

  /// Set by the app when a person chooses a language.
  package static let cookieName = "switchboard_language"

  /// The person's choice, else what the browser asks for (RFC 9110 section 12.5.4), else English.
  package init(for request: HTTPRequest) {
    let wishes = WeightedList(request.headers.all("accept-language")).names
    self =
      ([request.cookie(Self.cookieName)].compactMap { $0 } + wishes).lazy.compactMap(Self.init(tag:)).first
      ?? .english
  }

  /// By the first part of a language tag: readers of every Chinese are served what there is.
  private init?(tag: String) {
    let first = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    guard let language = Self.allCases.first(where: { $0.rawValue.prefix(2) == first }) else { return nil }
    self = language
  }
}
