/// The answer to a submission: `OK id[ id…][ UR:reference]` or `ERR code`.
package enum HTTPSMSAnswer: Sendable, Equatable {
  /// What became of one number, in the order of `DA`.
  package enum Result: Sendable, Equatable {
    case id(UInt64)
    /// `.destination` or `.system`; the other codes never stand in place of an id.
    case failed(HTTPSMSError)
  }

  case accepted([Result], reference: String?)
  case refused(HTTPSMSError)

  package var status: Int {
    switch self {
    case .accepted: 200
    case .refused(let code): code.status
    }
  }

  /// One line without a line end and without a space at its end.
  package var body: String {
    switch self {
    case .refused(let code):
      return "ERR \(code.rawValue)"
    case .accepted(let results, let reference):
      var body = "OK"
      for result in results {
        switch result {
        case .id(let id): body += " \(id)"
        case .failed(let code): body += " \(code.rawValue)"
        }
      }
      if let reference { body += " UR:\(reference)" }
      return body
    }
  }

  /// Reads an answer's content, which rules over its status; nil for anything that does not have the exact form.
  package init?(reading body: some StringProtocol) {
    let words = body.split(separator: " ", omittingEmptySubsequences: false)
    guard let first = words.first else { return nil }
    if first == "ERR" {
      guard words.count == 2, let number = Int(words[1]), let code = HTTPSMSError(rawValue: number) else { return nil }
      self = .refused(code)
      return
    }
    guard first == "OK" else { return nil }
    var rest = words.dropFirst()
    var reference: String?
    if let last = rest.last, last.hasPrefix("UR:") {
      reference = String(last.dropFirst(3))
      rest = rest.dropLast()
    }
    var results: [Result] = []
    for word in rest {
      if word == "-15" {
        results.append(.failed(.destination))
      } else if word == "-20" {
        results.append(.failed(.system))
      } else if word.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let id = UInt64(word), id > 0 {
        results.append(.id(id))
      } else {
        return nil
      }
    }
    guard !results.isEmpty else { return nil }
    self = .accepted(results, reference: reference)
  }
}
