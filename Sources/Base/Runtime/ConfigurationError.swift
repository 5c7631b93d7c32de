package import Formats

/// Why the program can not work with what it was told. `description` begins with the file, line and column where it
/// was in the file, and names the key, flag or variable.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// The name that was perhaps meant.
    case unknown(nearest: String?)
    /// What is accepted, and what stood there instead; nil for a secret.
    case bad(accepts: String, found: String?)
    case valueMissing(String)
    case twice
    /// Known, but not to be set there; where it can be.
    case misplaced(String)
    /// The file is no JSON5; the whole sentence, with the place.
    case file(String)
  }

  package let reason: Reason
  /// The key, flag or variable.
  package let name: String
  package let file: String?
  package let position: SourcePosition

  init(_ reason: Reason, name: String, file: String? = nil, position: SourcePosition = .none) {
    self.reason = reason
    self.name = name
    self.file = file
    self.position = position
  }

  package var description: String {
    let place = file.map { "\($0):\(position.line):\(position.column): " } ?? ""
    switch reason {
    case .unknown(let nearest):
      return "\(place)\(name) is not known." + (nearest.map { " Was \($0) meant?" } ?? "")
    case .bad(let accepts, let found):
      return "\(place)\(name) must be \(accepts)" + (found.map { ", not \($0)." } ?? ".")
    case .valueMissing(let accepts): return "\(place)\(name) needs a value: \(accepts)."
    case .twice: return "\(place)\(name) stands twice."
    case .misplaced(let places): return "\(place)\(name) can not be set in the file, only by \(places)."
    case .file(let sentence): return sentence
    }
  }
}
