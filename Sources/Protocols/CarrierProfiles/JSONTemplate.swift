/// A JSON body: what stands in the profile, with the slots in its strings filled.
indirect enum JSONTemplate: Sendable {
  /// A number, true, false or null as it is written.
  case literal([UInt8])
  case string(Template)
  /// `{ $number: "{validity.minutes}" }`.
  case number(Template)
  case array([JSONTemplate])
  case object([(name: String, value: JSONTemplate)])
  /// `{ $choose: [{ when: "flash", value: … }, …] }`: the first whose condition holds and whose slots have something.
  case choose([(condition: Condition?, value: JSONTemplate)])

  /// Appends the value; false, with `output` as it was, when there is none. An object leaves such members out, an
  /// array such elements.
  func render(_ values: SlotValues, to output: inout [UInt8]) -> Bool {
    let start = output.count
    switch self {
    case .literal(let octets):
      output += octets
      return true
    case .string(let template):
      output.append(UInt8(ascii: "\""))
      guard template.render(values, in: .json, to: &output) else { break }
      output.append(UInt8(ascii: "\""))
      return true
    case .number(let template):
      guard template.render(values, in: .plain, to: &output), Self.isNumber(output[start...]) else { break }
      return true
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for element in elements {
        let mark = output.count
        if mark > start + 1 { output.append(UInt8(ascii: ",")) }
        if !element.render(values, to: &output) { output.removeLast(output.count - mark) }
      }
      output.append(UInt8(ascii: "]"))
      return true
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (name, value) in members {
        let mark = output.count
        if mark > start + 1 { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "\""))
        var name = name
        name.withUTF8 { Place.json.append($0, to: &output) }
        output += "\":".utf8
        if !value.render(values, to: &output) { output.removeLast(output.count - mark) }
      }
      output.append(UInt8(ascii: "}"))
      return true
    case .choose(let choices):
      for (condition, value) in choices where condition?.holds(for: values) ?? true {
        if value.render(values, to: &output) { return true }
      }
    }
    output.removeLast(output.count - start)
    return false
  }

  /// Whole numbers of at most 18 digits, which no reader rounds or refuses.
  private static func isNumber(_ octets: ArraySlice<UInt8>) -> Bool {
    let digits = octets.first == UInt8(ascii: "-") ? octets.dropFirst() : octets
    return (1...18).contains(digits.count) && digits.allSatisfy(\.isDigit)
      && (digits.first != 0x30 || digits.count == 1)
  }
}
