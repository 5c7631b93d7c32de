/// The header in front of a part's text: 3GPP TS 23.040 clause 9.2.3.24.
///
/// Elements that are not known here are kept as they came.
package struct UserDataHeader: Sendable, Equatable {
  package struct Element: Sendable, Equatable {
    package let identifier: UInt8
    package let data: [UInt8]

    package init(identifier: UInt8, data: [UInt8]) {
      self.identifier = identifier
      self.data = data
    }
  }

  package var elements: [Element]

  package init(elements: [Element] = []) { self.elements = elements }

  /// Reads the header at the front of `userData`, whose first octet is the length of what follows.
  ///
  /// Nil when the length passes the end, or an element does: TS 23.040 says then to ignore the whole header.
  package init?(parsing userData: some Collection<UInt8>) {
    guard let length = userData.first, userData.count > Int(length) else { return nil }
    var rest = Array(userData.dropFirst().prefix(Int(length)))[...]
    elements = []
    while let identifier = rest.popFirst() {
      guard let count = rest.popFirst(), rest.count >= Int(count) else { return nil }
      elements.append(Element(identifier: identifier, data: Array(rest.prefix(Int(count)))))
      rest = rest.dropFirst(Int(count))
    }
  }

  /// The header at the front of `userData` and what follows it; nil when the header can not be read.
  package static func parse(_ userData: some Collection<UInt8>) -> (header: UserDataHeader, body: [UInt8])? {
    guard let header = UserDataHeader(parsing: userData), let length = userData.first else { return nil }
    return (header, Array(userData.dropFirst(1 + Int(length))))
  }

  /// The octets of this header, the length first; nil when they are too many for that octet to say.
  package var octets: [UInt8]? {
    var octets: [UInt8] = [0]
    for element in elements {
      guard let count = UInt8(exactly: element.data.count) else { return nil }
      octets.append(element.identifier)
      octets.append(count)
      octets.append(contentsOf: element.data)
    }
    guard let length = UInt8(exactly: octets.count - 1) else { return nil }
    octets[0] = length
    return octets
  }

  /// The data of the last element with this identifier: where one comes twice, the last counts (9.2.3.24).
  package func data(of identifier: UInt8) -> [UInt8]? {
    elements.last { $0.identifier == identifier }?.data
  }
}
