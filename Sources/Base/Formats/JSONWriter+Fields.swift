package import Contract

/// A key and its value in one call; nil is written as null.
extension JSONWriter {
  package mutating func field(_ key: StaticString, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  package mutating func field(_ key: StaticString, _ value: (some FixedWidthInteger)?) {
    self.key(key)
    if let value { integer(value) } else { null() }
  }

  package mutating func field(_ key: StaticString, _ value: Bool?) {
    self.key(key)
    if let value { bool(value) } else { null() }
  }

  package mutating func field(_ key: StaticString, _ value: Double?) {
    self.key(key)
    if let value { number(value) } else { null() }
  }

  /// RFC 3339 in UTC with milliseconds.
  package mutating func field(_ key: StaticString, _ value: Instant?) {
    field(key, value?.description)
  }

  package mutating func field<Kind>(_ key: StaticString, _ value: Identifier<Kind>?) {
    field(key, value?.description)
  }

  package mutating func field(_ key: StaticString, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  /// An array, its elements written one by one.
  package mutating func field<Element>(
    _ key: StaticString, _ elements: some Sequence<Element>, each write: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    self.key(key)
    beginArray()
    for element in elements { try write(&self, element) }
    endArray()
  }

  /// An object inside this one.
  package mutating func object(_ key: StaticString, _ write: (inout JSONWriter) throws -> Void) rethrows {
    self.key(key)
    try object(write)
  }

  /// An object as a value: the whole text, or an element of an array.
  package mutating func object(_ write: (inout JSONWriter) throws -> Void) rethrows {
    beginObject()
    try write(&self)
    endObject()
  }

  /// A whole text that is one object.
  package static func object(_ write: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
    var writer = JSONWriter()
    try writer.object(write)
    return writer.bytes
  }
}
