import Contract
import Doors
import Exchange
import Network

/// The cookie of a session.
enum SessionCookie {
  /// Gives the browser its token.
  static func set(_ token: String, on response: inout HTTPResponse, for request: HTTPRequest) {
    // Behind a proxy only the page knows that it came over TLS.
    let isSecure = request.isSecure || request.headers["origin"]?.hasPrefix("https://") == true
    response.headers.add("set-cookie", cookie(token, life: AccountStore.sessionLife, isSecure: isSecure))
  }

  /// Takes it back, and has the browser forget what it kept of the account.
  static func clear(on response: inout HTTPResponse) {
    response.headers.add("set-cookie", cookie("", life: .zero, isSecure: false))
    response.headers.add("clear-site-data", "\"cache\", \"storage\"")
  }

  private static func cookie(_ token: String, life: Duration, isSecure: Bool) -> String {
    "\(Authenticator.cookieName)=\(token); Path=/; Max-Age=\(life.inMilliseconds / 1000); HttpOnly; SameSite=Lax"
      + (isSecure ? "; Secure" : "")
  }
}
