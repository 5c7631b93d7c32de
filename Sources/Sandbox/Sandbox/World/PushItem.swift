import Contract
import HTTPSMS
import SMSGlobal

/// Something that a carrier tells its client: a receipt or an incoming message.
struct PushItem: Sendable {
  enum Content: Sendable, Equatable {
    case httpsms(IncomingEnvelope.Item)
    case receipt(SMSGlobalReceipt)
    case message(SMSGlobalIncoming)
  }

  var content: Content
  var phone: PhoneNumber
  /// The answer that waits until this has been told.
  var awaitedBy: UInt64?
  /// How often its retries have ended without success.
  var failures = 0

  var isReceipt: Bool {
    switch content {
    case .httpsms(.receipt), .receipt: true
    case .httpsms(.message), .message: false
    }
  }

  /// HTTPSMS tells many things in one call, SMSGlobal one.
  var goesWithOthers: Bool {
    if case .httpsms = content { true } else { false }
  }
}

/// One call to the client.
struct Push: Sendable {
  var lane: Int
  var url: String
  var items: [PushItem]

  /// The form that is posted.
  var body: [UInt8] {
    switch items.first?.content {
    case .receipt(let receipt): return FormEncoding.body(receipt.fields)
    case .message(let message): return FormEncoding.body(message.fields)
    case .httpsms, nil:
      return IncomingEnvelope(
        items.compactMap { if case .httpsms(let item) = $0.content { item } else { nil } }
      ).pushBody
    }
  }

  /// Whether the client has taken it: status 200, and for SMSGlobal the word `OK`.
  func isAcknowledged(status: Int, body: [UInt8]) -> Bool {
    switch items.first?.content {
    case .receipt, .message: (200...299).contains(status) && body.starts(with: SMSGlobalReceipt.acknowledgement.utf8)
    case .httpsms, nil: status == 200
    }
  }
}

enum FormEncoding {
  /// `application/x-www-form-urlencoded` (WHATWG URL section 5.2).
  static func body(_ fields: [(String, String)]) -> [UInt8] {
    var body: [UInt8] = []
    for (name, value) in fields {
      if !body.isEmpty { body.append(UInt8(ascii: "&")) }
      append(name, to: &body)
      body.append(UInt8(ascii: "="))
      append(value, to: &body)
    }
    return body
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func append(_ text: String, to body: inout [UInt8]) {
    for octet in text.utf8 {
      switch octet {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "*"):
        body.append(octet)
      case 0x20: body.append(UInt8(ascii: "+"))
      default: body += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
      }
    }
  }
}
