/// Receipts and incoming messages as the carrier hands them over, by push and by poll: `N#part#part…`.
///
/// Source: Sinch, "HTTP SMS", section "Delivery Reports & Incoming SMS".
package struct IncomingEnvelope: Sendable, Equatable {
  package enum Item: Sendable, Equatable {
    case receipt(HTTPSMSReceipt)
    case message(HTTPSMSIncoming)

    init?(part: Substring) {
      let fields = part.split(separator: ":", maxSplits: 8, omittingEmptySubsequences: false)
      if fields.first == "-1" {
        guard let message = HTTPSMSIncoming(fields: fields) else { return nil }
        self = .message(message)
      } else {
        guard let receipt = HTTPSMSReceipt(fields: fields) else { return nil }
        self = .receipt(receipt)
      }
    }

    var part: String {
      switch self {
      case .receipt(let receipt): receipt.part
      case .message(let message): message.part
      }
    }
  }

  /// At most 100; `text` leaves out what is beyond.
  package var items: [Item]

  package init(_ items: [Item]) { self.items = items }

  package static let itemLimit = 100

  /// Nothing there is `0#`.
  package var text: String {
    let parts = items.prefix(Self.itemLimit).map(\.part)
    return "\(parts.count)#" + parts.joined(separator: "#")
  }

  /// The form that is posted to the client's callback address: one field, `INCOMING`.
  package var pushBody: [UInt8] {
    var body = Array("INCOMING=".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    for octet in text.utf8 {
      if octet.isDigit || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet) || octet == 0x2D {
        body.append(octet)
      } else {
        body += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
      }
    }
    return body
  }

  /// Reads an envelope; nil when its count is wrong or one of its parts can not be read.
  package init?(reading text: some StringProtocol) {
    let pieces = text.split(separator: "#", maxSplits: Self.itemLimit + 1, omittingEmptySubsequences: false)
    guard pieces.count >= 2, pieces[0].utf8.count <= 3, pieces[0].utf8.allSatisfy(\.isDigit),
      let count = Int(pieces[0]), count <= Self.itemLimit
    else { return nil }
    var parts = pieces.dropFirst()
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count == count else { return nil }
    var items: [Item] = []
    for part in parts {
      guard let item = Item(part: Substring(part)) else { return nil }
      items.append(item)
    }
    self.items = items
  }
}
