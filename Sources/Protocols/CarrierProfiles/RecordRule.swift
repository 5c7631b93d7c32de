import Contract
import Cryptography
import Formats
import GSMText

/// One way to read a record of a callback or of a poll's answer.
struct RecordRule: Sendable {
  enum Kind: Sendable {
    case receipt(statuses: [String: ReportedStatus])
    case inbound(InboundCoding)
    /// Known, and of no interest.
    case ignored
  }

  struct ReportedStatus: Sendable {
    let status: Receipt.Status
    let sentence: String
  }

  let kind: Kind
  let text: TextPattern?
  /// Fields by name, or values of JSON by path.
  let conditions: [(name: FieldName, fits: ValuePattern)]
  let take: [(name: String, from: FieldName)]
  let time: TimeFormat?
  /// What the carrier's codes say, for receipts.
  let reasons: [String: String]

  struct FieldName: Sendable {
    let name: String
    let path: JSONPath?
  }

  /// Names that may be captured.
  static let names: Set<String> = [
    "id", "status", "code", "time", "reference", "from", "to", "text", "coding", "udh", "partReference", "partTotal",
    "partNumber",
  ]

  /// nil when the rule does not fit.
  func captures(_ record: Record) -> Captures? {
    var captures = Captures()
    if let text {
      guard case .text(let octets) = record, text.match(octets, into: &captures) else { return nil }
    }
    for (name, fits) in conditions {
      guard let value = record.value(name), fits.match(value, into: &captures) else { return nil }
    }
    for (name, from) in take {
      if let value = record.value(from) { captures.add(name, value) }
    }
    return captures
  }
}

/// One receipt or message in what a carrier sends.
enum Record {
  case text([UInt8])
  case fields([FormField])
  case json(JSONValue)

  func value(_ field: RecordRule.FieldName) -> [UInt8]? {
    switch self {
    case .text: nil
    case .fields(let fields): fields.first { $0.name == field.name }?.value
    case .json(let json): field.path?.first(in: json)?.scalarText.map { Array($0.utf8) }
    }
  }

  /// For a person to look at.
  var shown: String {
    switch self {
    case .text(let octets): Shown.octets(octets, limit: 2000)
    case .fields(let fields):
      Shown.text(
        fields.prefix(40).map { "\($0.name)=\(String(decoding: $0.value.prefix(2000), as: UTF8.self))" }
          .joined(separator: "&"), limit: 2000)
    case .json(let json):
      Shown.octets(
        {
          var writer = JSONWriter()
          writer.value(json)
          return writer.bytes
        }(), limit: 2000)
    }
  }
}

/// How the text of an incoming message is written: always in one way, or by the captured `coding`.
struct InboundCoding: Sendable {
  enum Form: String, Sendable, CaseIterable {
    case utf8, latin1, gsm
    case utf8Hex, latin1Hex, gsmHex, ucs2Hex, octetsHex
  }

  let forms: [String: Form]
  let otherwise: Form?

  /// nil when the coding is not known or the text has not that form.
  func content(_ text: [UInt8], coding: String?) -> InboundContent? {
    guard let form = coding.flatMap({ forms[$0] }) ?? otherwise else { return nil }
    func decoded(_ coding: InboundContent.Coding) -> InboundContent? {
      Hex.octets(text).map { InboundContent(coding: coding, octets: $0) }
    }
    switch form {
    case .utf8: return InboundContent(coding: .utf8, octets: text)
    case .latin1: return InboundContent(coding: .latin1, octets: text)
    case .gsm: return InboundContent(coding: .gsm, octets: text)
    case .utf8Hex: return decoded(.utf8)
    case .latin1Hex: return decoded(.latin1)
    case .gsmHex: return decoded(.gsm)
    case .ucs2Hex: return decoded(.ucs2)
    case .octetsHex: return decoded(.octets)
    }
  }
}
