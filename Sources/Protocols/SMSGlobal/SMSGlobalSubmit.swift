/// A message that a client hands to `/http-api.php` with `action=sendsms`.
package struct SMSGlobalSubmit: Sendable, Equatable {
  package var user: String
  package var password: String
  /// A number without `+`, or up to 11 letters and digits.
  package var from: String
  /// In the order of `to`; nil for an entry that is no international number, which is answered with code 11.
  package var to: [String?]
  package var text: String
  /// `maxsplit`: the parts that the client pays for; a longer text is refused with code 1.
  package var partLimit: Int
  /// `scheduledatetime`, in the account's zone.
  package var scheduled: SMSGlobalTime?
  /// `api`: a shared number as the sender, so that answers come back.
  package var wantsReplies: Bool
  /// `userfield`, which comes back with an answer.
  package var userfield: String?
  /// `optout`: leave out numbers that want no messages.
  package var honoursOptOut: Bool
  /// `apireply`: answers go to the account's e-mail address.
  package var repliesByMail: Bool

  package static let recipientLimit = 1000
  package static let userfieldLimit = 255

  /// Reads a form's fields: names and values after url-decoding.
  ///
  /// As in the PHP script that the address names, the last of several fields with one name counts, and unknown ones do
  /// not. Parameters are looked at in the order in which the vendor's page has them.
  package init(fields: [(String, [UInt8])]) throws(SMSGlobalRefusal) {
    var values: [String: [UInt8]] = [:]
    for (name, value) in fields { values[name.lowercased()] = value }
    func given(_ name: String) throws(SMSGlobalRefusal) -> [UInt8] {
      guard let value = values[name], !value.isEmpty else { throw .missing(name) }
      return value
    }
    func flag(_ name: String) -> Bool { values[name] == [UInt8(ascii: "1")] }

    guard let action = values["action"], !action.isEmpty else { throw .noAction }
    guard action.elementsEqual("sendsms".utf8) else { throw .invalid("action") }
    user = String(decoding: try given("user"), as: UTF8.self)
    password = String(decoding: try given("password"), as: UTF8.self)
    from = try Self.source(given("from"))
    to = try Self.destinations(given("to"))
    let charset = (values["clientcharset"] ?? values["client_charset"]).map { String(decoding: $0, as: UTF8.self) }
    text = SMSGlobalText.decode(try given("text"), charset: charset)
    partLimit = try Self.partLimit(values["maxsplit"] ?? [])
    scheduled = try Self.time(values["scheduledatetime"] ?? [])
    wantsReplies = flag("api")
    honoursOptOut = flag("optout")
    repliesByMail = flag("apireply")
    let userfield = String(decoding: values["userfield"] ?? [], as: UTF8.self)
    guard userfield.unicodeScalars.count <= Self.userfieldLimit else { throw .invalid("userfield") }
    self.userfield = userfield.isEmpty ? nil : userfield
  }

  private static func source(_ octets: [UInt8]) throws(SMSGlobalRefusal) -> String {
    var octets = octets.drop { $0 == 0x20 || $0 == UInt8(ascii: "+") }
    while octets.last == 0x20 { octets.removeLast() }
    let isNumber = octets.allSatisfy(\.isDigit)
    guard !octets.isEmpty, octets.count <= (isNumber ? 16 : 11), octets.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      throw .code(.badSource)
    }
    return String(decoding: octets, as: UTF8.self)
  }

  private static func destinations(_ octets: [UInt8]) throws(SMSGlobalRefusal) -> [String?] {
    let entries = octets.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard entries.count <= recipientLimit else { throw .invalid("to") }
    let numbers = entries.map { entry -> String? in
      var digits = entry.drop { $0 == 0x20 || $0 == UInt8(ascii: "+") }
      while digits.last == 0x20 { digits.removeLast() }
      guard (7...15).contains(digits.count), digits.first != 0x30, digits.allSatisfy(\.isDigit) else { return nil }
      return String(decoding: digits, as: UTF8.self)
    }
    guard numbers.contains(where: { $0 != nil }) else { throw .code(.badDestination) }
    return numbers
  }

  private static func partLimit(_ octets: [UInt8]) throws(SMSGlobalRefusal) -> Int {
    if octets.isEmpty { return 1 }
    guard octets.count <= 3, octets.allSatisfy(\.isDigit), let limit = Int(String(decoding: octets, as: UTF8.self)),
      (1...255).contains(limit)
    else { throw .invalid("maxsplit") }
    return limit
  }

  private static func time(_ octets: [UInt8]) throws(SMSGlobalRefusal) -> SMSGlobalTime? {
    if octets.isEmpty { return nil }
    guard let time = SMSGlobalTime(String(decoding: octets, as: UTF8.self)) else { throw .invalid("scheduledatetime") }
    return time
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
