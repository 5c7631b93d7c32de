/// What patterns and paths took out of an answer or a record, by name.
struct Captures: Sendable {
  private(set) var values: [(name: String, value: [UInt8])] = []

  mutating func add(_ name: String, _ value: [UInt8]) { values.append((name, value)) }

  subscript(name: String) -> [UInt8]? { values.first { $0.name == name }?.value }

  func all(_ name: String) -> [[UInt8]] { values.lazy.filter { $0.name == name }.map(\.value) }

  func text(_ name: String) -> String? { self[name].map { String(decoding: $0, as: UTF8.self) } }

  /// nil for an empty value too.
  func nonEmpty(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }
}

/// A sentence with captured values in it: `The carrier says "{text}".`
struct CaptureTemplate: Sendable {
  private enum Segment: Sendable {
    case literal(String)
    case capture(String)
  }

  private let segments: [Segment]

  struct Problem: Error { var sentence: String }

  /// - Parameter known: the names that may stand between braces.
  init(_ text: String, known: Set<String>) throws(Problem) {
    var segments: [Segment] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { segments.append(.literal(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else { throw Problem(sentence: "A \"{\" has no \"}\".") }
      let name = String(rest[rest.index(after: open)..<close])
      guard known.contains(name) else {
        throw Problem(sentence: "Nothing captures {\(Shown.text(name, limit: 40))} here.")
      }
      segments.append(.capture(name))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { segments.append(.literal(String(rest))) }
    self.segments = segments
  }

  /// - Parameter shown: makes captured octets fit to be read by a person.
  func filled(_ captures: Captures, shown: (_ octets: [UInt8]) -> String) -> String {
    var text = ""
    for segment in segments {
      switch segment {
      case .literal(let literal): text += literal
      case .capture(let name): text += captures[name].map { shown($0) } ?? ""
      }
    }
    return text
  }
}
