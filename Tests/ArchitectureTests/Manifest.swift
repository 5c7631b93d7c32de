/// The targets of Package.swift, read as text: `swift package dump-package` inside a test would wait for the build that
/// runs the test.
struct Manifest {
  struct Target: Equatable {
    enum Kind: String, CaseIterable {
      case swift
      case program
      case c
      case library
      case tests
      /// Written out in full, without one of the manifest's own functions.
      case target = ".target"
    }

    let kind: Kind
    let name: String
    /// The layer of a target under Sources, such as `Base`; nil for what lies beside it.
    let layer: String?
    let dependencies: [String]

    var isC: Bool { kind == .c || kind == .library || kind == .target }
  }

  let targets: [Target]

  init(_ text: String) {
    let lines = text.split(separator: "\n").map { line -> Substring in
      let trimmed = line.drop { $0 == " " }
      return trimmed.hasPrefix("//") ? "" : line
    }
    let source = lines.joined(separator: "\n")
    targets = Target.Kind.allCases.flatMap { kind in
      Self.calls(of: kind.rawValue, in: source).compactMap { Self.target(kind, $0) }
    }
  }

  subscript(name: String) -> Target? { targets.first { $0.name == name } }

  var swiftTargets: [Target] { targets.filter { $0.layer != nil && !$0.isC && $0.kind != .tests } }
  var cTargets: [Target] { targets.filter { $0.layer != nil && $0.isC } }

  private static func target(_ kind: Target.Kind, _ call: Substring) -> Target? {
    let strings = strings(in: call)
    guard let name = strings.first else { return nil }
    var layer = value("in:", in: call)
    if let path = value("at:", in: call) ?? value("path:", in: call) {
      let parts = path.split(separator: "/")
      layer = parts.first == "Sources" && parts.count > 1 ? String(parts[1]) : nil
    }
    var dependencies: [String] = []
    if kind != .c, kind != .library, kind != .target, let start = call.firstIndex(of: "["),
      let end = call[start...].firstIndex(of: "]")
    {
      dependencies = Self.strings(in: call[start..<end])
    }
    return Target(kind: kind, name: name, layer: kind == .tests ? nil : layer, dependencies: dependencies)
  }

  /// What stands between the brackets of each call of `function` whose first argument is a string.
  private static func calls(of function: String, in source: String) -> [Substring] {
    var found: [Substring] = []
    var rest = source[...]
    while let start = rest.firstRange(of: "\(function)(") {
      let before = start.lowerBound > source.startIndex ? source[source.index(before: start.lowerBound)] : " "
      rest = rest[start.upperBound...]
      guard before.isWhitespace, let end = closing(of: rest) else { continue }
      let call = rest[..<end]
      let first = call.drop { $0.isWhitespace }
      if first.hasPrefix("\"") || first.hasPrefix("name: \"") { found.append(call) }
    }
    return found
  }

  private static func closing(of text: Substring) -> Substring.Index? {
    var depth = 1
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private static func strings(in text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  private static func value(_ label: String, in call: Substring) -> String? {
    call.firstRange(of: label).flatMap { strings(in: call[$0.upperBound...]).first }
  }
}
