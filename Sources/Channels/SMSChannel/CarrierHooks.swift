import CarrierProfiles
import Cryptography
import Database
import Exchange
package import Network
package import Runtime

/// `/hooks/{carrier}/{secret}`: where carriers push receipts and incoming texts.
package struct CarrierHooks: Sendable {
  private let carriers: CarrierDirectory
  private let reports: CarrierReports
  private let clock: any WallClock
  private let log: Logger

  package init(carriers: CarrierDirectory, reports: CarrierReports, clock: any WallClock, log: Logger) {
    self.carriers = carriers
    self.reports = reports
    self.clock = clock
    self.log = log
  }

  package func routes(_ router: inout Router) {
    for method in ["POST", "GET"] {
      router.on(method, "/hooks/{carrier}/{secret}", maximumBody: 262_144) { await receive($0) }
    }
  }

  /// Answers only after what came is written down: a carrier that hears nothing, or an error, sends it again.
  private func receive(_ request: HTTPRequest) async -> HTTPResponse {
    let secret = Array((request.parameters["secret"] ?? "").utf8)
    let carrier = request.parameters["carrier"].flatMap { carriers.carrier(named: $0) }
    // Compared even where there is no such carrier, so that names can not be found out by the time it takes.
    let expected = SHA256.hash(Array((carrier?.record.callbackSecret ?? "").utf8))
    let isRight = constantTimeEqual(SHA256.hash(secret), expected)
    guard let carrier, isRight, !carrier.record.callbackSecret.isEmpty else {
      log.warning("A callback came with a wrong carrier or secret.", ["request": .text(request.id)])
      return HTTPResponse(status: 404, text: "There is nothing at this address.\n")
    }
    let callback = Callback(
      method: request.method, query: Array((request.query ?? "").utf8), contentType: request.headers["content-type"],
      body: request.body)
    let now = clock.now
    let reading = carrier.profile.readCallback(callback, settings: carrier.record.settings, now: now)
    let raw = Array("\(request.method) ?\(request.query ?? "")\n".utf8) + request.body
    do {
      try await reports.store(reading, raw: raw, from: carrier, at: now)
    } catch {
      log.error("A carrier's report could not be stored; the carrier will send it again.", ["error": .error(error)])
      return HTTPResponse(status: 503, text: "This could not be stored. Send it again later.\n")
    }
    var response = HTTPResponse(
      status: reading.answer.status, contentType: reading.answer.contentType, bytes: reading.answer.body)
    // RFC 9110 section 15.5.6.
    if response.status == 405 { response.headers.set("allow", carrier.profile.callbackMethods.joined(separator: ", ")) }
    return response
  }
}
