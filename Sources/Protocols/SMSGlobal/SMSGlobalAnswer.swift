/// The answer of `/http-api.php`: text, always with HTTP status 200, a record for each recipient.
///
/// Clients disagree on what stands between the two ids. A line feed there and CRLF behind each record is read by all of
/// them: some want the second at the beginning of a line, some split records at CRLF, some only search.
package enum SMSGlobalAnswer: Sendable, Equatable {
  package enum Result: Sendable, Equatable {
    /// The queue's id is written as 16 hexadecimal digits, the message's, which receipts name, as 16 decimal ones.
    case sent(queueID: UInt64, messageID: UInt64)
    case failed(code: Int)
  }

  case sent([Result])
  /// Kept until its time. One id for each recipient.
  case delayed([UInt64])
  /// What stands after `ERROR: `.
  case refused(String)

  package init(_ refusal: SMSGlobalRefusal) { self = .refused(refusal.text) }

  package var body: String {
    switch self {
    case .refused(let text): "ERROR: \(text)\r\n"
    case .delayed(let ids): ids.map { "SMSGLOBAL DELAY MSGID:\(digits($0, width: 8))\r\n" }.joined()
    case .sent(let results): results.map(Self.record).joined()
    }
  }

  private static func record(_ result: Result) -> String {
    switch result {
    case .sent(let queueID, let messageID):
      let hex = String(queueID, radix: 16)
      let zeros = String(repeating: "0", count: 16 - hex.utf8.count)
      return "OK: 0; Sent queued message ID: \(zeros)\(hex)\nSMSGlobalMsgID:\(digits(messageID, width: 16))\r\n"
    case .failed(let code):
      return "ERROR: \(code) SMSGlobalMsgID:\r\n"
    }
  }

  /// Reads an answer with any white space between the tokens; nil for anything that has not the form.
  package init?(reading body: some StringProtocol) {
    var results: [Result] = []
    var delayed: [UInt64] = []
    var words = String(body).split(omittingEmptySubsequences: true) { $0.isWhitespace }.map(String.init)[...]
    guard words.count <= 16_000 else { return nil }
    func take(_ expected: String...) -> Bool {
      guard words.starts(with: expected) else { return false }
      words.removeFirst(expected.count)
      return true
    }
    while !words.isEmpty {
      if take("OK:", "0;", "Sent", "queued", "message", "ID:") {
        guard let queue = words.popFirst(), queue.utf8.count == 16, let queueID = UInt64(queue, radix: 16),
          let message = words.popFirst(), let messageID = Self.number(message, after: "SMSGlobalMsgID:")
        else { return nil }
        results.append(.sent(queueID: queueID, messageID: messageID))
      } else if take("SMSGLOBAL", "DELAY") {
        guard let message = words.popFirst(), let id = Self.number(message, after: "MSGID:") else { return nil }
        delayed.append(id)
      } else if take("ERROR:") {
        if words.count >= 2, let code = Int(words[words.startIndex]),
          words[words.startIndex + 1] == "SMSGlobalMsgID:"
        {
          words.removeFirst(2)
          results.append(.failed(code: code))
        } else {
          guard results.isEmpty, delayed.isEmpty, !words.isEmpty else { return nil }
          self = .refused(words.joined(separator: " "))
          return
        }
      } else {
        return nil
      }
    }
    if delayed.isEmpty, !results.isEmpty {
      self = .sent(results)
    } else if results.isEmpty, !delayed.isEmpty {
      self = .delayed(delayed)
    } else {
      return nil
    }
  }

  private static func number(_ word: String, after prefix: String) -> UInt64? {
    guard word.hasPrefix(prefix) else { return nil }
    let digits = word.dropFirst(prefix.count)
    return digits.utf8.allSatisfy(\.isDigit) ? UInt64(digits) : nil
  }
}

/// Decimal digits with zeros before them.
private func digits(_ number: UInt64, width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
