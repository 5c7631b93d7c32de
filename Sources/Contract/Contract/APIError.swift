/// Why a request was not done: a stable code, the HTTP status, and a sentence that says what to do.
///
/// The set of codes is open: a client compares with those it knows and shows `message` for any other.
public struct APIError: Error, Sendable, Equatable, CustomStringConvertible {
  public let code: String
  /// The HTTP status.
  public let status: Int
  /// What happened, what was kept and what to do; safe to show.
  public let message: String
  /// What exactly was wrong with this request: a field's name, a limit.
  public let detail: String?
  /// How long to wait before trying again.
  public let retryAfter: Duration?

  public init(_ row: Row, detail: String? = nil, retryAfter: Duration? = nil) {
    code = row.code
    status = row.status
    message = row.message
    self.detail = detail
    self.retryAfter = retryAfter
  }

  public var description: String { detail.map { "\(message) (\($0))" } ?? message }

  /// One line of the table of errors; `Docs/Errors.md` has an anchor for each code.
  public struct Row: Sendable, Equatable {
    public let code: String
    public let status: Int
    public let message: String
  }
}

extension APIError.Row {
  private static func row(_ code: String, _ status: Int, _ message: String) -> APIError.Row {
    APIError.Row(code: code, status: status, message: message)
  }

  // The request itself
  public static let malformedJSON = row(
    "malformed-json", 400, "The body is not valid JSON. Nothing was kept; mend it and send it again.")
  public static let malformedRequest = row("malformed-request", 400, "The request could not be read. Nothing was kept.")
  public static let unsupportedMediaType = row("unsupported-media-type", 415, "Send the body as application/json.")
  public static let unknownField = row(
    "unknown-field", 422,
    "The request has a field that is not known here. Nothing was kept; remove the field or correct its name.")
  public static let invalidField = row(
    "invalid-field", 422, "A field of the request is missing or has a value that is not allowed. Nothing was kept.")
  public static let bodyTooLarge = row(
    "body-too-large", 413, "The body is larger than is allowed here. Nothing was kept.")
  public static let invalidCursor = row(
    "invalid-cursor", 400, "The cursor is none that was given out. Begin without one.")
  public static let notFound = row("not-found", 404, "There is nothing at this address, or it is not yours.")
  public static let methodNotAllowed = row("method-not-allowed", 405, "This address does not take this method.")

  // Who asks
  public static let notSignedIn = row(
    "not-signed-in", 401, "Sign in first: send an API key as a bearer token, or a session cookie.")
  public static let wrongCredentials = row("wrong-credentials", 401, "The phone number or the password is not right.")
  public static let scopeMissing = row(
    "scope-missing", 403, "This key may not do that. Use one with the scope that is named.")
  public static let crossSite = row(
    "cross-site", 403, "A write with a session cookie must come from the app's own pages.")
  public static let tooManyAttempts = row("too-many-attempts", 429, "Too many attempts. Wait a while and try again.")
  public static let wrongPassword = row("wrong-password", 422, "The password is not right. Nothing was changed.")
  public static let weakPassword = row(
    "weak-password", 422, "This password is too easy to guess. Nothing was changed; choose a longer or a rarer one.")

  // Signing up
  public static let signUpClosed = row(
    "sign-up-closed", 403, "Nobody can sign up here by themselves. Ask the operator for an account.")
  public static let signUpPaused = row(
    "sign-up-paused", 503, "No more codes are sent today. Nothing was sent; try again tomorrow.")
  public static let numberNotServed = row(
    "number-not-served", 422,
    "A number of this country or kind can not be used here. Nothing was sent; use a mobile number that is served.")
  public static let codeWrong = row("code-wrong", 422, "The code is not right. Look at the text again.")
  public static let codeExpired = row("code-expired", 410, "The code is over or was used. Ask for a new one.")

  // Messages
  public static let idempotencyKeyReused = row(
    "idempotency-key-reused", 422,
    "This idempotency key was used before with another request. Use a new key for a new message.")
  public static let invalidIdempotencyKey = row(
    "invalid-idempotency-key", 422, "An idempotency key has 1 to 200 visible ASCII characters.")
  public static let invalidNumber = row(
    "invalid-number", 422, "The phone number can not be right. Nothing was kept; check it and send it again.")
  public static let invalidSender = row(
    "invalid-sender", 422, "A sender is a phone number or up to 11 letters, digits and spaces.")
  public static let emptyText = row("empty-text", 422, "The message has no text. Nothing was kept.")
  public static let textTooLong = row(
    "text-too-long", 422, "The text needs more parts than a message may have. Nothing was kept; shorten it.")
  public static let invalidTime = row("invalid-time", 422, "A time is not possible here. Nothing was kept.")
  public static let noCarrier = row(
    "no-carrier", 422, "No carrier of this exchange serves this number. Nothing was kept; the operator can add one.")
  public static let spendingCap = row(
    "spending-cap", 402, "The account's limit for today is reached. Nothing was kept; the operator can raise it.")
  public static let tooLate = row(
    "too-late", 409, "It is too late for that: the message is with a carrier already, or has ended.")

  // The exchange
  public static let diskFull = row(
    "disk-full", 507, "The disk of the exchange is full. Nothing of this request was kept; send it again later.")
  public static let databaseDamaged = row(
    "database-damaged", 503,
    "The exchange's database is damaged and takes nothing until it is restored. Nothing of this request was kept.")
  public static let unavailable = row(
    "unavailable", 503, "The exchange can not do that now. Nothing of this request was kept; send it again in a moment."
  )
  public static let internalError = row(
    "internal-error", 500, "Something went wrong here that should not. The request id tells the operator where to look."
  )
}

extension APIError.Row {
  /// Every row, for the documentation and its test.
  public static let all: [APIError.Row] = [
    malformedJSON, malformedRequest, unsupportedMediaType, unknownField, invalidField, bodyTooLarge, invalidCursor,
    notFound, methodNotAllowed, notSignedIn, wrongCredentials, scopeMissing, crossSite, tooManyAttempts,
    wrongPassword, weakPassword, signUpClosed, signUpPaused, numberNotServed, codeWrong, codeExpired,
    idempotencyKeyReused, invalidIdempotencyKey, invalidNumber, invalidSender, emptyText, textTooLong, invalidTime,
    noCarrier, spendingCap, tooLate, diskFull, databaseDamaged, unavailable, internalError,
  ]
}
