/// Objects and arrays inside an object.
extension ObjectReader {
  /// A reader of the object there; its fields are refused by its own `finish()`.
  package mutating func objectIfPresent(_ key: String) throws(FieldError) -> ObjectReader? {
    guard let value = present(key) else { return nil }
    return try ObjectReader(value, path: path(to: key), file: file)
  }

  package mutating func object(_ key: String) throws(FieldError) -> ObjectReader {
    try require(key, try objectIfPresent(key))
  }

  /// - Parameter count: how many elements are accepted.
  package mutating func arrayIfPresent(
    _ key: String, count: ClosedRange<Int>? = nil
  ) throws(FieldError) -> [JSONValue]? {
    guard let value = present(key) else { return nil }
    guard let elements = value.array else { throw error(key, .mustBe("an array")) }
    if let count, !count.contains(elements.count) {
      throw error(key, .mustBe(Self.sentence("an array", count, "elements")))
    }
    return elements
  }

  package mutating func array(_ key: String, count: ClosedRange<Int>? = nil) throws(FieldError) -> [JSONValue] {
    try require(key, try arrayIfPresent(key, count: count))
  }

  /// Reads each object of an array with `read`, which gets its reader, and refuses what `read` left unread.
  package mutating func objectsIfPresent<Element>(
    _ key: String, count: ClosedRange<Int>? = nil,
    _ read: (inout ObjectReader) throws(FieldError) -> Element
  ) throws(FieldError) -> [Element]? {
    guard let values = try arrayIfPresent(key, count: count) else { return nil }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      var reader = try ObjectReader(value, path: "\(path(to: key))[\(index)]", file: file)
      elements.append(try read(&reader))
      try reader.finish()
    }
    return elements
  }

  package mutating func objects<Element>(
    _ key: String, count: ClosedRange<Int>? = nil,
    _ read: (inout ObjectReader) throws(FieldError) -> Element
  ) throws(FieldError) -> [Element] {
    try require(key, try objectsIfPresent(key, count: count, read))
  }

  /// An array of texts.
  package mutating func stringsIfPresent(
    _ key: String, count: ClosedRange<Int>? = nil
  ) throws(FieldError) -> [String]? {
    guard let values = try arrayIfPresent(key, count: count) else { return nil }
    var texts: [String] = []
    for (index, value) in values.enumerated() {
      guard let text = value.string else {
        throw FieldError(.mustBe("a text"), path: "\(path(to: key))[\(index)]", file: file, position: value.position)
      }
      texts.append(text)
    }
    return texts
  }

  package mutating func strings(_ key: String, count: ClosedRange<Int>? = nil) throws(FieldError) -> [String] {
    try require(key, try stringsIfPresent(key, count: count))
  }

  /// An object whose keys are free and whose values are texts, in its order.
  package mutating func stringMapIfPresent(_ key: String) throws(FieldError) -> [(key: String, value: String)]? {
    guard var reader = try objectIfPresent(key) else { return nil }
    var pairs: [(key: String, value: String)] = []
    for member in reader.allMembers() {
      guard let text = member.value.string else { throw reader.error(member.key, .mustBe("a text")) }
      pairs.append((member.key, text))
    }
    return pairs
  }
}
