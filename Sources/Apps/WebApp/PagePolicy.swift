import Network

/// What the browser may do with the pages of the app, and nothing beyond it.
enum PagePolicy {
  static func headers(styles: String, isSecure: Bool) -> HTTPHeaders {
    var headers = HTTPHeaders()
    headers.add("content-security-policy", contentPolicy(styles: styles))
    headers.add("referrer-policy", "no-referrer")
    headers.add("x-content-type-options", "nosniff")
    headers.add("permissions-policy", permissions)
    headers.add("cross-origin-opener-policy", "same-origin")
    headers.add("cross-origin-embedder-policy", "require-corp")
    headers.add("cross-origin-resource-policy", "same-origin")
    if isSecure { headers.add("strict-transport-security", "max-age=31536000") }
    return headers
  }

  /// Content Security Policy Level 3 and Trusted Types: scripts and requests to this server only, style from it or the
  /// one whose hash is named, markup out of strings only by the one policy that the app makes.
  private static func contentPolicy(styles: String) -> String {
    [
      "default-src 'none'", "script-src 'self'", "style-src \(styles)", "img-src 'self' blob: data:",
      "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "base-uri 'none'",
      "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types switchboard",
    ].joined(separator: "; ")
  }

  /// The app uses none of these.
  private static let permissions = [
    "camera", "geolocation", "microphone", "payment", "usb",
  ].map { "\($0)=()" }.joined(separator: ", ")

  /// A worker has the policy of its own answer: it fetches from this server, and loads no script.
  static func addWorker(to headers: inout HTTPHeaders) {
    headers.add("content-security-policy", "default-src 'none'; connect-src 'self'")
    headers.add("cross-origin-embedder-policy", "require-corp")
  }

  /// A picture that is opened by itself is a document.
  static func addPicture(to headers: inout HTTPHeaders) {
    headers.add("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  }
}
