/// Why something under `/sandbox` was not done, as its caller sees it.
struct SandboxRefusal: Error, Equatable {
  var status: Int
  var code: String
  var message: String

  static let notANumber = SandboxRefusal(
    status: 422, code: "invalid-number",
    message: "This is no number that a phone can write to. Nothing was sent. Senders made of letters take no answers.")
  static let emptyText = SandboxRefusal(
    status: 422, code: "empty-text", message: "The message has no text. Nothing was sent.")
  static let textTooLong = SandboxRefusal(
    status: 422, code: "text-too-long", message: "The text needs more than 40 parts. Nothing was sent; shorten it.")
  static let noCarrier = SandboxRefusal(
    status: 409, code: "no-carrier",
    message: "No carrier of the sandbox owns this number or has brought the phone a text from it. Nothing was sent; "
      + "give a carrier the number with PUT /sandbox/carriers/{name}, or send the phone a text from it first.")
  static let overloaded = SandboxRefusal(
    status: 503, code: "unavailable",
    message: "Too much in the sandbox is still to come. Nothing was done; try again when some of it is over.")
  static let malformedJSON = SandboxRefusal(
    status: 400, code: "malformed-json", message: "The body is not a JSON object. Nothing was changed.")
  static let unsupportedMediaType = SandboxRefusal(
    status: 415, code: "unsupported-media-type", message: "Send the body as application/json. Nothing was changed.")
  static let crossSite = SandboxRefusal(
    status: 403, code: "cross-site", message: "Only the sandbox's own pages and programs may ask. Nothing was changed.")
  static let tooManyBehaviours = SandboxRefusal(
    status: 422, code: "too-many-behaviours",
    message: "10,000 phones have a behaviour of their own already. Nothing was changed; set the default instead.")
  static let clockGoesForward = SandboxRefusal(
    status: 422, code: "invalid-time",
    message: "The sandbox's clock goes forward only, and not beyond the year 9000. It was not moved.")

  static func noIncomingURL(_ carrier: String) -> SandboxRefusal {
    SandboxRefusal(
      status: 409, code: "no-incoming-url",
      message: "The carrier \(carrier) has no address for incoming messages. Nothing was sent; "
        + "set incomingURL with PUT /sandbox/carriers/\(carrier).")
  }

  static func notFound(_ what: String) -> SandboxRefusal {
    SandboxRefusal(status: 404, code: "not-found", message: "The sandbox has no \(what) of this name.")
  }

  static func unknownField(_ path: String) -> SandboxRefusal {
    SandboxRefusal(
      status: 422, code: "unknown-field", message: "The field \(path) is not known here. Nothing was changed.")
  }

  static func invalidField(_ path: String, _ why: String) -> SandboxRefusal {
    SandboxRefusal(status: 422, code: "invalid-field", message: "The field \(path) \(why). Nothing was changed.")
  }
}
