/// How many units fit a message that goes alone, and each part of one that does not: 3GPP TS 23.040 clause 9.2.3.24.
///
/// A message has 140 octets, which are 160 septets or 70 units of UTF-16. In a part, the header with the reference
/// takes 6 octets of them (7 septets) or 7 (8 septets).
package struct PartLimits: Sendable, Equatable {
  /// Septets of a message that goes alone.
  package let gsm7Single: Int
  /// Septets of a part.
  package let gsm7Part: Int
  /// UTF-16 units of a message that goes alone.
  package let ucs2Single: Int
  /// UTF-16 units of a part.
  package let ucs2Part: Int

  /// Limits below 2 are taken as 2: an escaped character and a surrogate pair need two units, and stay together.
  package init(gsm7Single: Int, gsm7Part: Int, ucs2Single: Int, ucs2Part: Int) {
    self.gsm7Single = max(2, gsm7Single)
    self.gsm7Part = max(2, gsm7Part)
    self.ucs2Single = max(2, ucs2Single)
    self.ucs2Part = max(2, ucs2Part)
  }

  /// 160 / 153 septets, 70 / 67 units: parts that carry an 8-bit reference.
  package static let reference8 = PartLimits(gsm7Single: 160, gsm7Part: 153, ucs2Single: 70, ucs2Part: 67)
  /// 160 / 152 septets, 70 / 66 units: parts that carry a 16-bit reference.
  package static let reference16 = PartLimits(gsm7Single: 160, gsm7Part: 152, ucs2Single: 70, ucs2Part: 66)

  func single(_ encoding: TextEncoding) -> Int { encoding == .gsm7 ? gsm7Single : ucs2Single }
  func part(_ encoding: TextEncoding) -> Int { encoding == .gsm7 ? gsm7Part : ucs2Part }
}
