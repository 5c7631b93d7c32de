package import Contract

/// What a carrier sends to our callback address.
package struct Callback: Sendable {
  package var method: String
  /// The fields of the query and of a form in the body, decoded, in their order.
  package var fields: [FormField]
  package var body: [UInt8]

  package init(method: String, fields: [FormField] = [], body: [UInt8] = []) {
    self.method = method
    self.fields = fields
    self.body = body
  }

  /// Takes the request apart: `query` is what stands behind `?`, still encoded.
  package init(method: String, query: [UInt8], contentType: String?, body: [UInt8]) {
    var fields = FormField.decode(query)
    let isForm = contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    if isForm { fields += FormField.decode(body) }
    self.init(method: method, fields: fields, body: body)
  }
}

/// What a callback or the answer to a poll says, and what to answer to it.
package struct CallbackReading: Sendable, Equatable {
  package var receipts: [Receipt] = []
  package var inbound: [InboundText] = []
  /// Records that no rule of the profile reads, shortened; to be kept for a person to look at.
  package var unread: [String] = []
  /// Why the call was not understood, or not as a whole; nil when all is well. What was read of it counts, and the
  /// answer asks the carrier to send it again.
  package var refusal: String?
  /// What to send back to a callback, once what was read is written down.
  package var answer: CallbackAnswer
  /// Whether the carrier probably has more: a poll should be repeated at once.
  package var mayHaveMore = false

  package init(answer: CallbackAnswer) { self.answer = answer }
}

package struct CallbackAnswer: Sendable, Equatable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]

  package init(status: Int, contentType: String = "text/plain; charset=utf-8", body: [UInt8] = []) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}

/// What became of a message that the carrier took.
package struct Receipt: Sendable, Equatable {
  package enum Status: String, Sendable, CaseIterable {
    case delivered
    /// Still on its way: the phone is off or full, and the carrier tries again.
    case buffered
    case failed
    case expired
    case rejected
    /// The carrier does not know, or says something that the profile does not know.
    case unknown
  }

  /// As `SubmitOutcome.accepted` has it.
  package var carrierID: String
  package var status: Status
  /// The carrier's own code for the reason.
  package var code: String?
  /// What it says to a person.
  package var sentence: String
  /// The reference of the submission, from carriers that return it.
  package var reference: String?
  /// The carrier's time; nil where it gives none, or one that can not be.
  package var at: Instant?
  /// The record as it came, shortened.
  package var raw: String
}

/// A text message that came in.
package struct InboundText: Sendable, Equatable {
  /// The carrier's id, where it gives one.
  package var carrierID: String?
  /// The same for the same message when it comes twice, and another one for every other message of this carrier.
  ///
  /// From the carrier's id where there is one. Else from all that it sends of the message, its time included, and from
  /// its place among equal ones in one call.
  package var identity: String
  /// As given: digits mostly, a name at times.
  package var from: String
  /// As given; empty where the carrier does not say.
  package var to: String
  package var content: InboundContent
  /// What the message that is answered had as its reference.
  package var reference: String?
  package var at: Instant?
  /// Set for one part of a long message, of which `text` alone may have damaged ends: join the contents of all parts.
  package var part: InboundPart?
  /// The record as it came, shortened.
  package var raw: String

  /// What was written; for binary content, its octets in hexadecimal digits.
  package var text: String { content.text }
}

/// Which part of which long message: 3GPP TS 23.040 clause 9.2.3.24.
package struct InboundPart: Sendable, Equatable {
  package var reference: Int
  package var total: Int
  /// 1 for the first.
  package var number: Int

  package init(reference: Int, total: Int, number: Int) {
    self.reference = reference
    self.total = total
    self.number = number
  }
}
