/// The members of a field such as Accept-Language or Accept-Encoding (RFC 9110 section 12.4.2), lower-case, those first
/// that are wanted most; those with a weight of zero are not wanted.
struct WeightedList {
  let names: [String]
  let refused: Set<String>

  /// Browsers send a handful.
  private static let most = 32

  init(_ values: [String]) {
    let members = values.flatMap { $0.split(separator: ",", maxSplits: Self.most) }.prefix(Self.most)
      .compactMap { member -> (name: String, weight: Double)? in
        let parts = member.split(separator: ";", maxSplits: 4).map { $0.filter { !$0.isWhitespace }.lowercased() }
        guard let name = parts.first, !name.isEmpty else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
        return (name, weight ?? 1)
      }
    // A stable order: what stands first counts more among equals.
    names = members.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element.name)
    refused = Set(members.filter { $0.weight <= 0 }.map(\.name))
  }
}
