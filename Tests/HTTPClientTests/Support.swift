import HTTPClient
import Testing

/// Runs a client and, where given, a server for the length of `body`.
func withClient<Result: Sendable>(
  _ server: ScriptedServer? = nil,
  _ configuration: HTTPClient.Configuration = .init(userAgent: "switchboard/test", stopLimit: .milliseconds(200)),
  _ body: @Sendable (HTTPClient) async throws -> Result
) async throws -> Result {
  defer { server?.stop() }
  let client = HTTPClient(configuration)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await client.run() }
    do {
      let result = try await body(client)
      group.cancelAll()
      try await group.waitForAll()
      return result
    } catch {
      group.cancelAll()
      throw error
    }
  }
}

/// A request to this machine, which is allowed to go there.
func local(
  _ url: String, method: String = "GET", headers: [(name: String, value: String)] = [], body: String = "",
  timeout: Duration = .seconds(10)
) -> OutgoingRequest {
  OutgoingRequest(
    method: method, url: url, headers: headers, body: Array(body.utf8), timeout: timeout, allowsPrivateAddresses: true)
}

extension HTTPClient {
  /// The error that a request ends with; a whole answer fails the test.
  func failure(_ request: OutgoingRequest) async -> HTTPClientError? {
    do throws(HTTPClientError) {
      let response = try await send(request)
      Issue.record("It was answered with \(response.status).")
      return nil
    } catch {
      return error
    }
  }
}

extension OutgoingResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
