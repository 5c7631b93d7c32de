package import Contract
import Database
package import Exchange
import Formats
package import Network
package import Runtime

/// The way through which every request of the API goes: who asks, may they, and how an error is answered.
package struct APIDoor: Sendable {
  package let authenticator: Authenticator
  private let log: Logger

  package init(authenticator: Authenticator, log: Logger) {
    self.authenticator = authenticator
    self.log = log
  }

  /// Answers a request of somebody signed in whose key has `scope`.
  package func answer(
    _ request: HTTPRequest, scope: Scope?, _ body: (Caller) async throws -> HTTPResponse
  ) async -> HTTPResponse {
    await answer(request) {
      let caller = try await authenticator.caller(of: request)
      if let scope { try caller.require(scope) }
      return try await body(caller)
    }
  }

  /// Answers a request of anybody.
  package func answer(_ request: HTTPRequest, _ body: () async throws -> HTTPResponse) async -> HTTPResponse {
    do {
      return try await body()
    } catch let error as APIError {
      return Self.response(error)
    } catch let error as DatabaseError {
      return Self.response(apiError(error, request))
    } catch {
      log.error(
        "A request failed in a way that was not foreseen.", ["request": .text(request.id), "error": .error(error)])
      return Self.response(APIError(.internalError, detail: request.id))
    }
  }

  private func apiError(_ error: DatabaseError, _ request: HTTPRequest) -> APIError {
    log.error("The database refused a request.", ["request": .text(request.id), "error": .error(error)])
    switch error {
    case .full: return APIError(.diskFull)
    case .damaged: return APIError(.databaseDamaged)
    case .unavailable: return APIError(.unavailable, retryAfter: .seconds(1))
    case .uniqueViolation, .misuse: return APIError(.internalError, detail: request.id)
    }
  }

  /// `{"error": {"code", "message", "detail", "docs"}}` with the matching status.
  package static func response(_ error: APIError) -> HTTPResponse {
    var response = HTTPResponse.json(
      error.status,
      JSONWriter.object { json in
        json.object("error") { json in
          json.field("code", error.code)
          json.field("message", error.message)
          json.field("detail", error.detail)
          json.field("docs", "/docs/errors#\(error.code)")
        }
      })
    if error.status == 401 { response.headers.set("www-authenticate", "Bearer") }
    if let wait = error.retryAfter {
      response.headers.set("retry-after", String(max(1, (wait.inMilliseconds + 999) / 1000)))
    }
    return response
  }
}

extension APIDoor {
  /// Errors of the server itself, in the API's own form.
  package static func refusal(_ violation: HTTPViolation) -> HTTPResponse {
    switch violation {
    case .bodyTooLarge: return response(APIError(.bodyTooLarge, detail: violation.sentence))
    case .overloaded: return response(APIError(.unavailable, detail: violation.sentence, retryAfter: .seconds(1)))
    default:
      var answer = response(APIError(.malformedRequest, detail: violation.sentence))
      answer.status = violation.status
      return answer
    }
  }

  /// Addresses and methods that nobody serves.
  package static func answerUnknown(_ router: inout Router) {
    router.notFound = { _ in response(APIError(.notFound)) }
    router.methodNotAllowed = { _, allowed in
      var answer = response(APIError(.methodNotAllowed, detail: allowed.joined(separator: ", ")))
      answer.headers.set("allow", allowed.joined(separator: ", "))
      return answer
    }
  }
}

extension HTTPResponse {
  /// A JSON answer, never stored by anything in between.
  package static func json(_ status: Int, _ bytes: [UInt8]) -> HTTPResponse {
    var headers = HTTPHeaders()
    headers.add("content-type", "application/json")
    headers.add("cache-control", "no-store")
    headers.add("x-content-type-options", "nosniff")
    return HTTPResponse(status: status, headers: headers, body: .bytes(bytes))
  }
}
