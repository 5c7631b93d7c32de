import Database
import Runtime

/// Passes everything on, and counts the rows that are written on the way.
final class CountingTransaction: Transaction {
  private let inner: any Transaction
  private(set) var written = 0

  init(_ inner: any Transaction) { self.inner = inner }

  @discardableResult
  func run(_ sql: SQL, _ values: [Value]) throws -> Int {
    let count = try inner.run(sql, values)
    written += count
    return count
  }

  func rows(_ sql: SQL, _ values: [Value], _ body: (any Row) throws -> Void) throws {
    let isWrite = !sql.text.description.hasPrefix("SELECT")
    try inner.rows(sql, values) { row in
      if isWrite { written += 1 }
      try body(row)
    }
  }
}
