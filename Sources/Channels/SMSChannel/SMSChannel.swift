import CarrierProfiles
import Contract
package import Delivery
import Exchange
import GSMText
package import HTTPClient
package import Runtime

/// Hands text messages to HTTP carriers, as their profiles say.
package struct SMSChannel: DeliveryChannel {
  private let carriers: CarrierDirectory
  private let client: HTTPClient
  /// Where carriers reach us, without a slash at the end; nil where they can not.
  private let publicURL: String?
  private let clock: any WallClock

  package init(carriers: CarrierDirectory, client: HTTPClient, publicURL: String?, clock: any WallClock) {
    self.carriers = carriers
    self.client = client
    self.publicURL = publicURL
    self.clock = clock
  }

  package func send(_ lease: Lease) async -> AttemptOutcome {
    guard let carrier = carriers.carrier(lease.carrier) else {
      return .unavailable(code: "no-profile", detail: "The carrier's profile is not loaded.")
    }
    guard let body = TextBody(bytes: lease.body), let plan = try? TextPlan(body.text, encoding: body.encoding) else {
      return .refused(scope: .message, code: "body", detail: "The stored message can not be read.")
    }
    let submission = submission(lease, body, plan, carrier)
    let call: CarrierCall
    do {
      call = try carrier.profile.request(for: submission, settings: carrier.record.settings)
    } catch {
      return .refused(scope: error.scope.asDelivery, code: error.code, detail: error.sentence)
    }
    do {
      let response = try await client.send(Self.request(call, carrier))
      return carrier.profile.outcome(
        status: response.status, body: response.body, retryAfter: Self.retryAfter(response),
        for: submission
      ).asAttempt
    } catch {
      return Self.outcome(error)
    }
  }

  private func submission(_ lease: Lease, _ body: TextBody, _ plan: TextPlan, _ carrier: Carrier) -> Submission {
    let left = lease.expires - clock.now
    return Submission(
      id: lease.delivery.value, reference: lease.delivery.value.shortReference, to: lease.address, from: body.sender,
      plan: plan, flash: body.flash, validity: max(left, .seconds(60)),
      callbackURL: publicURL.map { "\($0)/hooks/\(carrier.record.name)/\(carrier.record.callbackSecret)" })
  }

  static func request(_ call: CarrierCall, _ carrier: Carrier) -> OutgoingRequest {
    OutgoingRequest(
      method: call.method, url: call.url, headers: call.headers.map { (name: $0.name, value: $0.value) },
      body: call.body, timeout: carrier.profile.timeout, maximumResponse: 65_536,
      allowsPrivateAddresses: carrier.record.allowsPrivateAddresses)
  }

  /// RFC 9110 section 10.2.3, in its form of seconds; a date is left to the profile's own wait.
  private static func retryAfter(_ response: OutgoingResponse) -> Duration? {
    response.header("retry-after").flatMap { Int($0) }.map { .seconds(max(0, min($0, 86_400))) }
  }

  private static func outcome(_ error: HTTPClientError) -> AttemptOutcome {
    switch error {
    case .invalidRequest:
      .refused(scope: .carrier, code: "settings", detail: "The carrier's address is not valid; correct its settings.")
    case .refusedAddress: .refused(scope: .carrier, code: "private-address", detail: error.description)
    case .notSent, .cancelled, .stopped: .unavailable(code: "unreachable", detail: error.description)
    case .uncertain: .uncertain(code: "no-answer", detail: error.description)
    }
  }
}

extension CarrierProfiles.RefusalScope {
  var asDelivery: Delivery.RefusalScope {
    switch self {
    case .message: .message
    case .route: .route
    case .carrier: .carrier
    }
  }
}

extension SubmitOutcome {
  var asAttempt: AttemptOutcome {
    switch self {
    case .accepted(let ids, _): .accepted(ids: ids)
    case .refused(let scope, let code, let sentence): .refused(scope: scope.asDelivery, code: code, detail: sentence)
    case .throttled(let code, let sentence, let wait): .throttled(code: code, detail: sentence, retryAfter: wait)
    case .unavailable(let code, let sentence): .unavailable(code: code, detail: sentence)
    case .uncertain(let code, let sentence): .uncertain(code: code, detail: sentence)
    }
  }
}
