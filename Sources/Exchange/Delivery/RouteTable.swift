/// Which carriers a message may go by, best first. Rebuilt whenever an operator changes a carrier.
package struct RouteTable: Sendable, Equatable {
  package struct Carrier: Sendable, Equatable {
    /// The number under which rows name it.
    package var number: Int
    package var name: String
    package var channel: Channel
    /// A disabled carrier keeps its history and takes nothing new.
    package var isEnabled: Bool
    /// A lower one is preferred where several match equally well.
    package var rank: Int
    /// Beginnings of addresses that it serves; empty serves all.
    package var prefixes: [String]

    package init(number: Int, name: String, channel: Channel, isEnabled: Bool, rank: Int, prefixes: [String]) {
      self.number = number
      self.name = name
      self.channel = channel
      self.isEnabled = isEnabled
      self.rank = rank
      self.prefixes = prefixes
    }

    /// The length of the longest beginning that matches; nil where none does.
    fileprivate func match(_ address: String) -> Int? {
      if prefixes.isEmpty { return 0 }
      return prefixes.filter { address.hasPrefix($0) }.map(\.utf8.count).max()
    }
  }

  package private(set) var carriers: [Int: Carrier]

  package init(_ carriers: [Carrier] = []) {
    self.carriers = Dictionary(carriers.map { ($0.number, $0) }, uniquingKeysWith: { _, later in later })
  }

  /// Whether `other` may serve something of what waits for `number`: all of it where that one is disabled, since it then
  /// has to be told that it waits for nobody.
  func mayStandIn(_ other: Int, for number: Int) -> Bool {
    guard let one = carriers[number], one.isEnabled, let two = carriers[other] else { return true }
    guard one.channel == two.channel else { return false }
    if one.prefixes.isEmpty || two.prefixes.isEmpty { return true }
    return one.prefixes.contains { first in
      two.prefixes.contains { $0.hasPrefix(first) || first.hasPrefix($0) }
    }
  }

  /// The carriers that serve `address`: the longest matching prefix first, then by rank.
  /// - Parameter fixed: the one that the sender chose; then no other.
  package func candidates(for address: String, on channel: Channel, fixed: Int?) -> [Int] {
    if let fixed {
      guard let carrier = carriers[fixed], carrier.isEnabled, carrier.channel == channel else { return [] }
      return [fixed]
    }
    return carriers.values
      .compactMap { carrier -> (carrier: Carrier, length: Int)? in
        guard carrier.isEnabled, carrier.channel == channel, let length = carrier.match(address) else { return nil }
        return (carrier, length)
      }
      .sorted { left, right in
        if left.length != right.length { return left.length > right.length }
        return (left.carrier.rank, left.carrier.number) < (right.carrier.rank, right.carrier.number)
      }
      .map(\.carrier.number)
  }
}
