import Contract
import Formats

/// One line of a ledger.
struct LedgerEntry {
  var id: UInt64
  var at: Instant
  var to: PhoneNumber
  var from: String
  var text: String
  /// Hexadecimal digits of a message that is no text: its header and its octets.
  var binary: String?
  var parts: Int
  var reference: String?

  func append(to json: inout JSONWriter) {
    json.beginObject()
    json.field("id", String(id))
    json.field("at", at)
    json.field("to", to.description)
    json.field("from", from)
    json.field("text", text)
    if let binary { json.field("binary", binary) }
    json.field("parts", parts)
    json.field("reference", reference)
    json.endObject()
  }

  /// The id in a line that was written by `append`; nil when it is none.
  static func id(inLine line: [UInt8]) -> UInt64? {
    guard let value = try? JSON.parse(line, limits: JSON.Limits(bytes: 4 << 20)) else { return nil }
    return value["id"]?.string.flatMap { UInt64($0) }
  }
}
