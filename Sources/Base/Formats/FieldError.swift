/// What is wrong with one field of an object that somebody sent or wrote.
///
/// `description` names the field, and the place where the file is known, and says what is accepted. It never repeats
/// the value, which may be secret.
package struct FieldError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case missing
    /// There is no such field; the one that was perhaps meant.
    case unknown(nearest: String?)
    /// What is accepted, as the end of the sentence `… must be`.
    case mustBe(String)
    /// A whole sentence of the reader's own.
    case other(String)
  }

  package let reason: Reason
  /// The way to the field, such as `carriers[0].url`; empty for the whole text.
  package let path: String
  /// The file, where it is one.
  package let file: String?
  package let position: SourcePosition

  package init(_ reason: Reason, path: String, file: String? = nil, position: SourcePosition = .none) {
    self.reason = reason
    self.path = path
    self.file = file
    self.position = position
  }

  /// The sentence without the place.
  package var sentence: String {
    let name = path.isEmpty ? "The text" : path
    switch reason {
    case .missing: return "\(name) is missing."
    case .unknown(let nearest):
      return "\(name) is not known here." + (nearest.map { " Was \($0) meant?" } ?? "")
    case .mustBe(let what): return "\(name) must be \(what)."
    case .other(let sentence): return sentence
    }
  }

  package var description: String {
    guard let file else { return sentence }
    guard position != .none else { return "\(file): \(sentence)" }
    return "\(file):\(position.line):\(position.column): \(sentence)"
  }
}
