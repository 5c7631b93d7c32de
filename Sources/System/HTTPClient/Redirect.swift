import CCurl

/// Where an answer sends its reader on to (RFC 9110, 15.4). libcurl could follow by itself; done here, every hop passes
/// the same checks as a first request, and no key in a header goes to another server.
enum Redirect {
  /// The request that follows, or nil when the answer is no redirect, or one that is not followed: without a proper
  /// target, or from `https` down to `http`.
  static func next(after request: OutgoingRequest, _ response: OutgoingResponse) -> OutgoingRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("location"),
      !location.isEmpty, let target = resolve(location, against: request.url)
    else { return nil }
    var next = request
    next.url = target
    guard !next.origin.isEmpty, !(request.origin.hasPrefix("https:") && next.origin.hasPrefix("http:")) else {
      return nil
    }
    let becomesGet =
      response.status == 303 ? request.method != "HEAD" : response.status < 303 && request.method == "POST"
    if becomesGet {
      next.method = "GET"
      next.body = []
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    if next.origin != request.origin {
      // The permission was for the server that was named, not for wherever that one points.
      next.allowsPrivateAddresses = false
      next.headers.removeAll { header in !harmless.contains { header.name.equalsIgnoringCase($0) } }
    }
    return next
  }

  /// What another server may see as well. Any other header may be a key.
  private static let harmless = ["accept", "accept-language", "content-type", "user-agent"]

  /// RFC 3986, 5; by libcurl's own parser, so that it is understood the same way when it is sent.
  private static func resolve(_ reference: String, against base: String) -> String? {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK,
      curl_url_set(url, CURLUPART_URL, reference, 0) == CURLUE_OK,
      curl_url_set(url, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK
    else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
