import Formats
import HTTPClient

/// HTTP calls to the program, where no answer is an answer too.
struct Wire: Sendable {
  private let client: HTTPClient

  init(_ client: HTTPClient) { self.client = client }

  struct Answer: Sendable {
    let status: Int
    let body: [UInt8]

    var json: JSONValue { (try? JSON.parse(body, limits: JSON.Limits(bytes: 64 << 20))) ?? .null }
  }

  /// - Returns: nil where no answer came.
  func call(
    _ method: String, _ url: String, _ body: [UInt8] = [], headers: [(name: String, value: String)] = [],
    timeout: Duration = .seconds(10)
  ) async -> Answer? {
    var headers = headers
    if !body.isEmpty, !headers.contains(where: { $0.name == "Content-Type" }) {
      headers.append(("Content-Type", "application/json"))
    }
    let request = OutgoingRequest(
      method: method, url: url, headers: headers, body: body, timeout: timeout, maximumResponse: 256 << 20,
      allowsPrivateAddresses: true)
    guard let response = try? await client.send(request) else { return nil }
    return Answer(status: response.status, body: response.body)
  }

  /// Tries until it works, for what must be there.
  func insist(_ method: String, _ url: String, _ body: [UInt8] = [], key: String? = nil) async throws -> Answer {
    let headers = key.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
    let end = ContinuousClock.now + .seconds(20)
    var last: Answer?
    while ContinuousClock.now < end {
      last = await call(method, url, body, headers: headers)
      if let last, (200..<300).contains(last.status) { return last }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Failure(
      "\(method) \(url) was not answered well: "
        + (last.map { "\($0.status) \(String(decoding: $0.body.prefix(300), as: UTF8.self))" } ?? "no answer"))
  }
}
