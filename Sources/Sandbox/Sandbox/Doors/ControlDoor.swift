import Formats
import Network

/// `/sandbox/…`: where people and tests see and steer the world.
struct ControlDoor: Sendable {
  let core: SandboxCore

  init(core: SandboxCore) { self.core = core }

  func routes(_ router: inout Router) {
    func on(
      _ method: String, _ pattern: String,
      _ answer: @escaping @Sendable (HTTPRequest) throws(SandboxRefusal) -> HTTPResponse
    ) {
      router.on(method, "/sandbox\(pattern)", maximumBody: 65_536) { request in
        do throws(SandboxRefusal) {
          return try answer(request)
        } catch {
          return Self.response(error)
        }
      }
    }
    on("GET", "/carriers", carriers)
    on("GET", "/carriers/{name}", carrier)
    on("PUT", "/carriers/{name}", setCarrier)
    on("GET", "/carriers/{name}/ledger", ledger)
    on("GET", "/carriers/{name}/faults", faults)
    on("PUT", "/carriers/{name}/faults", setFaults)
    on("GET", "/phones", phones)
    on("GET", "/phones/{number}", phone)
    on("PUT", "/phones/{number}", setPhone)
    on("GET", "/phones/{number}/messages", messages)
    on("POST", "/phones/{number}/messages", send)
    on("GET", "/clock", clock)
    on("PUT", "/clock", moveClock)
    router.notFound = { _ in Self.response(.notFound("page")) }
    router.methodNotAllowed = { _, allowed in
      Self.response(
        SandboxRefusal(
          status: 405, code: "method-not-allowed",
          message: "This address takes \(allowed.joined(separator: ", ")) only."))
    }
  }

  // MARK: - The clock

  private func clock(_: HTTPRequest) -> HTTPResponse {
    Self.json(200) { [now = core.clock.now] json in json.field("now", now) }
  }

  private func moveClock(_ request: HTTPRequest) throws(SandboxRefusal) -> HTTPResponse {
    let (to, by) = try SandboxFields.read(request) { (fields) throws(SandboxRefusal) in
      let to = try fields.instant("now")
      let by = try fields.integer("advanceMs", in: 0...(100 * 366 * 86_400_000))
      guard (to == nil) != (by == nil) else { throw fields.invalid("now", "or advanceMs must be there, and not both") }
      return (to, by)
    }
    let isMoved = to.map { core.clock.move(to: $0) } ?? core.clock.move(by: .milliseconds(by ?? 0))
    guard isMoved else { throw .clockGoesForward }
    core.runDue()
    core.agenda.set()
    return clock(request)
  }

  // MARK: - Answers

  static func json(_ status: Int, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
    json(status, JSONWriter.object(write))
  }

  static func json(_ status: Int, _ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
      ], body: .bytes(bytes))
  }

  static func response(_ refusal: SandboxRefusal) -> HTTPResponse {
    json(refusal.status) { json in
      json.object("error") { json in
        json.field("code", refusal.code)
        json.field("message", refusal.message)
      }
    }
  }
}
