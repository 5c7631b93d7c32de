import Contract
package import Cryptography
package import Database
package import Doors
package import Exchange
import Formats
package import Network
package import PhoneNumbers
package import Runtime

/// `/api/v1/sign-ups`: a number, the code that it gets, and a password make an account, or open one whose password is
/// forgotten.
///
/// Until the code is right nothing looks at the accounts, so that neither answers nor times tell which numbers have one.
package struct SignUpDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let policy: SignUpPolicy
  private let store: SignUpStore
  private let sender: CodeSender
  private let accounts: AccountStore
  private let erasures: ErasureStore
  private let passwords: PasswordHasher
  private let numbers: PhoneNumberParser
  private let attempts: AttemptLimiter
  private let counted: Counter?
  private let clock: any WallClock

  /// - Parameter counted: counts what became of requests, by outcome.
  package init(
    door: APIDoor, database: any Database, policy: SignUpPolicy, store: SignUpStore, sender: CodeSender,
    accounts: AccountStore, erasures: ErasureStore = ErasureStore(), passwords: PasswordHasher,
    numbers: PhoneNumberParser, counted: Counter? = nil, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.policy = policy
    self.store = store
    self.sender = sender
    self.accounts = accounts
    self.erasures = erasures
    self.passwords = passwords
    self.numbers = numbers
    self.counted = counted
    self.clock = clock
    // Beside the limits of each number: one address does not try its luck with many.
    attempts = AttemptLimiter(mostInWindow: policy.codesPerAddress * 3)
  }

  package func routes(_ router: inout Router) {
    router.on("POST", "/api/v1/sign-ups", maximumBody: 4096) { request in
      await door.answer(request) { try await begin(request) }
    }
    router.on("POST", "/api/v1/sign-ups/{id}/check", maximumBody: 4096) { request in
      await door.answer(request) { try await check(request) }
    }
    router.on("POST", "/api/v1/sign-ups/{id}/verify", maximumBody: 4096) { request in
      await door.answer(request) { try await verify(request) }
    }
  }

  private func requireOpen(_ request: HTTPRequest) throws(APIError) {
    if request.headers.contains("origin") { try Authenticator.requireSameOrigin(request) }
    guard policy.isOpen else { throw APIError(.signUpClosed) }
  }

  // MARK: The code

  private func begin(_ request: HTTPRequest) async throws -> HTTPResponse {
    try requireOpen(request)
    let (written, locale, isRobot) = try request.jsonObject { fields throws(APIError) in
      let phone = try fields.requiredString("phone")
      let locale = try fields.locale("locale") ?? "en"
      // A field that people do not see.
      let website = try fields.string("website") ?? ""
      return (phone, locale, !website.isEmpty)
    }
    let phone = try number(written)
    let carrier = try sender.carrier(to: phone.e164)
    let now = clock.now
    let address = request.remoteAddress
    let begun: SignUpStore.Begun
    do {
      begun = try await database.transaction { [store, sender] tx in
        let begun = try store.begin(phone, from: address, isRobot: isRobot, at: now, tx: tx)
        if case .code(let signUp, let code, _) = begun, !isRobot {
          let isAccepted = try sender.accept(
            code, to: phone.e164, locale: locale, by: carrier, expires: signUp.expires, at: now, tx: tx)
          // Thrown, so that nothing of it counts.
          if !isAccepted { throw MoneyIsSpent() }
        }
        return begun
      }
    } catch is MoneyIsSpent { begun = .paused }
    switch begun {
    case .wait(let wait, let what):
      counted?.add(1, "limited")
      throw APIError(.tooManyAttempts, detail: what, retryAfter: wait)
    case .paused:
      counted?.add(1, "paused")
      throw Self.paused(at: now)
    case .code(let signUp, _, let resend):
      counted?.add(1, isRobot ? "robot" : "sent")
      if !isRobot { sender.wake() }
      return .json(
        202,
        JSONWriter.object { json in
          json.field("id", signUp.id)
          json.field("phone", signUp.phone)
          json.field("expiresAt", signUp.expires)
          json.field("resendAt", resend)
        })
    }
  }

  private struct MoneyIsSpent: Error {}

  private func number(_ written: String) throws(APIError) -> PhoneNumber {
    let phone: PhoneNumber
    do { phone = try numbers.parse(written, region: policy.region) } catch {
      throw APIError(.invalidNumber, detail: error.description)
    }
    let details = numbers.details(of: phone)
    guard policy.serves(region: details.region, kind: details.kind) else { throw APIError(.numberNotServed) }
    return phone
  }

  /// Until the day ends.
  private static func paused(at now: Instant) -> APIError {
    APIError(.signUpPaused, retryAfter: Instant(milliseconds: (now.day + 1) * 86_400_000) - now)
  }

  // MARK: The code comes back

  private func check(_ request: HTTPRequest) async throws -> HTTPResponse {
    try requireOpen(request)
    let code = try request.jsonObject { fields throws(APIError) in try fields.code("code") }
    _ = try await guess(code, request)
    return HTTPResponse(status: 204)
  }

  /// - Returns: the sign-up whose code it is.
  private func guess(_ code: String, _ request: HTTPRequest) async throws -> SignUpStore.SignUp {
    guard let id = request.parameters["id"].flatMap({ SignUpID($0) }) else { throw APIError(.notFound) }
    let now = clock.now
    guard attempts.mayTry(from: request.remoteAddress, for: nil, at: now) else {
      throw APIError(.tooManyAttempts, detail: "from this address", retryAfter: AttemptLimiter.window)
    }
    let guess = try await database.transaction { [store] tx in try store.guess(code, for: id, at: now, tx: tx) }
    switch guess {
    case .right(let signUp):
      attempts.succeeded(from: request.remoteAddress, for: nil)
      return signUp
    case .wrong(let left):
      counted?.add(1, "wrong")
      throw APIError(.codeWrong, detail: left == 1 ? "1 try left" : "\(left) tries left")
    case .gone: throw APIError(.codeExpired)
    case .locked(let wait): throw APIError(.tooManyAttempts, detail: "for this number", retryAfter: wait)
    }
  }

  private struct Wish: Sendable {
    let code: String
    let password: String
    let locale: String
    let zone: String
  }

  private func verify(_ request: HTTPRequest) async throws -> HTTPResponse {
    try requireOpen(request)
    let wish = try request.jsonObject { fields throws(APIError) in
      let code = try fields.code("code")
      let password = try fields.password("password")
      guard try fields.bool("acceptTerms") == true else { throw fields.invalid("acceptTerms", "must be true") }
      return Wish(
        code: code, password: password, locale: try fields.locale("locale") ?? "en",
        zone: try fields.zone("zone") ?? "UTC")
    }
    let signUp = try await guess(wish.code, request)
    // The code outlives a password that is refused.
    try PasswordRule.check(wish.password, phone: signUp.phone)
    let hash = try await passwords.hashed(wish.password)
    let now = clock.now
    let agent = request.headers["user-agent"]
    let opened = try await database.transaction { tx in
      guard try store.use(signUp, tx: tx) else { throw APIError(.codeExpired) }
      return try open(signUp.phone, wish, hash, agent: agent, at: now, tx: tx)
    }
    door.authenticator.forget()
    counted?.add(1, "verified")
    var response = HTTPResponse.json(
      201,
      JSONWriter.object { json in
        json.key("account")
        opened.account.write(&json)
        json.field("created", opened.isCreated)
      })
    SessionCookie.set(opened.token, on: &response, for: request)
    return response
  }

  /// Makes the account of a number whose phone was proved, or opens the one that there is.
  private func open(
    _ phone: String, _ wish: Wish, _ hash: String, agent: String?, at now: Instant, tx: any Transaction
  ) throws -> (account: AccountRecord, isCreated: Bool, token: String) {
    let known = try accounts.account(phone: phone, tx: tx)
    let id: AccountID
    if let known {
      id = known.id
      try accounts.setPassword(hash, of: id, at: now, tx: tx)
      try accounts.endSessions(of: id, tx: tx)
      _ = try erasures.undo(id, tx: tx)
    } else {
      let region = PhoneNumber(e164: phone).flatMap { numbers.details(of: $0).region }
      id = try accounts.create(
        phone: phone, name: nil, role: .user, password: hash, locale: wish.locale, zone: wish.zone, region: region,
        at: now, tx: tx)
    }
    try TermsStore.accept(SignUpPolicy.terms, by: id, at: now, tx: tx)
    let token = try accounts.createSession(for: id, agent: agent, at: now, tx: tx)
    guard let account = try accounts.account(id, tx: tx) else { throw APIError(.notFound) }
    return (account, known == nil, token)
  }
}

extension JSONFields {
  fileprivate mutating func code(_ name: String) throws(APIError) -> String {
    let code = try requiredString(name)
    guard code.utf8.count == SignUpCode.length, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw invalid(name, "has \(SignUpCode.length) digits")
    }
    return code
  }
}
