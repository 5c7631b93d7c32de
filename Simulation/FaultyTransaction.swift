import Database

/// A transaction in which one statement may fail, as on a full disk.
final class FaultyTransaction: Transaction {
  private let base: any Transaction
  private var fuse: Int

  /// - Parameter fuse: after how many statements; negative for never.
  init(_ base: any Transaction, fuse: Int) {
    self.base = base
    self.fuse = fuse
  }

  private func burn() throws {
    if fuse == 0 { throw DatabaseError.full }
    fuse -= 1
  }

  func run(_ sql: SQL, _ values: [Value]) throws -> Int {
    try burn()
    return try base.run(sql, values)
  }

  func rows(_ sql: SQL, _ values: [Value], _ body: (any Row) throws -> Void) throws {
    try burn()
    try base.rows(sql, values, body)
  }
}
