package import Contract

/// Where every durable record lives. One contract, one conformance suite, several drivers.
package protocol Database: Sendable {
  /// Runs `body` in one transaction and returns after its commit is on disk.
  ///
  /// `body` runs on the driver's thread, must not wait, touches only the transaction, and may be run again (another
  /// caller of the same commit failed; a deadlock or a serialization failure of a server). Many callers may share one
  /// commit; what one of them throws rolls back its own work only. Once begun it is not cancelled: the caller always
  /// learns what became of it.
  ///
  /// What a write depends on stands in its WHERE, in a unique key or in ON CONFLICT. A body that meets an error of a
  /// statement throws it on: not every driver can go on in a transaction after one.
  /// - Throws: what `body` threw, or a `DatabaseError`; nothing of `body` is kept then.
  @discardableResult
  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Result
  ) async throws -> Result

  /// Runs `body` on one consistent snapshot, which has everything whose `transaction` has returned; it can not write.
  ///
  /// Many may run at once, beside the transactions. The snapshot keeps old pages alive, so it should be short.
  /// - Throws: what `body` threw, or a `DatabaseError`.
  func read<Result: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Result) async throws -> Result
}

/// One open transaction. Valid only inside the body that was given it.
///
/// Statements number their parameters `$1`, `$2` …, in any order and as often as they like; every value must be used.
/// A value is never pasted into one.
package protocol Transaction: AnyObject {
  /// Runs a statement that returns no rows.
  /// - Returns: the number of rows inserted, changed or deleted.
  @discardableResult
  func run(_ sql: SQL, _ values: [Value]) throws -> Int

  /// Runs a statement and shows each row to `body`, in order. A row is valid only while it is shown.
  func rows(_ sql: SQL, _ values: [Value], _ body: (any Row) throws -> Void) throws
}

extension Transaction {
  /// Runs a statement without parameters that returns no rows.
  /// - Returns: the number of rows inserted, changed or deleted.
  @discardableResult
  package func run(_ sql: SQL) throws -> Int { try run(sql, []) }

  /// Every row, read by `read`. What is asked for must have a LIMIT or be small by nature.
  package func all<Element>(
    _ sql: SQL, _ values: [Value] = [], _ read: (any Row) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try rows(sql, values) { elements.append(try read($0)) }
    return elements
  }

  /// The first row, or nil where there is none.
  package func first<Element>(
    _ sql: SQL, _ values: [Value] = [], _ read: (any Row) throws -> Element
  ) throws -> Element? {
    var element: Element?
    try rows(sql, values) { if element == nil { element = try read($0) } }
    return element
  }
}

/// The text of a statement: written out in the source, so that nothing can be pasted into it, and so that its address
/// names its prepared form.
package struct SQL: ExpressibleByStringLiteral, Sendable {
  package let text: StaticString

  package init(stringLiteral text: StaticString) { self.text = text }
}

/// A value bound to a parameter.
package enum Value: Sendable, Equatable {
  case null
  case integer(Int64)
  /// Kept exactly. A driver that can not keep U+0000 refuses it.
  case text(String)
  case bytes([UInt8])
  /// Stored as 16 bytes, high half first, so that ids sort by time.
  case id(ID128)

  package static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
  package static func integer(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
  package static func integer(_ value: Int?) -> Value { value.map { .integer(Int64($0)) } ?? .null }
  package static func bool(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
  package static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
  package static func bytes(_ value: [UInt8]?) -> Value { value.map { .bytes($0) } ?? .null }
  package static func id(_ value: ID128?) -> Value { value.map { .id($0) } ?? .null }
  package static func id<Kind>(_ value: Identifier<Kind>) -> Value { .id(value.value) }
  package static func id<Kind>(_ value: Identifier<Kind>?) -> Value { value.map { .id($0.value) } ?? .null }
  package static func instant(_ value: Instant) -> Value { .integer(value.milliseconds) }
  package static func instant(_ value: Instant?) -> Value { value.map { .integer($0.milliseconds) } ?? .null }
}

/// One row of an answer; columns are counted from zero. A column of another type than the one asked for reads as that
/// type's empty value; the schema's STRICT tables keep it from happening.
package protocol Row {
  func isNull(_ column: Int) -> Bool
  func integer(_ column: Int) -> Int64
  func text(_ column: Int) -> String
  func bytes(_ column: Int) -> [UInt8]
  func id(_ column: Int) -> ID128
}

extension Row {
  package func int(_ column: Int) -> Int { Int(integer(column)) }
  package func bool(_ column: Int) -> Bool { integer(column) != 0 }
  package func instant(_ column: Int) -> Instant { Instant(milliseconds: integer(column)) }
  package func identifier<Kind>(_ column: Int) -> Identifier<Kind> { Identifier(id(column)) }

  package func integerIfPresent(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
  package func textIfPresent(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
  package func bytesIfPresent(_ column: Int) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
  package func idIfPresent(_ column: Int) -> ID128? { isNull(column) ? nil : id(column) }
  package func instantIfPresent(_ column: Int) -> Instant? { isNull(column) ? nil : instant(column) }
  package func identifierIfPresent<Kind>(_ column: Int) -> Identifier<Kind>? {
    isNull(column) ? nil : Identifier(id(column))
  }
}

/// What went wrong, as far as a caller can act on it.
package enum DatabaseError: Error, Equatable, CustomStringConvertible {
  /// A unique key is taken already; the caller decides what that means. Names the key as the driver does, no values.
  case uniqueViolation(String)
  /// The disk is full: nothing of this transaction was kept, and nothing that was kept before is lost.
  case full
  /// The file is damaged. Nothing more is accepted until it is restored.
  case damaged(String)
  /// The database is stopping, or not reachable; nothing of this transaction was kept.
  case unavailable(String)
  /// A statement that can not be right: a fault in this program.
  case misuse(String)

  package var description: String {
    switch self {
    case .uniqueViolation(let key): "A row with this key exists already (\(key))."
    case .full: "The disk is full. Nothing of this request was kept; free some space and send it again."
    case .damaged(let what): "The database is damaged (\(what)). Stop the server and run `switchboard restore`."
    case .unavailable(let why): "The database can not be reached now (\(why)). Nothing of this request was kept."
    case .misuse(let what): "A statement was refused by the database (\(what))."
    }
  }
}

/// One numbered step of a component's schema: forward only, and safe while an older node still runs.
///
/// Types are named abstractly, and each driver puts in its own: `{id}` (16 bytes), `{bytes}`, `{integer}` (64 bits),
/// `{text}`; `{table}` ends a CREATE TABLE (STRICT, and where there is a primary key that is no rowid, WITHOUT ROWID).
package struct Migration: Sendable {
  package let component: String
  package let number: Int
  package let statements: [String]

  package init(component: String, number: Int, _ statements: [String]) {
    self.component = component
    self.number = number
    self.statements = statements
  }
}
