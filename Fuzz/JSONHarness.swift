import Contract
import Formats

/// JSON, JSON5, the writer, and the reader of objects.
enum JSONHarness {
  static func run(_ input: [UInt8]) {
    let strict = json(input)
    let lenient = json5(input)
    if let strict {
      require(lenient == strict, "JSON5 reads what is JSON as something else")
      require(written(strict) == strict, "a value changes when it is written")
    }
    if let lenient {
      let finite = lenient.finite
      require(written(finite) == finite, "a value changes when it is written")
      walk(lenient, depth: 0)
    }
    // Limits that are met.
    for depth in [0, 1, 3] {
      guard let value = try? JSON.parse(input, limits: JSON.Limits(bytes: 64, depth: depth)) else { continue }
      require(input.count <= 64 && value.depth <= depth && value == strict, "a limit does not hold")
    }
  }

  private static func json(_ input: [UInt8]) -> JSONValue? {
    do throws(JSONError) {
      let value = try JSON.parse(input)
      require(value.depth <= 64, "deeper than the limit")
      return value
    } catch {
      require(error.offset <= input.count && error.line >= 1 && error.column >= 1, "a place outside the text")
      require(error.description.isOneLine, "an error of several lines")
      return nil
    }
  }

  private static func json5(_ input: [UInt8]) -> JSONValue? {
    do throws(JSON5Error) {
      let value = try JSON5.parse(input, file: "f")
      require(value.depth <= 64, "deeper than the limit")
      return value
    } catch {
      require(error.position.line >= 1 && error.position.column >= 1, "a place outside the text")
      require(error.description.isOneLine && error.description.utf8.count < 600, "an error that can not be shown")
      return nil
    }
  }

  private static func written(_ value: JSONValue) -> JSONValue? {
    var writer = JSONWriter()
    writer.value(value)
    return try? JSON.parse(writer.bytes, limits: JSON.Limits(bytes: .max))
  }

  /// Asks every object in `value` for fields in every type.
  private static func walk(_ value: JSONValue, depth: Int) {
    guard depth < 6 else { return }
    for element in (value.array ?? []).prefix(8) { walk(element, depth: depth + 1) }
    guard let members = value.object else { return }
    for member in members.prefix(8) { walk(member.value, depth: depth + 1) }
    fields(value)
  }
}

// MARK: - Fields

extension JSONHarness {
  private enum Word: String, CaseIterable { case first, second }

  /// Names that the dictionary of the fuzzer knows too.
  private static let names = ["a", "id", "time", "n", "list", "map", "on", "re", "word", "object"]

  private static let types = 13

  /// Asks for a field in one of the types.
  private static func ask(_ type: Int, _ reader: inout ObjectReader, _ name: String) throws(FieldError) {
    switch type {
    case 0: _ = try reader.value(name)
    case 1: _ = try reader.string(name, length: 1...4)
    case 2: let _: Word = try reader.word(name)
    case 3: _ = try reader.instant(name)
    case 4: let _: MessageID = try reader.id(name)
    case 5: _ = try reader.pattern(name)
    case 6: _ = try reader.integer(name, in: -3...9)
    case 7: _ = try reader.number(name, in: 0.5...1e9)
    case 8: _ = try reader.bool(name)
    case 9: _ = try reader.strings(name, count: 1...3)
    case 10: _ = try reader.stringMapIfPresent(name)
    case 11: _ = try reader.objects(name) { (reader) throws(FieldError) in try reader.integerIfPresent("n") }
    default: try reader.objectIfPresent(name)?.finish()
    }
  }

  private static func fields(_ value: JSONValue) {
    guard let members = value.object, let reader = try? ObjectReader(value, file: "f") else { return }
    for name in names {
      for type in 0..<types {
        var reader = reader
        do throws(FieldError) { try ask(type, &reader, name) } catch {
          check(error, value[name], isPattern: name == "re")
        }
      }
    }
    var named = reader
    for name in names { _ = named.valueIfPresent(name) }
    do throws(FieldError) {
      try named.finish()
      require(members.allSatisfy { names.contains($0.key) }, "a field that nobody asked for is let pass")
    } catch {
      require(members.contains { !names.contains($0.key) }, "a field that was asked for is refused")
      check(error, nil, isPattern: false)
    }
    var all = reader
    require(all.allMembers() == members, "members are lost")
    require((try? all.finish()) != nil, "a field that was read is refused")
  }

  private static func check(_ error: FieldError, _ value: JSONValue?, isPattern: Bool) {
    require(error.description.isOneLine, "an error of several lines")
    require(!error.sentence.isEmpty && error.description.utf8.count < 2000, "an error that can not be shown")
    guard let text = value?.string, text.utf8.count >= 16, !error.path.contains(text), !isPattern else { return }
    // RE2 quotes the part of a pattern that it does not understand.
    if case .mustBe(let what) = error.reason, what.hasPrefix("a regular expression") { return }
    // A value may be the beginning of the example in the sentence.
    if case .mustBe(let what) = error.reason, what.contains(text) { return }
    require(!error.description.contains(text), "an error repeats the value")
  }
}

extension JSONValue {
  /// With the numbers that JSON does not have as null.
  fileprivate var finite: JSONValue {
    switch kind {
    case .number(let number) where !number.isFinite: .null
    case .array(let elements): .array(elements.map(\.finite))
    case .object(let members): .object(members.map { Member($0.key, $0.value.finite) })
    default: self
    }
  }

  fileprivate var depth: Int {
    switch kind {
    case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
    default: 0
    }
  }
}
