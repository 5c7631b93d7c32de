/// What people, programs and fuzzers send by mistake, by door.
extension BadRequest {
  static let good = #"{"to":"+358401234567","text":"Hello"}"#

  // MARK: JSON

  static let json: [BadRequest] =
    [
      ("JSON that ends early", #"{"to":"+358401234567","text":"#, "too early"),
      ("nothing at all as JSON", "", "too early"),
      ("single quotes", "{'to':'+358401234567'}", "double quotes"),
      ("a comma too many", #"{"to":"+358401234567","text":"Hello",}"#, "key"),
      ("two values", good + good, "more text after the value"),
      ("a byte order mark", "\u{FEFF}" + good, "a value should stand here"),
      ("a number that JSON does not know", #"{"to":NaN}"#, "a value should stand here"),
      ("a number beyond all bounds", #"{"to":1e999}"#, "too large"),
      ("half of a surrogate pair", #"{"to":"+358401234567","text":"\ud800"}"#, "half of a surrogate pair"),
      ("a line break in a string", "{\"to\":\"+358401234567\",\"text\":\"a\nb\"}", "must be escaped"),
      ("a key that stands twice", #"{"to":"+358401234567","text":"a","text":"b"}"#, #""text" stands twice"#),
      ("brackets without an end", String(repeating: "[", count: 60_000), "deep"),
    ].map { BadRequest($0.0, "POST", "/api/v1/messages", $0.1, 400, "malformed-json", names: $0.2) } + [
      notUTF8,
      BadRequest(
        "a list instead of an object", "POST", "/api/v1/messages", "[1]", 422, "invalid-field", names: "object"),
      BadRequest(
        "a word instead of an object", "POST", "/api/v1/messages", "null", 422, "invalid-field", names: "object"),
    ]

  private static var notUTF8: BadRequest {
    var request = BadRequest(
      "bytes that are not UTF-8", "POST", "/api/v1/messages", "", 400, "malformed-json", names: "UTF-8")
    request.body = Array(#"{"to":"+358401234567","text":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8)
    return request
  }

  // MARK: The fields of a message

  static let fields: [BadRequest] =
    [
      #""""#, #""abc""#, #""+""#, #""+1""#, #""+358""#, #""+3584012345678901234""#, #""+999123456789""#,
      #""+358401234567;ext=5""#, #""' OR 1=1 --""#, #""12345678901234567890123456789012345678901""#, #""+358 0""#,
    ].map { message(#""to":\#($0)"#, "invalid-number", names: "phone number") } + [
      BadRequest(
        "a message to nobody", "POST", "/api/v1/messages", #"{"text":"Hello"}"#, 422, "invalid-field",
        names: "to is missing"),
      message(#""to":null"#, "invalid-field", names: "to is missing"),
      message(#""to":358401234567"#, "invalid-field", names: "to must be a string"),
      message(#""to":["+358401234567"]"#, "invalid-field", names: "to must be a string"),
      message(#""to":"+358401234567\u0000""#, "invalid-field", names: "to has a null character"),
      BadRequest(
        "a message without a text", "POST", "/api/v1/messages", #"{"to":"+358401234567"}"#, 422, "invalid-field",
        names: "text is missing"),
      message(#""text":"""#, "empty-text", names: ""),
      message(#""text":" \n\t\u00a0\u3000""#, "empty-text", names: ""),
      message(#""text":"a\u0000b""#, "invalid-field", names: "text has a null character"),
      message(#""text":{"de":"Hallo"}"#, "invalid-field", names: "text must be a string"),
      message(#""text":"\#(String(repeating: "a", count: 1531))""#, "text-too-long", names: "10 parts"),
      message(#""text":"\#(String(repeating: "ж", count: 671))""#, "text-too-long", names: "10 parts"),
      message(#""text":"\#(String(repeating: "a", count: 60_000))""#, "text-too-long", names: "10 parts"),
      message(#""from":"TwelveLetter""#, "invalid-sender", names: ""),
      message(#""from":"""#, "invalid-sender", names: ""),
      message(#""from":"a\r\nb""#, "invalid-sender", names: ""),
      message(#""from":"Mökki""#, "invalid-sender", names: ""),
      message(#""from":5"#, "invalid-field", names: "from must be a string"),
      message(#""class":"urgent""#, "invalid-field", names: "class is one of"),
      message(#""class":0"#, "invalid-field", names: "class must be a string"),
      message(#""notBefore":"tomorrow""#, "invalid-field", names: "notBefore must be an RFC 3339 time"),
      message(#""notBefore":"2026-02-30T00:00:00Z""#, "invalid-field", names: "notBefore must be an RFC 3339 time"),
      message(#""notBefore":1893456000"#, "invalid-field", names: "notBefore must be a string"),
      message(
        #""notBefore":"9999-12-31T23:59:59-23:59""#, "invalid-time", names: "notBefore is more than a year ahead"),
      message(#""expiresAt":"2001-01-01T00:00:00Z""#, "invalid-time", names: "expiresAt is before"),
      message(#""expiresAt":"0000-01-01T00:00:00Z""#, "invalid-time", names: "expiresAt is before"),
      message(#""expiresAt":"9999-12-31T23:59:59Z""#, "invalid-time", names: "expiresAt is more than seven days"),
      message(#""carrier":"nobody""#, "invalid-field", names: "carrier"),
      message(#""carrier":"""#, "invalid-field", names: "carrier"),
      message(
        #""reference":"\#(String(repeating: "r", count: 256))""#, "invalid-field", names: "reference has at most 255"),
      message(#""reference":"\u0000""#, "invalid-field", names: "reference has a null character"),
      message(#""smart":"yes""#, "invalid-field", names: "smart must be true or false"),
      message(#""smart":1"#, "invalid-field", names: "smart must be true or false"),
      message(#""txet":"Hello""#, "unknown-field", names: "txet"),
      message(#""\#(String(repeating: "n", count: 5000))":1"#, "unknown-field", names: "nnn"),
    ]

  // MARK: Around the body

  private static func headers(_ more: (String, String)...) -> [(name: String, value: String)] {
    [("Content-Type", "application/json")] + more.map { (name: $0.0, value: $0.1) }
  }

  static let envelopes: [BadRequest] = [
    BadRequest("a body of no type", "POST", "/api/v1/messages", good, headers: [], 415, "unsupported-media-type"),
    BadRequest(
      "a body of plain text", "POST", "/api/v1/messages", good, headers: [("Content-Type", "text/plain")], 415,
      "unsupported-media-type"),
    BadRequest(
      "a form", "POST", "/api/v1/messages", "to=%2B358401234567&text=Hello",
      headers: [("Content-Type", "application/x-www-form-urlencoded")], 415, "unsupported-media-type"),
    BadRequest("a query where a body is", "POST", "/api/v1/messages?to=1", good, 422, "unknown-field", names: "to"),
    BadRequest(
      "a body over 64 KiB", "POST", "/api/v1/messages", String(repeating: " ", count: 65_537), 413, "body-too-large",
      names: "larger"),
    BadRequest(
      "a password over 4 KiB", "POST", "/api/v1/sessions",
      #"{"password":"\#(String(repeating: "p", count: 4096))"}"#, 413, "body-too-large", names: "larger"),
    BadRequest(
      "an idempotency key of nothing", "POST", "/api/v1/messages", good, headers: headers(("Idempotency-Key", "")), 422,
      "invalid-idempotency-key"),
    BadRequest(
      "an idempotency key of 201 characters", "POST", "/api/v1/messages", good,
      headers: headers(("Idempotency-Key", String(repeating: "k", count: 201))), 422, "invalid-idempotency-key"),
    BadRequest(
      "an idempotency key with a space", "POST", "/api/v1/messages", good, headers: headers(("Idempotency-Key", "a 0")),
      422, "invalid-idempotency-key"),
    BadRequest(
      "an idempotency key that is not ASCII", "POST", "/api/v1/batches", good,
      headers: headers(("Idempotency-Key", "ключ")), 422, "invalid-idempotency-key"),
    BadRequest(
      "two idempotency keys", "POST", "/api/v1/messages", good,
      headers: headers(("Idempotency-Key", "a"), ("Idempotency-Key", "b")), 422, "invalid-idempotency-key"),
  ]

  // MARK: Other doors

  static let doors: [BadRequest] =
    [
      ("a batch without messages", "{}", "messages is missing"),
      ("an empty batch", #"{"messages":[]}"#, "from 1 to 1000"),
      (
        "a batch of 1,001", #"{"messages":[\#(Array(repeating: "0", count: 1001).joined(separator: ","))]}"#,
        "from 1 to 1000"
      ),
      ("a batch that is no list", #"{"messages":{"0":1}}"#, "messages must be a list"),
    ].map { BadRequest($0.0, "POST", "/api/v1/batches", $0.1, 422, "invalid-field", names: $0.2) } + [
      BadRequest(
        "a batch with more beside it", "POST", "/api/v1/batches", #"{"messages":[\#(good)],"dryRun":true}"#, 422,
        "unknown-field", names: "dryRun"),
      BadRequest(
        "a batch over 4 MiB", "POST", "/api/v1/batches", String(repeating: " ", count: 4 << 20 | 1), 413,
        "body-too-large", names: "larger"),
      BadRequest(
        "a preview of nothing", "POST", "/api/v1/messages/preview", "{}", 422, "invalid-field", names: "text is missing"
      ),
      BadRequest(
        "a preview of white space", "POST", "/api/v1/messages/preview", #"{"text":" "}"#, 422, "empty-text"),
      BadRequest(
        "a preview with a class", "POST", "/api/v1/messages/preview", #"{"text":"a","class":"bulk"}"#, 422,
        "unknown-field", names: "class"),
      BadRequest(
        "taking from a number that is a number", "POST", "/api/v1/inbox/take", #"{"from":1}"#, 422, "invalid-field",
        names: "from must be a string"),
      BadRequest(
        "taking with another field", "POST", "/api/v1/inbox/take", #"{"limit":1}"#, 422, "unknown-field", names: "limit"
      ),
      BadRequest("taking with a query", "POST", "/api/v1/inbox/take?from=1", 422, "unknown-field", names: "from"),
      BadRequest(
        "reading through a message", "POST", "/api/v1/conversations/a/read", #"{"through":"msg_1"}"#, 422,
        "invalid-field", names: "through"),
      BadRequest(
        "reading with another field", "POST", "/api/v1/conversations/a/read", #"{"until":null}"#, 422, "unknown-field",
        names: "until"),
      BadRequest(
        "testing a carrier with nobody", "POST", "/api/v1/operator/carriers/fast/test", "{}", 422, "invalid-field",
        names: "to is missing"),
      BadRequest(
        "testing a carrier with no number", "POST", "/api/v1/operator/carriers/fast/test", #"{"to":"1"}"#, 422,
        "invalid-number", names: "phone number"),
      BadRequest(
        "testing no carrier", "POST", "/api/v1/operator/carriers/none/test", #"{"to":"+358401234567"}"#, 404,
        "not-found"),
      BadRequest(
        "a stream that is not there", "GET", "/api/v1/events?streams=lines", 422, "invalid-field", names: "streams"),
      BadRequest(
        "an account changed with a key", "PATCH", "/api/v1/account", #"{"name":"x"}"#, 403, "scope-missing",
        names: "a session"),
      BadRequest("signing a key out", "DELETE", "/api/v1/sessions/current", 403, "scope-missing", names: "a session"),
      BadRequest(
        "signing in without a password", "POST", "/api/v1/sessions", #"{"phone":"+358401110000"}"#, 422,
        "invalid-field", names: "password is missing"),
      BadRequest(
        "signing in with an empty password", "POST", "/api/v1/sessions", #"{"password":""}"#, 422, "invalid-field",
        names: "password has from 1"),
      BadRequest(
        "signing in with a novel", "POST", "/api/v1/sessions",
        #"{"password":"\#(String(repeating: "p", count: 1025))"}"#,
        422, "invalid-field", names: "password has from 1 to 1024"),
      BadRequest(
        "signing in with a user name", "POST", "/api/v1/sessions", #"{"user":"a","password":"b"}"#, 422,
        "unknown-field", names: "user"),
    ]

  // MARK: Lists and ids

  static let lists: [BadRequest] =
    ["/api/v1/messages", "/api/v1/inbox", "/api/v1/conversations", "/api/v1/conversations/a/messages"].flatMap { path in
      ["0", "1001", "-1", "1e2", "", "abc", "99999999999999999999", "%00"].map { limit in
        BadRequest(
          "\(path) with the limit '\(limit)'", "GET", "\(path)?limit=\(limit)", 422, "invalid-field", names: "limit")
      } + [
        BadRequest(
          "\(path) with two limits", "GET", "\(path)?limit=1&limit=2", 400, "malformed-request", names: "limit"),
        BadRequest(
          "\(path) with a broken escape", "GET", "\(path)?limit=%zz", 400, "malformed-request", names: "query"),
        BadRequest(
          "\(path) with a query that is not UTF-8", "GET", "\(path)?cursor=%ff", 400, "malformed-request",
          names: "query"),
        BadRequest("\(path) with an invented cursor", "GET", "\(path)?cursor=abc", 400, "invalid-cursor"),
        BadRequest("\(path) with an empty cursor", "GET", "\(path)?cursor=", 400, "invalid-cursor"),
        BadRequest(
          "\(path) with another list's cursor", "GET", "\(path)?cursor=acc_\(String(repeating: "0", count: 32))", 400,
          "invalid-cursor"),
        BadRequest("\(path) with an unknown item", "GET", "\(path)?page=2", 422, "unknown-field", names: "page"),
      ]
    } + [
      BadRequest(
        "an inbox that may be unread", "GET", "/api/v1/inbox?unread=maybe", 422, "invalid-field", names: "unread"),
      BadRequest(
        "conversations by a filter", "GET", "/api/v1/conversations?filter=all", 422, "invalid-field", names: "filter"),
      BadRequest("conversations with nothing", "GET", "/api/v1/conversations?q=", 422, "invalid-field", names: "q"),
      BadRequest("any message by nothing known", "GET", "/api/v1/operator/messages/0", 404, "not-found"),
      BadRequest("numbers to send from with a query", "GET", "/api/v1/senders?a=1", 422, "unknown-field", names: "a"),
      BadRequest(
        "a message that never was", "GET", "/api/v1/messages/msg_\(String(repeating: "0", count: 32))", 404, "not-found"
      ),
      BadRequest("a message by a number", "GET", "/api/v1/messages/1", 404, "not-found"),
      BadRequest("a message by an injection", "GET", "/api/v1/messages/msg_'%20OR%201=1", 404, "not-found"),
      BadRequest(
        "cancelling what never was", "DELETE", "/api/v1/messages/msg_\(String(repeating: "f", count: 32))", 404,
        "not-found"),
      BadRequest(
        "reading what never came", "POST", "/api/v1/inbox/in_\(String(repeating: "0", count: 32))/read", 404,
        "not-found"),
      BadRequest("an address that is not there", "GET", "/api/v2/messages", 404, "not-found"),
      BadRequest("a path that climbs", "GET", "/api/v1/../v1/messages", 404, "not-found"),
      BadRequest(
        "a method that is not there", "PUT", "/api/v1/messages", good, 405, "method-not-allowed",
        names: "GET, HEAD, POST"),
      BadRequest("looking at the preview", "GET", "/api/v1/messages/preview", 405, "method-not-allowed", names: "POST"),
    ]

  static let all = json + fields + envelopes + doors + lists
}
