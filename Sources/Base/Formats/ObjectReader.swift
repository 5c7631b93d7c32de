/// Walks one JSON object: asks for fields by name and type, and at the end refuses those that nobody asked for.
///
/// A field that is null counts as absent. Whoever got an object's reader calls `finish()` on it.
package struct ObjectReader: Sendable {
  private let members: [JSONValue.Member]
  private var isRead: [Bool]
  /// Every name that was asked for, to guess from.
  private var asked: [String] = []
  /// The way here from the top, such as `carriers[0]`; empty at the top.
  package let path: String
  package let file: String?
  package let position: SourcePosition

  /// - Parameters:
  ///   - path: the way to this object, for errors.
  ///   - file: its file, for errors.
  /// - Throws: when the value is no object.
  package init(_ value: JSONValue, path: String = "", file: String? = nil) throws(FieldError) {
    guard let members = value.object else {
      throw FieldError(.mustBe("an object"), path: path, file: file, position: value.position)
    }
    self.members = members
    isRead = Array(repeating: false, count: members.count)
    self.path = path
    self.file = file
    position = value.position
  }

  /// Refuses the first field that nobody asked for.
  package func finish() throws(FieldError) {
    guard let index = isRead.firstIndex(of: false) else { return }
    let key = members[index].key
    throw FieldError(
      .unknown(nearest: nearestWord(to: key, among: asked)), path: path(to: key), file: file,
      position: members[index].position)
  }

  // MARK: Looking without a type

  /// The value as it stands, null included; nil where the field is absent.
  package mutating func valueIfPresent(_ key: String) -> JSONValue? {
    asked.append(key)
    guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
    isRead[index] = true
    return members[index].value
  }

  package mutating func value(_ key: String) throws(FieldError) -> JSONValue {
    guard let value = valueIfPresent(key) else { throw error(key, .missing) }
    return value
  }

  /// Whether the field stands there, be it null. It still has to be read.
  package func has(_ key: String) -> Bool { members.contains { $0.key == key } }

  /// Every field, for an object whose keys are free; all count as read.
  package mutating func allMembers() -> [JSONValue.Member] {
    isRead = Array(repeating: true, count: members.count)
    return members
  }

  // MARK: Errors

  /// An error about a field of this object, for checks of one's own.
  package func error(_ key: String, _ reason: FieldError.Reason) -> FieldError {
    let position = members.first { $0.key == key }?.value.position ?? self.position
    return FieldError(reason, path: path(to: key), file: file, position: position)
  }

  package func path(to key: String) -> String {
    path.isEmpty ? Self.shown(key) : "\(path).\(Self.shown(key))"
  }

  /// A key that came from outside, as an error may show it.
  private static func shown(_ key: String) -> String {
    let isPlain = !key.isEmpty && key.utf8.count <= 60 && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    return isPlain ? key : quoted(key)
  }
}

extension ObjectReader {
  /// The value, or nil where it is absent or null.
  mutating func present(_ key: String) -> JSONValue? {
    guard let value = valueIfPresent(key), !value.isNull else { return nil }
    return value
  }

  func require<Value>(_ key: String, _ value: Value?) throws(FieldError) -> Value {
    guard let value else { throw error(key, .missing) }
    return value
  }
}
