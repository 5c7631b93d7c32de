/// An incoming message as the carrier hands it to the client's address, by GET or POST.
package struct SMSGlobalIncoming: Sendable, Equatable {
  package var to: String
  package var from: String
  package var text: String
  /// What the message that is answered here had as `userfield`.
  package var userfield: String?
  package var date: SMSGlobalTime

  package init(to: String, from: String, text: String, userfield: String?, date: SMSGlobalTime) {
    self.to = to
    self.from = from
    self.text = text
    self.userfield = userfield
    self.date = date
  }

  package var fields: [(String, String)] {
    [("to", to), ("from", from), ("msg", text), ("userfield", userfield ?? ""), ("date", date.text)]
  }

  /// nil when a field is missing or is not what it should be.
  package init?(fields: [(String, [UInt8])]) {
    let values = Dictionary(fields.map { ($0, String(decoding: $1, as: UTF8.self)) }) { $1 }
    guard let to = values["to"], !to.isEmpty, let from = values["from"], !from.isEmpty, let text = values["msg"],
      let date = values["date"].flatMap({ SMSGlobalTime($0) })
    else { return nil }
    let userfield = values["userfield"].flatMap { $0.isEmpty ? nil : $0 }
    self.init(to: to, from: from, text: text, userfield: userfield, date: date)
  }
}

/// A receipt as the carrier hands it to the client's address. The script there must print `OK`.
package struct SMSGlobalReceipt: Sendable, Equatable {
  package enum Status: String, Sendable, CaseIterable {
    case delivered = "DELIVRD"
    case expired = "EXPIRED"
    case undeliverable = "UNDELIV"
  }

  package var messageID: UInt64
  package var status: Status
  /// `dlr_err`: `000` when all is well.
  package var error: String
  package var done: SMSGlobalTime

  package init(messageID: UInt64, status: Status, error: String = "000", done: SMSGlobalTime) {
    self.messageID = messageID
    self.status = status
    self.error = error
    self.done = done
  }

  package var fields: [(String, String)] {
    let id = String(messageID)
    return [
      ("msgid", String(repeating: "0", count: max(0, 16 - id.utf8.count)) + id), ("dlrstatus", status.rawValue),
      ("dlr_err", error), ("donedate", done.minutes),
    ]
  }

  /// nil when a field is missing or is not what it should be.
  package init?(fields: [(String, [UInt8])]) {
    let values = Dictionary(fields.map { ($0, String(decoding: $1, as: UTF8.self)) }) { $1 }
    guard let id = values["msgid"], !id.isEmpty, id.utf8.allSatisfy(\.isDigit), let messageID = UInt64(id),
      let status = values["dlrstatus"].flatMap(Status.init),
      let done = values["donedate"].flatMap({ SMSGlobalTime(minutes: $0) })
    else { return nil }
    self.init(messageID: messageID, status: status, error: values["dlr_err"] ?? "000", done: done)
  }

  /// What the script must print.
  package static let acknowledgement = "OK"
}
