import Contract
import Cryptography
import Database

/// How often something happened lately, kept across restarts: for each subject the times of it, never more of them than
/// the largest limit asks for. Whose they are is kept as a keyed hash only.
struct LimitStore: Sendable {
  /// The raw values are stored.
  enum Kind: Int, Sendable {
    /// Codes to a number.
    case sends = 1
    /// Codes that an address asked for.
    case address = 2
    /// The same of its neighbourhood.
    case network = 3
    /// Codes to numbers that differ in their last four digits only.
    case range = 4
    /// Wrong codes for a number.
    case guesses = 5
    /// A number for which no more guesses are taken.
    case lock = 6
  }

  /// At most so many within so long.
  struct Rule: Sendable {
    let kind: Kind
    let most: Int
    let window: Duration
  }

  private static let purpose: MasterKey.Purpose = "sign-up limits"

  let key: MasterKey

  /// When it happened to `subject` within the window, the oldest first.
  func times(_ rule: Rule, _ subject: String, at now: Instant, tx: any Transaction) throws -> [Instant] {
    let stored = try tx.first(
      "SELECT times FROM sign_up_limits WHERE kind = $1 AND subject = $2",
      [.integer(rule.kind.rawValue), .bytes(hash(rule, subject))]
    ) { $0.bytes(0) }
    // A clock that was set back must not make a limit last for longer than its window.
    return Self.read(stored ?? []).map { min($0, now) }.filter { now - $0 < rule.window }
  }

  /// How long it takes until it may happen once more; nil where it may now.
  func wait(_ rule: Rule, _ subject: String, at now: Instant, tx: any Transaction) throws -> Duration? {
    let times = try times(rule, subject, at: now, tx: tx)
    guard times.count >= rule.most else { return nil }
    return times[times.count - rule.most] + rule.window - now
  }

  /// Notes that it happened now.
  /// - Returns: how often it happened within the window.
  @discardableResult
  func add(_ rule: Rule, _ subject: String, at now: Instant, tx: any Transaction) throws -> Int {
    let times = try (times(rule, subject, at: now, tx: tx) + [now]).suffix(rule.most)
    try tx.run(
      """
      INSERT INTO sign_up_limits (kind, subject, times, until) VALUES ($1, $2, $3, $4)
      ON CONFLICT (kind, subject) DO UPDATE SET times = $3, until = $4
      """,
      [
        .integer(rule.kind.rawValue), .bytes(hash(rule, subject)), .bytes(Self.written(times)),
        .instant(now + rule.window),
      ])
    return times.count
  }

  /// Removes what no limit looks at any more.
  static func prune(at now: Instant, limit: Int, tx: any Transaction) throws {
    for _ in 0..<limit {
      // Row by row by the index; SQLite has no DELETE with a LIMIT.
      let oldest = try tx.first(
        "SELECT kind, subject FROM sign_up_limits WHERE until <= $1 ORDER BY until LIMIT 1", [.instant(now)]
      ) { (kind: $0.int(0), subject: $0.bytes(1)) }
      guard let oldest else { return }
      try tx.run(
        "DELETE FROM sign_up_limits WHERE kind = $1 AND subject = $2",
        [.integer(oldest.kind), .bytes(oldest.subject)])
    }
  }

  private func hash(_ rule: Rule, _ subject: String) -> [UInt8] {
    Array(key.hash("\(rule.kind.rawValue) \(subject)", purpose: Self.purpose).prefix(16))
  }

  // MARK: The stored form: 8 bytes each, the high one first

  private static func written(_ times: some Sequence<Instant>) -> [UInt8] {
    times.flatMap { time in (0..<8).map { UInt8(truncatingIfNeeded: time.milliseconds >> Int64(56 - $0 * 8)) } }
  }

  private static func read(_ bytes: [UInt8]) -> [Instant] {
    stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
      Instant(milliseconds: bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) })
    }
  }
}
