import CSQLite
import Contract

/// One prepared statement of a connection.
final class SQLiteStatement {
  let handle: OpaquePointer
  /// For `$1`, `$2` … in turn, SQLite's own index of that parameter: it counts them by their first appearance.
  private let indexes: [Int32]
  /// In use by a caller further up; the same text then needs a second prepared form.
  var isBusy = false
  /// When it was last wanted, in uses of its connection's cache.
  var lastUse: UInt64 = 0

  /// Takes over a prepared handle.
  /// - Throws: `.misuse` where its parameters are not `$1` to `$n` without a gap; the handle is finalized then.
  init(_ handle: OpaquePointer) throws(DatabaseError) {
    let count = Int(sqlite3_bind_parameter_count(handle))
    var indexes = [Int32](repeating: 0, count: count)
    for index in 0..<count {
      let name = sqlite3_bind_parameter_name(handle, Int32(index + 1)).map { String(cString: $0) } ?? ""
      guard name.first == "$", let number = Int(name.dropFirst()), number >= 1, number <= count,
        indexes[number - 1] == 0
      else {
        sqlite3_finalize(handle)
        throw .misuse("parameters must be numbered $1 to $\(count), not \(name.isEmpty ? "?" : name)")
      }
      indexes[number - 1] = Int32(index + 1)
    }
    self.handle = handle
    self.indexes = indexes
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ values: [Value]) throws(DatabaseError) {
    guard values.count == indexes.count else {
      throw .misuse("\(values.count) values for \(indexes.count) parameters")
    }
    for (value, index) in zip(values, indexes) {
      let code = bind(value, at: index)
      guard code == SQLITE_OK else {
        throw .misuse("a value can not be bound: \(String(cString: sqlite3_errstr(code)))")
      }
    }
  }

  /// Ends the run and lets go of the values.
  func reset() {
    sqlite3_reset(handle)
    if !indexes.isEmpty { sqlite3_clear_bindings(handle) }
  }

  private func bind(_ value: Value, at index: Int32) -> Int32 {
    switch value {
    case .null:
      return sqlite3_bind_null(handle, index)
    case .integer(let integer):
      return sqlite3_bind_int64(handle, index, integer)
    case .text(var text):
      return text.withUTF8 { bytes in
        // Without an address it would become NULL.
        guard !bytes.isEmpty, let start = bytes.baseAddress else {
          return sqlite3_bind_text(handle, index, "", 0, Self.transient)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(handle, index, $0, UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
        }
      }
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.transient)
      }
    case .id(let id):
      let words = (id.high.bigEndian, id.low.bigEndian)
      return withUnsafeBytes(of: words) { sqlite3_bind_blob(handle, index, $0.baseAddress, 16, Self.transient) }
    }
  }

  /// `SQLITE_TRANSIENT`: SQLite makes its own copy before the call returns.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// The row that a statement stands on.
struct SQLiteRow: Row {
  let statement: OpaquePointer

  func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

  func integer(_ column: Int) -> Int64 {
    type(column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, Int32(column)) : 0
  }

  func text(_ column: Int) -> String {
    guard type(column) == SQLITE_TEXT, let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int) -> [UInt8] { Array(blob(column)) }

  func id(_ column: Int) -> ID128 {
    let bytes = blob(column)
    guard bytes.count == 16 else { return ID128(high: 0, low: 0) }
    return ID128(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  private func blob(_ column: Int) -> UnsafeRawBufferPointer {
    guard type(column) == SQLITE_BLOB, let start = sqlite3_column_blob(statement, Int32(column)) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
  }

  private func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(clamping: column)) }
}
