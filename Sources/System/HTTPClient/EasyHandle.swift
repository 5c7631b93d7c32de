import CCurl

/// One reusable libcurl transfer. Belongs to the loop's thread.
///
/// Whether anything of the request may have left is known exactly. libcurl calls `CURLOPT_PREREQFUNCTION` before it
/// sends a request, every time: before the first call nothing was sent. By itself libcurl sends a request again, a POST
/// too, when a kept-alive connection closes before any answer; yet the server may have processed the first one. The
/// second call would announce that, and is answered with an end to the transfer.
final class EasyHandle {
  let easy: UnsafeMutableRawPointer
  private(set) var transfer: Transfer?
  var answer = AnswerBuffer(maximumBody: 0)

  private let sockets: SocketWatch
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var authoritiesFile: String?
  private var announcedSends = 0
  private var triedAddresses = 0
  private var refusedAddresses = 0

  init?(userAgent: String, idleLimit: Duration, sockets: SocketWatch) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.sockets = sockets
    guard setCallbacks(sockets), setPolicy(userAgent: userAgent, idleLimit: idleLimit) else { return nil }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headers)
  }

  static func at(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
    context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: - One transfer

  /// - Returns: false when memory ran out.
  func begin(_ transfer: Transfer, now: MonotonicTime) -> Bool {
    self.transfer = transfer
    answer = AnswerBuffer(maximumBody: transfer.request.maximumResponse)
    announcedSends = 0
    triedAddresses = 0
    refusedAddresses = 0
    let request = transfer.request
    if request.authoritiesFile != authoritiesFile {
      guard setAuthorities(request.authoritiesFile) else { return false }
      authoritiesFile = request.authoritiesFile
    }
    let limit = max(1, transfer.deadline.milliseconds(since: now))
    guard set(CURLOPT_TIMEOUT_MS, limit), set(CURLOPT_CONNECTTIMEOUT_MS, min(limit, request.connectTimeout.asLimit)),
      set(CURLOPT_URL, request.url), setMethod(request), let headers = Self.list(request)
    else { return false }
    self.headers = headers
    return ccurl_set_list(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK
  }

  /// Forgets the transfer and everything of it that memory still holds.
  func end() {
    transfer = nil
    answer = AnswerBuffer(maximumBody: 0)
    ccurl_set_body(easy, nil, 0)
    ccurl_set_list(easy, CURLOPT_HTTPHEADER, nil)
    curl_slist_free_all(headers)
    headers = nil
  }

  // MARK: - Before anything leaves

  func openSocket(to address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
    triedAddresses += 1
    guard allows({ ccurl_address(address, $0) }) else {
      refusedAddresses += 1
      return -1
    }
    let socket = ccurl_open_socket(address)
    if socket >= 0 { sockets.opened(socket) }
    return socket
  }

  /// The connection stands, and the request is about to be sent on it.
  func maySend(to address: UnsafePointer<CChar>?) -> Bool {
    announcedSends += 1
    guard announcedSends == 1 else { return false }
    // A kept-alive connection may have been opened by a request that was allowed more.
    guard allows({ ccurl_parse_address(address, $0) }) else {
      triedAddresses += 1
      refusedAddresses += 1
      return false
    }
    return true
  }

  private func allows(_ read: (UnsafeMutablePointer<UInt8>?) -> Int32) -> Bool {
    guard let request = transfer?.request else { return false }
    if request.allowsPrivateAddresses { return true }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes in
      bytes.initialize(repeating: 0)
      let count = Int(read(bytes.baseAddress))
      return AddressGuard.isPublic(bytes[..<count])
    }
  }

  // MARK: - Afterwards

  private var mayHaveSent: Bool { announcedSends > 0 && ccurl_get_long(easy, CURLINFO_REQUEST_SIZE) > 0 }

  func outcome(_ code: CURLcode) -> Transfer.Outcome {
    if code == CURLE_OK { return .success(answer.response(status: ccurl_get_long(easy, CURLINFO_RESPONSE_CODE))) }
    if mayHaveSent { return .failure(.uncertain(answer.isTooLarge ? .answerTooLarge : .init(afterSending: code))) }
    if code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL {
      return .failure(.invalidRequest("the URL is malformed"))
    }
    if refusedAddresses > 0, refusedAddresses == triedAddresses { return .failure(.refusedAddress) }
    return .failure(.notSent(.init(beforeSending: code, isConnected: announcedSends > 0)))
  }

  /// Of a transfer that is ended from outside.
  func interrupted(_ reason: HTTPClientError.Reason, otherwise unsent: HTTPClientError) -> Transfer.Outcome {
    .failure(mayHaveSent ? .uncertain(reason) : unsent)
  }
}
