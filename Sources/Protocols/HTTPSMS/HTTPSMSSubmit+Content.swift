import GSMText

extension HTTPSMSSubmit {
  /// Reads `M` by its coding, and counts the parts by the limits of the documentation's section "Concatenated Messages".
  static func content(
    _ message: [UInt8], header: String?, coding: Coding
  ) throws(HTTPSMSRefusal) -> (Content, parts: Int) {
    let header = header.flatMap { $0.isEmpty ? nil : $0 }
    guard header == nil || coding == .binary else { throw .wrong("UD", "goes with DC=2 only") }
    guard !message.isEmpty else { throw .wrong("M", "is empty") }
    switch coding {
    case .normal, .flash:
      return try gsm(message.flatMap { LatinText.septets[Int($0)] })
    case .gsm, .flashGSM:
      return try gsm(message.map { $0 < 0x80 ? $0 : 0x20 })
    case .ucs2, .flashUCS2:
      guard let octets = Hex.octets(message), octets.count.isMultiple(of: 2) else {
        throw .wrong("M", "is not UCS-2 in hexadecimal digits")
      }
      return (.ucs2(octets), try parts(octets.count, single: 140, several: 134))
    case .binary:
      guard let octets = Hex.octets(message) else { throw .wrong("M", "is not in hexadecimal digits") }
      guard let head = Hex.octets(Array((header ?? "").utf8)), head.isEmpty || Int(head[0]) == head.count - 1,
        head.count < 128
      else { throw .wrong("UD", "is no user data header in hexadecimal digits") }
      // A second part needs the concatenation element: in the header that is there, or in one of its own.
      let several = 140 - (head.isEmpty ? 6 : head.count + 5)
      return (.binary(octets, header: head), try parts(octets.count, single: 140 - head.count, several: several))
    }
  }

  private static func gsm(_ septets: [UInt8]) throws(HTTPSMSRefusal) -> (Content, parts: Int) {
    guard septets.count > 160 else { return (.gsm(septets), 1) }
    var parts = 1
    var room = 153
    var index = 0
    while index < septets.count {
      // An escape and its character stay together.
      let width = septets[index] == 0x1B && index + 1 < septets.count ? 2 : 1
      if width > room {
        parts += 1
        room = 153
      }
      room -= width
      index += width
    }
    guard parts <= partLimit else { throw .wrong("M", "is longer than 3 parts") }
    return (.gsm(septets), parts)
  }

  private static func parts(_ count: Int, single: Int, several: Int) throws(HTTPSMSRefusal) -> Int {
    if count <= single { return 1 }
    guard several > 0, count <= several * partLimit else { throw .wrong("M", "is longer than 3 parts") }
    return (count + several - 1) / several
  }
}

extension HTTPSMSSubmit.Content {
  /// What the phone shows; nil for binary messages.
  package var text: String? {
    switch self {
    case .gsm(let septets): GSMAlphabet.decode(septets)
    case .ucs2(let octets): UCS2.decode(octets)
    case .binary: nil
    }
  }
}
