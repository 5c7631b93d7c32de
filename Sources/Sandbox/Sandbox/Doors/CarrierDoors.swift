import GSMText
import HTTPSMS
import Network
import SMSGlobal

/// The addresses at which the carriers' clients knock.
struct CarrierDoors: Sendable {
  private let core: SandboxCore
  /// Carriers by kind and user; the first of a kind answers those whom none knows.
  private let users: [SandboxConfiguration.Carrier.Kind: [String: Int]]
  private let first: [SandboxConfiguration.Carrier.Kind: Int]

  init(core: SandboxCore, carriers: [SandboxConfiguration.Carrier]) {
    self.core = core
    var users: [SandboxConfiguration.Carrier.Kind: [String: Int]] = [:]
    var first: [SandboxConfiguration.Carrier.Kind: Int] = [:]
    for (index, carrier) in carriers.enumerated() {
      users[carrier.kind, default: [:]][carrier.user] = index
      if first[carrier.kind] == nil { first[carrier.kind] = index }
    }
    self.users = users
    self.first = first
  }

  func routes(_ router: inout Router) {
    for method in ["GET", "POST"] {
      if first[.httpsms] != nil {
        router.on(method, "/HTTPSMS", maximumBody: 65_536) { await submitHTTPSMS($0) }
        router.on(method, "/ClientDR/ClientDR", maximumBody: 65_536) { await pollHTTPSMS($0) }
      }
      if first[.smsglobal] != nil {
        router.on(method, "/http-api.php", maximumBody: 262_144) { await submitSMSGlobal($0) }
      }
    }
  }

  private func submitHTTPSMS(_ request: HTTPRequest) async -> HTTPResponse {
    let fields = Self.fields(of: request)
    guard let index = carrier(.httpsms, user: "UN", in: fields) else { return Self.nobody }
    let submission = Self.read(fields, HTTPSMSRefusal(.badRequest, "The form can not be read.")) {
      (fields) throws(HTTPSMSRefusal) in try HTTPSMSSubmit(fields: fields)
    }
    return await response(core.change { $0.submit(submission, carrier: index, at: $1) })
  }

  private func pollHTTPSMS(_ request: HTTPRequest) async -> HTTPResponse {
    let fields = Self.fields(of: request)
    guard let index = carrier(.httpsms, user: "UN", in: fields) else { return Self.nobody }
    let poll = Self.read(fields, HTTPSMSRefusal(.badRequest, "The form can not be read.")) {
      (fields) throws(HTTPSMSRefusal) in try HTTPSMSPoll(fields: fields)
    }
    return await response(core.change { $0.poll(poll, carrier: index, at: $1) })
  }

  private func submitSMSGlobal(_ request: HTTPRequest) async -> HTTPResponse {
    let fields = Self.fields(of: request)
    guard let index = carrier(.smsglobal, user: "user", in: fields) else { return Self.nobody }
    let submission = Self.read(fields, SMSGlobalRefusal.code(.badCommand)) {
      (fields) throws(SMSGlobalRefusal) in try SMSGlobalSubmit(fields: fields)
    }
    // Planned here, so that nobody waits for it.
    let plan = (try? submission.get()).flatMap { try? TextPlan($0.text, maximumParts: $0.partLimit) }
    return await response(core.change { $0.submit(submission, plan: plan, carrier: index, at: $1) })
  }

  // MARK: - Forms

  /// Query and body together; nil when they are no form. A HEAD request would send without an answer.
  private static func fields(of request: HTTPRequest) -> [(String, [UInt8])]? {
    guard request.method != "HEAD", let query = FormDecoding().parseRaw((request.query ?? "").utf8),
      let body = FormDecoding().parseRaw(request.body)
    else { return nil }
    return (query + body).map { ($0.name, $0.value) }
  }

  private static func read<Value, Refusal: Error>(
    _ fields: [(String, [UInt8])]?, _ unreadable: Refusal, _ read: ([(String, [UInt8])]) throws(Refusal) -> Value
  ) -> Result<Value, Refusal> {
    guard let fields else { return .failure(unreadable) }
    do { return .success(try read(fields)) } catch { return .failure(error) }
  }

  private func carrier(
    _ kind: SandboxConfiguration.Carrier.Kind, user name: String, in fields: [(String, [UInt8])]?
  ) -> Int? {
    let user = fields?.last { $0.0 == name }.map { String(decoding: $0.1, as: UTF8.self) }
    return user.flatMap { users[kind]?[$0] } ?? first[kind]
  }

  // MARK: - Answers

  private static let nobody = HTTPResponse(status: 404, text: "The sandbox has no such carrier.\n")

  private func response(_ reply: SandboxWorld.Reply) async -> HTTPResponse {
    switch reply.wait {
    case .none: break
    case .until(let hold): await core.held.wait(for: hold)
    case .forever:
      await core.held.waitForEver()
      // An end that says neither yes nor no.
      return HTTPResponse(contentType: "text/plain") { _ in throw CancellationError() }
    }
    var response = HTTPResponse(
      status: reply.status, contentType: "text/plain; charset=utf-8", bytes: Array(reply.body.utf8))
    if reply.closes { response.headers.add("Connection", "close") }
    return response
  }
}
