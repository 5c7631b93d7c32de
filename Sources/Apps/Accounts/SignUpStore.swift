package import Contract
package import Cryptography
package import Database
package import Exchange
import PhoneNumbers

package enum SignUpKind: IdentifierKind { public static let prefix = "sup" }
package typealias SignUpID = Identifier<SignUpKind>

/// Numbers that wait for their code, and every limit round them. The functions run inside a transaction that the caller
/// holds. Nothing here looks at accounts: whether a number has one is asked only after its code was right.
package struct SignUpStore: Sendable {
  package static let life: Duration = .seconds(600)
  package static let guessesPerCode = 5
  package static let guessesADay = 10

  private let ids: IdentifierSource
  private let key: MasterKey
  private let limits: LimitStore
  private let codesADay: Int
  private let addressRule: LimitStore.Rule
  private let networkRule: LimitStore.Rule
  private let rangeRule: LimitStore.Rule
  private static let guessRule = LimitStore.Rule(kind: .guesses, most: guessesADay, window: .seconds(24 * 3600))
  private static let lockRule = LimitStore.Rule(kind: .lock, most: 1, window: .seconds(24 * 3600))
  /// Robots that are answered and sent nothing count apart, and fill no table either.
  private static let requestsPerCode = 20

  package init(ids: IdentifierSource, key: MasterKey, policy: SignUpPolicy) {
    self.ids = ids
    self.key = key
    limits = LimitStore(key: key)
    codesADay = policy.codesADay
    addressRule = LimitStore.Rule(kind: .address, most: policy.codesPerAddress, window: .seconds(3600))
    networkRule = LimitStore.Rule(kind: .network, most: policy.codesPerAddress * 2, window: .seconds(3600))
    rangeRule = LimitStore.Rule(kind: .range, most: policy.codesPerAddress * 2, window: .seconds(24 * 3600))
  }

  // MARK: Asking for a code

  struct SignUp: Sendable {
    let id: SignUpID
    let phone: String
    let nonce: [UInt8]
    let expires: Instant
  }

  /// What became of a wish for a code.
  enum Begun: Sendable {
    /// The code is to be sent now. The same as before while that one lasts.
    case code(SignUp, SignUpCode, resend: Instant)
    /// Not now, and why: what is too busy.
    case wait(Duration, String)
    /// Nobody gets more codes today.
    case paused
  }

  /// Counts a wish for a code, and makes one where there is none that lasts.
  /// - Parameter isRobot: nothing will be sent for it.
  func begin(
    _ phone: PhoneNumber, from address: String, isRobot: Bool, at now: Instant, tx: any Transaction
  ) throws -> Begun {
    let number = phone.e164
    if let wait = try limits.wait(Self.lockRule, number, at: now, tx: tx) { return .wait(wait, "for this number") }
    let sent = try limits.times(CodePace.rule, number, at: now, tx: tx)
    if let next = CodePace.next(after: sent), next > now { return .wait(next - now, "for this number") }
    let place = ClientAddress(address)
    let rules = [
      (addressRule, place.own, "from this address"), (networkRule, place.network, "from this network"),
      (rangeRule, String(number.dropLast(4)), "for numbers like this"),
    ]
    for (rule, subject, what) in rules {
      if let wait = try limits.wait(rule, subject, at: now, tx: tx) { return .wait(wait, what) }
    }
    guard try countOfDay(isRobot: isRobot, at: now, tx: tx) else { return .paused }
    for (rule, subject, _) in rules { try limits.add(rule, subject, at: now, tx: tx) }
    try limits.add(CodePace.rule, number, at: now, tx: tx)
    let signUp = try current(of: number, at: now, tx: tx) ?? make(for: number, at: now, tx: tx)
    let resend = CodePace.next(after: sent + [now]) ?? now
    return .code(signUp, SignUpCode(nonce: signUp.nonce, key: key), resend: resend)
  }

  /// - Returns: false where the day has had its codes.
  private func countOfDay(isRobot: Bool, at now: Instant, tx: any Transaction) throws -> Bool {
    guard codesADay > 0 else { return false }
    return try tx.run(
      """
      INSERT INTO sign_up_days (day, codes, requests) VALUES ($1, $2, 1)
      ON CONFLICT (day) DO UPDATE SET codes = sign_up_days.codes + $2, requests = sign_up_days.requests + 1
        WHERE sign_up_days.codes < $3 AND sign_up_days.requests < $4
      """,
      [
        .integer(now.day), .integer(isRobot ? 0 : 1), .integer(codesADay), .integer(codesADay * Self.requestsPerCode),
      ]) > 0
  }

  private func current(of phone: String, at now: Instant, tx: any Transaction) throws -> SignUp? {
    try tx.first(
      "SELECT id, phone, nonce, expires FROM sign_ups WHERE phone = $1 AND expires > $2 AND guesses < $3",
      [.text(phone), .instant(now), .integer(Self.guessesPerCode)]
    ) { SignUp(id: $0.identifier(0), phone: $0.text(1), nonce: $0.bytes(2), expires: $0.instant(3)) }
  }

  private func make(for phone: String, at now: Instant, tx: any Transaction) throws -> SignUp {
    try tx.run("DELETE FROM sign_ups WHERE phone = $1", [.text(phone)])
    let signUp = SignUp(
      id: SignUpID(ids.next(at: now)), phone: phone, nonce: randomBytes(SignUpCode.nonceLength),
      expires: now + Self.life)
    try tx.run(
      "INSERT INTO sign_ups (id, phone, nonce, guesses, expires) VALUES ($1, $2, $3, 0, $4)",
      [.id(signUp.id), .text(phone), .bytes(signUp.nonce), .instant(signUp.expires)])
    return signUp
  }

  // MARK: Guessing

  enum Guess: Sendable {
    case right(SignUp)
    case wrong(left: Int)
    /// Over, used, void after too many guesses, or never there.
    case gone
    case locked(Duration)
  }

  func guess(_ code: String, for id: SignUpID, at now: Instant, tx: any Transaction) throws -> Guess {
    let found = try tx.first(
      "SELECT id, phone, nonce, expires, guesses FROM sign_ups WHERE id = $1 AND expires > $2",
      [.id(id), .instant(now)]
    ) { row in
      (
        signUp: SignUp(id: row.identifier(0), phone: row.text(1), nonce: row.bytes(2), expires: row.instant(3)),
        guesses: row.int(4)
      )
    }
    guard let (signUp, guesses) = found else { return .gone }
    if let wait = try limits.wait(Self.lockRule, signUp.phone, at: now, tx: tx) { return .locked(wait) }
    guard guesses < Self.guessesPerCode else { return .gone }
    if SignUpCode(nonce: signUp.nonce, key: key).isEqual(to: code) { return .right(signUp) }
    let counted = try tx.run(
      "UPDATE sign_ups SET guesses = guesses + 1 WHERE id = $1 AND guesses < $2",
      [.id(id), .integer(Self.guessesPerCode)])
    guard counted > 0 else { return .gone }
    let today = try limits.add(Self.guessRule, signUp.phone, at: now, tx: tx)
    if today >= Self.guessesADay { try limits.add(Self.lockRule, signUp.phone, at: now, tx: tx) }
    return .wrong(left: max(0, min(Self.guessesPerCode - guesses - 1, Self.guessesADay - today)))
  }

  /// Uses a code up.
  /// - Returns: false where somebody was faster.
  func use(_ signUp: SignUp, tx: any Transaction) throws -> Bool {
    try tx.run("DELETE FROM sign_ups WHERE id = $1 AND nonce = $2", [.id(signUp.id), .bytes(signUp.nonce)]) > 0
  }

  /// Removes what is over.
  package func prune(at now: Instant, tx: any Transaction) throws {
    try tx.run("DELETE FROM sign_ups WHERE expires <= $1", [.instant(now)])
    try tx.run("DELETE FROM sign_up_days WHERE day < $1", [.integer(now.day - 1)])
    try LimitStore.prune(at: now, limit: 1000, tx: tx)
  }
}
