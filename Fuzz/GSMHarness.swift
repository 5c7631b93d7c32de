import GSMText

/// The GSM alphabet, septets, headers, and the cutting of texts.
enum GSMHarness {
  static func run(_ input: [UInt8]) {
    septets(input)
    ucs2(input)
    header(input)
    // Differences between equal texts count here, so the octets are compared.
    var seen: Set<[UInt8]> = []
    for text in [String(decoding: input, as: UTF8.self), UCS2.decode(input), GSMAlphabet.decode(input)] {
      if seen.insert(Array(text.utf8)).inserted { plan(text) }
    }
  }

  private static func septets(_ input: [UInt8]) {
    let text = GSMAlphabet.decode(input)
    require(text.unicodeScalars.count <= input.count, "more characters than septets")
    if input.allSatisfy({ $0 < 0x80 }) {
      let again = GSMAlphabet.septets(for: text)
      require(again.map { GSMAlphabet.decode($0) == text } ?? false, "a text of the alphabet does not fit it")
    }
    if let septets = GSMAlphabet.septets(for: String(decoding: input, as: UTF8.self)) {
      let back = GSMAlphabet.decode(septets)
      require(Array(back.utf8) == input, "what fits the alphabet comes back as something else")
    }
    for fill in 0...6 {
      let unpacked = Septets.unpacked(input, fillBits: fill)
      require(unpacked.allSatisfy { $0 < 0x80 } && unpacked.count <= input.count * 8 / 7, "septets that can not be")
      let packed = Septets.packed(unpacked, fillBits: fill)
      require(Septets.unpacked(packed, count: unpacked.count, fillBits: fill) == unpacked, "packing changes septets")
      let limited = Septets.unpacked(input, count: fill * 3, fillBits: fill)
      require(limited.count <= fill * 3, "more septets than were asked for")
      // A reader without a count adds nothing to what USSD's padding marks.
      let padded = Septets.packed(unpacked, fillBits: fill, paddedWithReturn: true)
      require(Septets.unpacked(padded, fillBits: fill).starts(with: unpacked), "padding changes septets")
    }
  }

  private static func ucs2(_ input: [UInt8]) {
    let text = UCS2.decode(input)
    let octets = UCS2.encode(text)
    require(UCS2.decode(octets) == text && octets.count <= input.count + 1, "UTF-16 comes back as something else")
    if !text.unicodeScalars.contains("\u{FFFD}") { require(octets == input, "good UTF-16 is not kept") }
  }

  private static func header(_ input: [UInt8]) {
    guard let (header, body) = UserDataHeader.parse(input) else { return }
    guard let octets = header.octets else { return require(false, "a header that was read can not be written") }
    require(octets + body == input, "a header comes back as something else")
    _ = (header.singleShiftLanguage, header.lockingShiftLanguage)
    let length = octets.count
    let fill = Septets.fillBits(afterHeaderOctets: length)
    require((length * 8 + fill) % 7 == 0, "the text does not begin at a septet")
    require(Septets.septets(forHeaderOctets: length) * 7 == length * 8 + fill, "the header takes other septets")
    guard let part = header.concatenation else { return }
    require(part.sequence >= 1 && part.sequence <= part.total, "a part that can not be")
    require(UserDataHeader(part).concatenation == part, "a part comes back as something else")
  }

  // MARK: Texts

  private static let tight = PartLimits(gsm7Single: 9, gsm7Part: 5, ucs2Single: 5, ucs2Part: 3)

  private static func plan(_ text: String) {
    plan(text, nil, .reference8)
    var random = Repeatable(Array(text.utf8))
    let limits = [.reference16, .reference8, tight].randomElement(using: &random) ?? tight
    plan(text, [nil, TextEncoding.gsm7, .ucs2].randomElement(using: &random) ?? nil, limits)
    let (replaced, count) = SmartReplacement.replaced(text)
    guard count > 0 else { return require(replaced == text, "a text changes though nothing is replaced") }
    let (before, after) = (TextPreview(text), TextPreview(replaced))
    require(after.encoding == .gsm7 && after.parts <= before.parts, "replacing does not pay")
  }

  private static func plan(_ text: String, _ encoding: TextEncoding?, _ limits: PartLimits) {
    let preview = TextPreview(text, encoding: encoding, limits: limits)
    let plan: TextPlan
    do throws(TextPlanError) {
      plan = try TextPlan(text, encoding: encoding, limits: limits, maximumParts: .max)
    } catch {
      require(encoding == .gsm7 && preview.encoding == .ucs2, "a text is refused for nothing")
      require(error.description.isOneLine && !preview.forcing.isEmpty, "a refusal without a reason")
      return
    }
    require(plan.preview == preview, "the preview is another one")
    require(plan.text == text && preview.split.joined() == text, "the parts are not the text")
    require(
      preview.split.joined().unicodeScalars.elementsEqual(plan.text.unicodeScalars), "the parts are not the plan's text"
    )
    let parts = plan.encodeParts()
    require(parts.count == plan.partCount && preview.parts == parts.count, "another number of parts")
    require(Array(parts.joined()) == plan.octets, "the octets of the parts are not those of the text")
    require(Reassembly.join(parts, as: plan.encoding) == text, "put together it is another text")
    let most = parts.count == 1 ? single(plan) : part(plan)
    for (octets, shown) in zip(parts, preview.split) {
      require(octets.count <= most * plan.encoding.octetsPerUnit, "a part is too long")
      require(!octets.isEmpty || text.isEmpty, "a part is empty")
      require(plan.encoding.decode(octets) == shown, "a part read alone is another text")
    }
    require(preview.unitsPerPart == most && preview.remaining >= 0, "more than a part has")
    require(preview.remaining == most - (parts.last?.count ?? 0) / plan.encoding.octetsPerUnit, "another remainder")
    require(preview.forcing.count <= TextPreview.forcingLimit, "a list without an end")
    require((plan.encoding == .gsm7) == (encoding != .ucs2 && preview.forcing.isEmpty), "the encoding has no reason")
  }

  private static func single(_ plan: TextPlan) -> Int {
    plan.encoding == .gsm7 ? plan.limits.gsm7Single : plan.limits.ucs2Single
  }

  private static func part(_ plan: TextPlan) -> Int {
    plan.encoding == .gsm7 ? plan.limits.gsm7Part : plan.limits.ucs2Part
  }
}
