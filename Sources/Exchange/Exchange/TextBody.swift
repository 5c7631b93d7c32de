import Contract
import Formats
package import GSMText

/// What a text message carries: the typed body of a delivery on the SMS channel.
package struct TextBody: Sendable, Equatable {
  package var text: String
  /// The sender that was asked for; nil leaves it to the carrier.
  package var sender: String?
  package var encoding: TextEncoding
  package var flash: Bool

  package init(text: String, sender: String?, encoding: TextEncoding, flash: Bool = false) {
    self.text = text
    self.sender = sender
    self.encoding = encoding
    self.flash = flash
  }

  /// The stored form.
  package var bytes: [UInt8] {
    JSONWriter.object { json in
      json.field("text", text)
      if let sender { json.field("from", sender) }
      json.field("encoding", encoding.rawValue)
      if flash { json.field("flash", true) }
    }
  }

  /// Reads the stored form; nil where it is none (an erased body).
  package init?(bytes: [UInt8]) {
    guard let value = try? JSON.parse(bytes), let text = value["text"]?.string,
      let encoding = value["encoding"]?.string.flatMap(TextEncoding.init(rawValue:))
    else { return nil }
    self.init(
      text: text, sender: value["from"]?.string, encoding: encoding, flash: value["flash"]?.bool ?? false)
  }
}
