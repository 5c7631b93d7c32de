import Foundation

/// A text as searches compare it: capital and small letters are the same, and so are the two ways to write a letter with
/// its mark; a letter with a mark is another one than without.
enum FoldedText {
  static func fold(_ text: String) -> String {
    let lower = text.lowercased()
    if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
    return lower.precomposedStringWithCanonicalMapping
  }
}
