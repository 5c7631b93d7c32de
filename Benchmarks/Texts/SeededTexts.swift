import Contract
import Database
import Exchange
import GSMText
import Runtime

/// Messages of one account with many peers, half of them sent and half arrived and unread; one of them has a needle.
struct SeededTexts: Sendable {
  let account: AccountID
  let messages: Int
  let peers: Int

  func peer(_ number: Int) -> String { "+35840\(1_000_000 + number % peers)" }

  /// About as long as people write.
  func text(_ number: Int) -> String {
    if number == messages / 3 { return "Somewhere in here there is one Needle, and this is it." }
    return "Message number \(number): I will be at the station a little after seven, see you there. Öö"
  }

  func isSent(_ number: Int) -> Bool { number / peers % 2 == 1 }

  /// As the exchange writes them, while it does not run.
  func write(to path: String) async throws {
    let database = try SQLiteDatabase(path: path, migrations: ProgramSchema.migrations)
    let ids = IdentifierSource(random: SeededRandom(seed: 1))
    let now = SystemClock().now
    for start in stride(from: 0, to: messages, by: 5000) {
      try await database.transaction { [self] tx in
        for number in start..<min(start + 5000, messages) {
          if isSent(number) {
            try tx.run(
              """
              INSERT INTO deliveries (id, account, channel, lane, address, class, state, carrier, ready, attempt,
                expires, created, updated, body, sealed, events, parts)
              VALUES ($1, $2, 1, 0, $3, 2, 10, 1, $4, 1, $4, $4, $4, $5, 0, 2, 1)
              """,
              [
                .id(ids.next(at: now)), .id(account), .text(peer(number)), .instant(now),
                .bytes(TextBody(text: text(number), sender: nil, encoding: .gsm7).bytes),
              ])
          } else {
            try tx.run(
              """
              INSERT INTO inbound (id, account, channel, carrier, sender, recipient, text, raw, is_read, digest)
              VALUES ($1, $2, 1, 1, $3, '+358457000001', $4, $5, 0, $5)
              """,
              [
                .id(ids.next(at: now)), .id(account), .text(peer(number)), .text(text(number)),
                .bytes(Array("\(number)".utf8)),
              ])
          }
        }
      }
    }
    await database.close()
  }
}

/// The peer: one table with an index for conversations, and LIKE.
struct PlainTable {
  private static let migrations = [
    Migration(
      component: "plain", number: 1,
      [
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, peer TEXT NOT NULL, text TEXT NOT NULL)",
        "CREATE INDEX messages_peer ON messages (peer, id)",
      ])
  ]

  private let database: SQLiteConnection
  private let texts: SeededTexts

  init(folder: String, texts: SeededTexts) throws {
    database = try SQLiteConnection(.file(folder + "/plain.db"))
    try Migrator.apply(Self.migrations, on: database)
    try database.begin()
    for number in 0..<texts.messages {
      try database.run(
        "INSERT INTO messages (id, peer, text) VALUES ($1, $2, $3)",
        [.integer(number + 1), .text(texts.peer(number)), .text(texts.text(number))])
    }
    try database.commit()
    self.texts = texts
  }

  /// The median.
  func milliseconds(_ question: Question, rounds: Int) throws -> Double {
    var times: [Double] = []
    for _ in 0..<rounds {
      let began = ContinuousClock.now
      let found = try ask(question)
      times.append((ContinuousClock.now - began).inSeconds * 1000)
      guard question == .hit || found == question.expected(texts) else {
        throw BenchmarkError("the plain table gave \(found) rows for \(question.rawValue)")
      }
    }
    return times.sorted()[rounds / 2]
  }

  private func ask(_ question: Question) throws -> Int {
    switch question {
    case .list:
      try database.all("SELECT peer, MAX(id) FROM messages GROUP BY peer ORDER BY 2 DESC LIMIT 50", []) { $0.text(0) }
        .count
    case .hit: try search("%message%")
    case .rare: try search("%needle%")
    case .miss: try search("%absent%")
    case .page:
      try database.all(
        "SELECT id, text FROM messages WHERE peer = $1 ORDER BY id DESC LIMIT 50", [.text(texts.peer(7))]
      ) { $0.text(1) }.count
    }
  }

  private func search(_ pattern: String) throws -> Int {
    try database.all(
      "SELECT id, text FROM messages WHERE text LIKE $1 ORDER BY id DESC LIMIT 50", [.text(pattern)]
    ) { $0.text(1) }.count
  }
}
