import Contract
import Formats
import Network

/// The fields of a JSON object, each read by name; those that nobody read are refused by name.
struct SandboxFields {
  private var members: [JSONValue.Member]
  private let path: String

  private init(_ members: [JSONValue.Member], path: String) {
    self.members = members
    self.path = path
  }

  /// Reads the body of a request.
  static func read<Result>(
    _ request: HTTPRequest, _ body: (inout SandboxFields) throws(SandboxRefusal) -> Result
  ) throws(SandboxRefusal) -> Result {
    let type = (request.headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    guard type == "application/json" else { throw .unsupportedMediaType }
    guard let members = (try? JSON.parse(request.body))?.object else { throw .malformedJSON }
    return try read(members, path: "", body)
  }

  private static func read<Result>(
    _ members: [JSONValue.Member], path: String, _ body: (inout SandboxFields) throws(SandboxRefusal) -> Result
  ) throws(SandboxRefusal) -> Result {
    var fields = SandboxFields(members, path: path)
    let result = try body(&fields)
    if let left = fields.members.first { throw .unknownField(path + String(left.key.prefix(60))) }
    return result
  }

  // MARK: - Values; null is as good as nothing

  private mutating func value(_ name: String) -> JSONValue? {
    guard let index = members.firstIndex(where: { $0.key == name }) else { return nil }
    let value = members.remove(at: index).value
    // A bare nil would be JSON's null here.
    return value.isNull ? Optional.none : value
  }

  func contains(_ name: String) -> Bool { members.contains { $0.key == name } }

  func invalid(_ name: String, _ why: String) -> SandboxRefusal { .invalidField(path + name, why) }

  mutating func string(_ name: String, limit: Int = 2000) throws(SandboxRefusal) -> String? {
    guard let value = value(name) else { return nil }
    guard let string = value.string else { throw invalid(name, "must be a string") }
    guard string.utf8.count <= limit else { throw invalid(name, "is longer than \(limit) bytes") }
    return string
  }

  mutating func required(_ name: String, limit: Int = 2000) throws(SandboxRefusal) -> String {
    guard let string = try string(name, limit: limit) else { throw invalid(name, "is missing") }
    return string
  }

  mutating func strings(_ name: String, limit: Int) throws(SandboxRefusal) -> [String]? {
    guard let value = value(name) else { return nil }
    guard let array = value.array, array.count <= limit else {
      throw invalid(name, "must be a list of at most \(limit) strings")
    }
    let strings = array.compactMap(\.string)
    guard strings.count == array.count else { throw invalid(name, "must be a list of strings") }
    return strings
  }

  mutating func bool(_ name: String) throws(SandboxRefusal) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = value.bool else { throw invalid(name, "must be true or false") }
    return bool
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int64>) throws(SandboxRefusal) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let integer = value.integer, range.contains(integer) else {
      throw invalid(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  mutating func milliseconds(_ name: String) throws(SandboxRefusal) -> Duration? {
    try integer(name, in: 0...86_400_000).map { .milliseconds($0) }
  }

  mutating func number(_ name: String, in range: ClosedRange<Double>) throws(SandboxRefusal) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.number, range.contains(number) else {
      throw invalid(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func share(_ name: String) throws(SandboxRefusal) -> Double? { try number(name, in: 0...1) }

  mutating func instant(_ name: String) throws(SandboxRefusal) -> Instant? {
    guard let text = try string(name) else { return nil }
    guard let instant = Instant(text) else {
      throw invalid(name, "must be an RFC 3339 time, like 2026-11-30T06:00:00Z")
    }
    return instant
  }

  mutating func object<Result>(
    _ name: String, _ body: (inout SandboxFields) throws(SandboxRefusal) -> Result
  ) throws(SandboxRefusal) -> Result? {
    guard let value = value(name) else { return nil }
    guard let members = value.object else { throw invalid(name, "must be an object") }
    return try Self.read(members, path: "\(path)\(name).", body)
  }
}
