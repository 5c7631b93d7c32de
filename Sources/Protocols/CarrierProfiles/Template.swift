/// Text with slots: `{to.digits}`. `{{` and `}}` stand for the braces themselves.
struct Template: Sendable {
  enum Segment: Sendable {
    case literal([UInt8])
    case slot(Slot)
  }

  let segments: [Segment]

  struct Problem: Error { var sentence: String }

  init(_ text: String) throws(Problem) {
    var segments: [Segment] = []
    var literal: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let octet = rest.popFirst() {
      switch octet {
      case UInt8(ascii: "{") where rest.first == octet, UInt8(ascii: "}") where rest.first == octet:
        literal.append(octet)
        rest.removeFirst()
      case UInt8(ascii: "{"):
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
          throw Problem(sentence: "A \"{\" has no \"}\". Write \"{{\" for the brace itself.")
        }
        let name = String(decoding: rest[..<end], as: UTF8.self)
        guard let slot = Slot(name: name) else {
          throw Problem(
            sentence: "{\(Shown.text(name, limit: 40))} is no slot. There are: "
              + Slot.names.keys.sorted().joined(separator: ", ") + ", settings.NAME.")
        }
        if !literal.isEmpty { segments.append(.literal(literal)) }
        literal = []
        segments.append(.slot(slot))
        rest = rest[(end + 1)...]
      case UInt8(ascii: "}"):
        throw Problem(sentence: "A \"}\" has no \"{\". Write \"}}\" for the brace itself.")
      default:
        literal.append(octet)
      }
    }
    if !literal.isEmpty { segments.append(.literal(literal)) }
    self.segments = segments
  }

  var slots: [Slot] {
    segments.compactMap { segment in
      if case .slot(let slot) = segment { slot } else { nil }
    }
  }

  /// Appends the template with every slot escaped for `place`; false, with `output` as it was, when a slot has nothing.
  func render(_ values: SlotValues, in place: Place, to output: inout [UInt8]) -> Bool {
    let start = output.count
    for segment in segments {
      switch segment {
      case .literal(let octets):
        place.appendLiteral(octets, to: &output)
      case .slot(let slot):
        guard values.with(slot, { place.append($0, to: &output) }) else {
          output.removeLast(output.count - start)
          return false
        }
      }
    }
    return true
  }
}

/// Where a template's result stands, which says how it is escaped.
enum Place: Sendable {
  /// In an address's path, or a name or value of a query or form: all but the unreserved characters of RFC 3986
  /// section 2.3 are url-encoded. A form reader takes `%20` as well as `+` for a space.
  case url
  /// In an address, for what a template itself says and for checked settings: as it is.
  case rawURL
  /// In a JSON string (RFC 8259 section 7).
  case json
  /// In a header's value: controls are url-encoded, so that no line can be added.
  case header
  /// In XML, as text or as an attribute's value.
  case xml
  /// Nothing to escape: what is put into base64 afterwards.
  case plain

  func appendLiteral(_ octets: [UInt8], to output: inout [UInt8]) {
    switch self {
    case .rawURL, .header, .xml, .plain: output += octets
    case .url, .json: octets.withUnsafeBufferPointer { append($0, to: &output) }
    }
  }

  func append(_ octets: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    switch self {
    case .plain, .rawURL: output += octets
    case .url:
      for octet in octets {
        if Self.unreserved[Int(octet)] { output.append(octet) } else { Self.appendEncoded(octet, to: &output) }
      }
    case .header:
      for octet in octets {
        if octet < 0x20 || octet == 0x7F { Self.appendEncoded(octet, to: &output) } else { output.append(octet) }
      }
    case .json: Self.appendJSON(octets, to: &output)
    case .xml: Self.appendXML(octets, to: &output)
    }
  }

  private static let unreserved: [Bool] = (0...255).map { code in
    let octet = UInt8(code)
    return octet.isDigit || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
      || "-._~".utf8.contains(octet)
  }

  private static func appendEncoded(_ octet: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "%"))
    output.append(Hex.digits[Int(octet >> 4)])
    output.append(Hex.digits[Int(octet & 15)])
  }

  private static func appendJSON(_ octets: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    for octet in octets {
      switch octet {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(octet)
      case 0x0A: output += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x0D: output += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case 0..<0x20, 0x7F:
        output += "\\u00".utf8
        output.append(Hex.digits[Int(octet >> 4)])
        output.append(Hex.digits[Int(octet & 15)])
      default: output.append(octet)
      }
    }
  }

  private static func appendXML(_ octets: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    for octet in octets {
      switch octet {
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "\""): output += "&quot;".utf8
      case UInt8(ascii: "'"): output += "&apos;".utf8
      case 0x09, 0x0A, 0x0D: output += "&#\(octet);".utf8
      // XML 1.0 has no way to write the other controls.
      case 0..<0x20: output.append(0x20)
      default: output.append(octet)
      }
    }
  }
}
