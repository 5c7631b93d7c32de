import CCurl
import Foundation

extension EasyHandle {
  func setCallbacks(_ sockets: SocketWatch) -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let contexts = [
      CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA, CURLOPT_OPENSOCKETDATA,
    ].map { ccurl_set_pointer(easy, $0, context) }
    let functions = [
      // A connection outlives the handle that opened it, so its end is told to who lives longer.
      ccurl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(sockets).toOpaque()),
      ccurl_set_close_socket(easy) { context, socket in
        if let context { Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue().closing(socket) }
        return close(socket)
      },
      ccurl_set_write(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        guard let handle = EasyHandle.at(context) else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return handle.answer.take(body: bytes) ? bytes.count : Int.max
      },
      ccurl_set_write(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        guard let handle = EasyHandle.at(context) else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return handle.answer.take(headerLine: bytes) ? bytes.count : Int.max
      },
      ccurl_set_prereq(easy) { context, address, _, _, _ in
        EasyHandle.at(context)?.maySend(to: address) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      },
      ccurl_set_open_socket(easy) { context, _, address in
        guard let handle = EasyHandle.at(context), let address else { return -1 }
        return handle.openSocket(to: address)
      },
    ]
    return (contexts + functions).allSatisfy { $0 == CURLE_OK }
  }

  /// What holds for every request.
  func setPolicy(userAgent: String, idleLimit: Duration) -> Bool {
    set(CURLOPT_USERAGENT, userAgent)
      && set(CURLOPT_PROTOCOLS_STR, "http,https")
      && set(CURLOPT_FOLLOWLOCATION, 0)
      // Not even a proxy that the environment names.
      && set(CURLOPT_PROXY, "") && set(CURLOPT_NOPROXY, "*")
      // One request at a time on a connection: what was sent stays plain to see.
      && set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
      && set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
      // libcurl keeps the parsed authorities for the next connection only while no directory of them is named.
      && set(CURLOPT_CAPATH, nil) && setAuthorities(nil)
      && set(CURLOPT_SSL_VERIFYPEER, 1) && set(CURLOPT_SSL_VERIFYHOST, 2)
      && set(CURLOPT_MAXAGE_CONN, max(1, idleLimit.asLimit / 1000))
      && set(CURLOPT_NOSIGNAL, 1)
      // Else the end of a transfer waits, and the whole loop with it, for a name server that does not answer.
      && set(CURLOPT_QUICK_EXIT, 1)
  }

  func setAuthorities(_ file: String?) -> Bool {
    if let file { return set(CURLOPT_CAINFO, file) }
    return ccurl_set_text(easy, CURLOPT_CAINFO, ccurl_default_authorities()) == CURLE_OK
  }

  func setMethod(_ request: OutgoingRequest) -> Bool {
    let nothing = UnsafeRawPointer(easy)  // of which 0 bytes are read
    // Also undoes what the request before has set.
    guard set(CURLOPT_HTTPGET, 1) else { return false }
    var implied = "GET"
    if request.method == "HEAD" {
      guard set(CURLOPT_NOBODY, 1) else { return false }
      implied = "HEAD"
    } else if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
      let code = request.body.withUnsafeBytes { ccurl_set_body(easy, $0.baseAddress ?? nothing, $0.count) }
      guard code == CURLE_OK else { return false }
      implied = "POST"
    }
    return set(CURLOPT_CUSTOMREQUEST, request.method == implied ? nil : request.method)
  }

  func set(_ option: CURLoption, _ value: Int) -> Bool { ccurl_set_long(easy, option, value) == CURLE_OK }

  func set(_ option: CURLoption, _ text: String?) -> Bool { ccurl_set_text(easy, option, text) == CURLE_OK }

  /// The headers as libcurl takes them; nil when memory ran out. The caller frees the list.
  static func list(_ request: OutgoingRequest) -> UnsafeMutablePointer<curl_slist>? {
    // An empty one keeps libcurl from adding its own.
    var lines = ["Expect:"]
    if !request.headers.contains(where: { $0.name.equalsIgnoringCase("content-type") }) {
      lines.append("Content-Type:")
    }
    for header in request.headers {
      // "Name;" is how libcurl is told of a header without a value.
      let isEmpty = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      lines.append(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        return nil
      }
      list = longer
    }
    return list
  }
}

extension HTTPClientError.Reason {
  init(beforeSending code: CURLcode, isConnected: Bool) {
    self =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
      case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_ABORTED_BY_CALLBACK:
        .connectFailed
      case CURLE_OPERATION_TIMEDOUT: isConnected ? .timedOut : .connectTimedOut
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
        .tlsFailed
      case CURLE_OUT_OF_MEMORY: .outOfResources
      default: .other(Int(code.rawValue))
      }
  }

  init(afterSending code: CURLcode) {
    self =
      switch code {
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING:
        .malformedAnswer
      case CURLE_OUT_OF_MEMORY: .outOfResources
      // Also where libcurl was kept from sending once more, or could not connect to do so.
      case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_ABORTED_BY_CALLBACK,
        CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION:
        .connectionLost
      default: .other(Int(code.rawValue))
      }
  }
}
