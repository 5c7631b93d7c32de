package import Contract
package import Database
import Formats

/// One thing that changed, as an app hears of it.
package struct Event: Sendable, Equatable {
  package let stream: ID128
  package let seq: Int64
  package let type: String
  package let at: Instant
  /// A JSON object without message texts or secrets.
  package let data: [UInt8]
}

/// Events of one transaction, gathered while it runs and written as its last step, since the counter rows that give
/// them their numbers are shared.
package struct EventBatch {
  private var events: [ID128: [(type: String, data: [UInt8])]] = [:]

  package init() {}

  package var isEmpty: Bool { events.isEmpty }

  package mutating func add(to stream: ID128, _ type: String, _ data: [UInt8]) {
    events[stream, default: []].append((type, data))
  }

  /// Numbers and writes them, stream by stream in order of id (so that two transactions never wait for each other).
  /// - Returns: the streams that grew.
  package func write(in tx: any Transaction, at now: Instant) throws -> Set<ID128> {
    for stream in events.keys.sorted() {
      guard let batch = events[stream] else { continue }
      // Not RETURNING, for which SQLite builds a temporary table each time; the row is this transaction's own by now.
      try tx.run(
        """
        INSERT INTO streams (stream, seq, pruned) VALUES ($1, $2, 0)
        ON CONFLICT (stream) DO UPDATE SET seq = streams.seq + $2
        """, [.id(stream), .integer(batch.count)])
      let last = try EventLog.position(of: stream, tx: tx)
      for (index, event) in batch.enumerated() {
        try tx.run(
          "INSERT INTO events (stream, seq, type, at, data) VALUES ($1, $2, $3, $4, $5)",
          [
            .id(stream), .integer(last - Int64(batch.count - 1 - index)), .text(event.type), .instant(now),
            .bytes(event.data),
          ])
      }
    }
    return Set(events.keys)
  }
}

/// Reads a stream from a position on.
package enum EventLog {
  /// How long events can be asked for again.
  package static let retention: Duration = .seconds(7 * 24 * 3600)

  /// - Returns: up to `limit` events after `seq`, or nil where some of them are no longer kept (or `seq` is none that
  ///   was ever given): the client must start afresh.
  package static func events(
    after seq: Int64, in stream: ID128, limit: Int, tx: any Transaction
  ) throws -> [Event]? {
    let counter = try tx.first("SELECT seq, pruned FROM streams WHERE stream = $1", [.id(stream)]) {
      (last: $0.integer(0), pruned: $0.integer(1))
    }
    guard let counter else { return seq == 0 ? [] : nil }
    guard seq >= counter.pruned, seq <= counter.last else { return nil }
    return try tx.all(
      "SELECT seq, type, at, data FROM events WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3",
      [.id(stream), .integer(seq), .integer(limit)]
    ) { Event(stream: stream, seq: $0.integer(0), type: $0.text(1), at: $0.instant(2), data: $0.bytes(3)) }
  }

  /// The number of the stream's last event.
  package static func position(of stream: ID128, tx: any Transaction) throws -> Int64 {
    try tx.first("SELECT seq FROM streams WHERE stream = $1", [.id(stream)]) { $0.integer(0) } ?? 0
  }

  /// Removes what is older than the retention, at most `limit` events in one go.
  /// - Returns: how many were removed.
  package static func prune(at now: Instant, limit: Int, tx: any Transaction) throws -> Int {
    var removed = 0
    for stream in try tx.all("SELECT stream, pruned FROM streams", [], { ($0.id(0), $0.integer(1)) }) {
      guard removed < limit else { break }
      let last = try tx.first(
        """
        SELECT MAX(seq) FROM (
          SELECT seq, at FROM events WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3
        ) AS oldest WHERE at < $4
        """, [.id(stream.0), .integer(stream.1), .integer(limit - removed), .instant(now - retention)]
      ) { $0.integerIfPresent(0) }
      guard let last, let last else { continue }
      removed += try tx.run("DELETE FROM events WHERE stream = $1 AND seq <= $2", [.id(stream.0), .integer(last)])
      try tx.run("UPDATE streams SET pruned = $2 WHERE stream = $1", [.id(stream.0), .integer(last)])
    }
    return removed
  }
}
