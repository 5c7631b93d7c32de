/// The value of `text`: UTF-8, url-encoded once by HTTP and, by some clients, twice more.
///
/// The vendor's page asks that text beyond Latin is url-encoded three times, and one client does it. Others encode once.
/// So further layers are taken off only where nothing else can be meant: the value has nothing but what url-encoding
/// leaves, and under it stands UTF-8 with characters beyond ASCII. `100%25` stays as it was written.
enum SMSGlobalText {
  static func decode(_ octets: [UInt8], charset: String?) -> String {
    var layer = octets
    for _ in 0..<2 {
      guard let under = decodedLayer(layer) else { break }
      if under.contains(where: { $0 >= 0x80 }) {
        if let text = String(validating: under, as: UTF8.self) { return text }
        break
      }
      layer = under
    }
    if isLatin(charset) { return latin(octets) }
    return String(validating: octets, as: UTF8.self) ?? latin(octets)
  }

  /// One layer less; nil when the octets are not what url-encoding makes, or have nothing encoded.
  private static func decodedLayer(_ octets: [UInt8]) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(octets.count)
    var escapes = 0
    var index = 0
    while index < octets.count {
      let octet = octets[index]
      if octet == UInt8(ascii: "%") {
        guard index + 2 < octets.count, let high = nibble(octets[index + 1]), let low = nibble(octets[index + 2]) else {
          return nil
        }
        decoded.append(high << 4 | low)
        escapes += 1
        index += 3
        continue
      }
      guard isUnreserved(octet) || octet == UInt8(ascii: "+") else { return nil }
      decoded.append(octet == UInt8(ascii: "+") ? 0x20 : octet)
      index += 1
    }
    return escapes > 0 ? decoded : nil
  }

  /// RFC 3986 section 2.3, and the characters that older encoders leave as they are.
  private static func isUnreserved(_ octet: UInt8) -> Bool {
    octet.isDigit || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet) || "-._~*".utf8.contains(octet)
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  private static func isLatin(_ charset: String?) -> Bool {
    guard let name = charset?.lowercased() else { return false }
    return name == "iso-8859-1" || name == "latin1" || name == "latin-1"
  }

  private static func latin(_ octets: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for octet in octets { text.append(Unicode.Scalar(octet)) }
    return String(text)
  }
}
