import Contract

extension HTTPSMSSubmit {
  /// Reads a form's fields: names and values after url-decoding, as octets, since Latin-1 and GSM octets are legal.
  ///
  /// Names are case-sensitive. Unknown names are left alone, doubled known ones refused.
  package init(fields: [(String, [UInt8])]) throws(HTTPSMSRefusal) {
    let form = try Form(fields)

    guard let systemName = try form.ascii("S") else { throw .missing("S") }
    guard let system = System(rawValue: systemName) else { throw .wrong("S", "is not a system type") }
    guard let user = form.text("UN") else { throw .missing("UN") }
    guard let password = form.text("P") else { throw .missing("P") }
    guard let destinations = try form.ascii("DA") else { throw .missing("DA") }
    guard let source = form.values["SA"] else { throw .missing("SA") }
    guard let message = form.values["M"] else { throw .missing("M") }

    self.system = system
    self.user = user
    self.password = password
    (self.source, sourceType) = try Self.source(source, type: form.number("ST"))
    coding = try form.choice("DC") ?? .normal
    receipts = try form.choice("DR") ?? .none
    reference = try Self.reference(form.ascii("UR"))
    validityMinutes = try Self.validity(form)
    notBefore = try form.epoch("DU")
    localTime = try form.epoch("LT")
    (content, parts) = try Self.content(message, header: form.ascii("UD"), coding: coding)
    self.destinations = try Self.destinations(destinations)
    guard !user.isEmpty, !password.isEmpty else {
      throw HTTPSMSRefusal(.badLogin, "UN and P must not be empty.")
    }
  }

  private static func destinations(_ list: String) throws(HTTPSMSRefusal) -> [Destination] {
    let entries = list.split(separator: ",", omittingEmptySubsequences: false)
    guard entries.count <= destinationLimit else { throw .wrong("DA", "has more than 10 numbers") }
    let destinations = entries.map { Destination(number: number(in: $0)) }
    guard destinations.contains(where: { $0.number != nil }) else {
      throw HTTPSMSRefusal(.destination, "DA has no international number.")
    }
    return destinations
  }

  /// A `+` is tolerated: before it was decoded it may have been one, and is then a space.
  private static func number(in entry: Substring) -> String? {
    var digits = entry.drop { $0 == " " }
    while digits.last == " " { digits.removeLast() }
    if digits.first == "+" { digits.removeFirst() }
    guard (7...15).contains(digits.utf8.count), digits.first != "0", digits.utf8.allSatisfy(\.isDigit) else {
      return nil
    }
    return String(digits)
  }

  private static func source(
    _ octets: [UInt8], type: Int?
  ) throws(HTTPSMSRefusal) -> (String, SourceType) {
    var octets = octets[...]
    while octets.first == 0x20 { octets.removeFirst() }
    while octets.last == 0x20 { octets.removeLast() }
    if octets.first == UInt8(ascii: "+") { octets.removeFirst() }
    guard !octets.isEmpty else { throw .wrong("SA", "is empty") }
    let digits = octets.allSatisfy(\.isDigit)
    guard octets.count <= (digits ? 16 : 11) else {
      throw .wrong("SA", "is longer than 16 digits or 11 letters")
    }
    guard octets.allSatisfy({ $0 >= 0x20 && !(0x7F..<0xA0).contains($0) }) else {
      throw .wrong("SA", "has control characters")
    }
    let text = String(latin1: octets)
    guard let type else {
      return (text, !digits ? .alphanumeric : octets.count < 7 || octets.first == 0x30 ? .national : .international)
    }
    guard let sourceType = SourceType(rawValue: type) else { throw .wrong("ST", "is not 0, 1 or 5") }
    guard digits || sourceType == .alphanumeric else { throw .wrong("ST", "says a number and SA is none") }
    guard sourceType != .alphanumeric || octets.count <= 11 else {
      throw .wrong("SA", "is longer than 11 characters")
    }
    return (text, sourceType)
  }

  private static func reference(_ text: String?) throws(HTTPSMSRefusal) -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard isReference(text) else {
      throw .wrong("UR", "is longer than 16 characters or has others than letters, digits, _ and -")
    }
    return text
  }

  /// Whether `text` may stand as `UR`.
  package static func isReference(_ text: String) -> Bool {
    (1...16).contains(text.utf8.count)
      && text.utf8.allSatisfy { octet in
        octet.isDigit || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet) || octet == 0x5F
          || octet == 0x2D
      }
  }

  private static func validity(_ form: Form) throws(HTTPSMSRefusal) -> Int {
    let named = try form.number("V")
    let misnamed = try form.number("VP")
    guard let minutes = named ?? misnamed else { return defaultValidityMinutes }
    guard (1...validityLimit).contains(minutes) else { throw .wrong("V", "is not between 1 and 10080 minutes") }
    return minutes
  }
}

/// The known fields by name.
private struct Form {
  var values: [String: [UInt8]] = [:]

  private static let names: Set<String> = [
    "S", "UN", "P", "DA", "SA", "M", "ST", "DC", "DR", "UR", "V", "VP", "UD", "DU", "LT",
  ]

  init(_ fields: [(String, [UInt8])]) throws(HTTPSMSRefusal) {
    for (name, value) in fields where Self.names.contains(name) {
      guard values.updateValue(value, forKey: name) == nil else { throw .wrong(name, "is there twice") }
    }
  }

  func text(_ name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }

  func ascii(_ name: String) throws(HTTPSMSRefusal) -> String? {
    guard let octets = values[name] else { return nil }
    guard octets.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .wrong(name, "has characters beyond ASCII") }
    return String(decoding: octets, as: UTF8.self)
  }

  /// nil when the field is missing or empty.
  func number(_ name: String) throws(HTTPSMSRefusal) -> Int? {
    guard let text = try ascii(name), !text.isEmpty else { return nil }
    guard text.utf8.count <= 10, text.utf8.allSatisfy(\.isDigit), let number = Int(text) else {
      throw .wrong(name, "is not a number")
    }
    return number
  }

  func choice<Choice: RawRepresentable<Int>>(_ name: String) throws(HTTPSMSRefusal) -> Choice? {
    guard let number = try number(name) else { return nil }
    guard let choice = Choice(rawValue: number) else { throw .wrong(name, "has a value that means nothing") }
    return choice
  }

  /// Seconds since 1970 in 10 digits.
  func epoch(_ name: String) throws(HTTPSMSRefusal) -> Instant? {
    guard let seconds = try number(name) else { return nil }
    guard values[name]?.count == 10 else { throw .wrong(name, "is not a time of 10 digits") }
    return Instant(milliseconds: Int64(seconds) * 1000)
  }
}

extension HTTPSMSRefusal {
  static func missing(_ name: String) -> HTTPSMSRefusal { HTTPSMSRefusal(.badRequest, "\(name) is missing.") }

  static func wrong(_ name: String, _ what: String) -> HTTPSMSRefusal {
    HTTPSMSRefusal(.badRequest, "\(name) \(what).")
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
