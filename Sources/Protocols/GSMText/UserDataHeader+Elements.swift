extension UserDataHeader {
  /// Which part of which message: 3GPP TS 23.040 clauses 9.2.3.24.1 and 9.2.3.24.8.
  package struct Concatenation: Sendable, Equatable {
    /// The same in every part of a message. 0 is as good as any other.
    package let reference: UInt16
    /// Whether the reference is written in 16 bits, which makes it another one than the same number in 8.
    package let isWide: Bool
    /// Number of parts.
    package let total: UInt8
    /// 1 for the first part.
    package let sequence: UInt8

    /// Part `sequence` of `total`, with an 8-bit reference.
    package init(reference: UInt8, total: UInt8, sequence: UInt8) {
      self.init(reference: UInt16(reference), isWide: false, total: total, sequence: sequence)
    }

    /// Part `sequence` of `total`, with a 16-bit reference.
    package init(wideReference: UInt16, total: UInt8, sequence: UInt8) {
      self.init(reference: wideReference, isWide: true, total: total, sequence: sequence)
    }

    private init(reference: UInt16, isWide: Bool, total: UInt8, sequence: UInt8) {
      self.reference = reference
      self.isWide = isWide
      self.total = total
      self.sequence = sequence
    }

    /// Nil for an element that says nothing of parts, or nonsense: no part 0, none beyond the total.
    init?(_ element: Element) {
      let data = element.data
      switch (element.identifier, data.count) {
      case (ElementIdentifier.concatenation8, 3):
        self.init(reference: UInt16(data[0]), isWide: false, total: data[1], sequence: data[2])
      case (ElementIdentifier.concatenation16, 4):
        let reference = UInt16(data[0]) << 8 | UInt16(data[1])
        self.init(reference: reference, isWide: true, total: data[2], sequence: data[3])
      default: return nil
      }
      guard sequence >= 1, sequence <= total else { return nil }
    }

    package var element: Element {
      let low = UInt8(truncatingIfNeeded: reference)
      return isWide
        ? Element(
          identifier: ElementIdentifier.concatenation16,
          data: [UInt8(truncatingIfNeeded: reference >> 8), low, total, sequence])
        : Element(identifier: ElementIdentifier.concatenation8, data: [low, total, sequence])
    }
  }

  /// The identifiers of 3GPP TS 23.040 clause 9.2.3.24 that are read here.
  package enum ElementIdentifier {
    package static let concatenation8: UInt8 = 0x00
    package static let concatenation16: UInt8 = 0x08
    package static let singleShift: UInt8 = 0x24
    package static let lockingShift: UInt8 = 0x25
  }

  /// A header that says no more than which part this is.
  package init(_ concatenation: Concatenation) {
    self.init(elements: [concatenation.element])
  }

  /// Which part this is; nil for a message that goes alone. An element with nonsense in it is ignored.
  package var concatenation: Concatenation? {
    elements.reversed().lazy.compactMap(Concatenation.init).first
  }

  /// The language whose table follows an escape (TS 23.038 clause 6.2.1.2.2: 1 is Turkish, 13 Urdu); nil for none.
  ///
  /// Known only by its number: text under it is read with the default tables.
  package var singleShiftLanguage: UInt8? { language(ElementIdentifier.singleShift) }

  /// The language whose table stands in for the default table (TS 23.038 clause 6.2.1.2.3); nil for none.
  ///
  /// Known only by its number: text under it is read with the default tables.
  package var lockingShiftLanguage: UInt8? { language(ElementIdentifier.lockingShift) }

  private func language(_ identifier: UInt8) -> UInt8? {
    guard let data = data(of: identifier), data.count == 1 else { return nil }
    return data[0]
  }
}
