import Contract

/// An amount of money in millionths of a currency's unit.
package struct Price: Sendable, Equatable {
  package var micros: Int64
  /// ISO 4217.
  package var currency: String

  package init(micros: Int64, currency: String) {
    self.micros = micros
    self.currency = currency
  }

  /// A decimal string of at least two and at most six fraction digits.
  package var amount: String {
    let magnitude = micros.magnitude
    var fraction = String(magnitude % 1_000_000)
    fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
    while fraction.count > 2, fraction.last == "0" { fraction.removeLast() }
    return "\(micros < 0 ? "-" : "")\(magnitude / 1_000_000).\(fraction)"
  }

  /// Reads a decimal string with up to six fraction digits; nil for anything else.
  package static func micros(_ text: String) -> Int64? {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first, !whole.isEmpty, whole.count <= 9, whole.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    var fraction = halves.count == 2 ? String(halves[1]) : "0"
    guard !fraction.isEmpty, fraction.count <= 6, fraction.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    fraction += String(repeating: "0", count: 6 - fraction.count)
    guard let units = Int64(whole), let millionths = Int64(fraction) else { return nil }
    return units * 1_000_000 + millionths
  }
}

/// What one part of a message costs, by the beginning of its address; the longest that matches counts.
package struct PriceList: Sendable, Equatable {
  package var currency: String
  /// Millionths a part, by beginning (`+358`); the empty one serves all others.
  package var prefixes: [String: Int64]

  package init(currency: String, prefixes: [String: Int64]) {
    self.currency = currency
    self.prefixes = prefixes
  }

  /// Nil where nothing is known: the exchange then counts no money for it.
  package func price(to address: String, parts: Int) -> Price? {
    var beginning = Substring(address)
    while true {
      if let micros = prefixes[String(beginning)] {
        let (product, overflow) = micros.multipliedReportingOverflow(by: Int64(parts))
        return Price(micros: overflow ? .max : product, currency: currency)
      }
      if beginning.isEmpty { return nil }
      beginning.removeLast()
    }
  }
}
