/// The numbers that the program shows to Prometheus.
///
/// Metrics are declared at start, each with a constant name; a name that breaks the rules, or that stands for two
/// different things, is a fault of the program and stops it there. Labels name kinds of things (a state, a carrier),
/// never people, numbers or texts.
package final class Metrics: Sendable {
  private let families = Lock<[String: any MetricFamily]>([:])

  package init() {}

  /// What only goes up. The name ends in `_total`.
  package func counter(_ name: String, _ help: String, labels: [String] = []) -> Counter {
    precondition(name.hasSuffix("_total"), "a counter's name ends in _total: \(name)")
    return register(CounterFamily(name: name, help: help, labels: labels), as: Counter.self) { Counter(family: $0) }
  }

  /// What goes up and down.
  package func gauge(_ name: String, _ help: String, labels: [String] = []) -> Gauge {
    register(GaugeFamily(name: name, help: help, labels: labels), as: Gauge.self) { Gauge(family: $0) }
  }

  /// A gauge that is asked when somebody looks.
  package func gauge(_ name: String, _ help: String, read: @escaping @Sendable () -> Double) {
    _ = register(ReadGauge(name: name, help: help, read: read), as: ReadGauge.self) { $0 }
  }

  /// How values spread over fixed buckets.
  /// - Parameter buckets: their upper bounds, rising; the one for everything above is added.
  package func histogram(
    _ name: String, _ help: String, buckets: [Double] = Histogram.seconds, labels: [String] = []
  ) -> Histogram {
    precondition(zip(buckets, buckets.dropFirst()).allSatisfy { $0 < $1 }, "buckets rise: \(name)")
    precondition(!labels.contains("le"), "the label le belongs to the buckets: \(name)")
    let family = HistogramFamily(name: name, help: help, labels: labels, buckets: buckets)
    return register(family, as: Histogram.self) { Histogram(family: $0) }
  }

  private func register<Family: MetricFamily, Handle>(
    _ family: Family, as _: Handle.Type, _ handle: (Family) -> Handle
  ) -> Handle {
    precondition(Self.isName(family.name), "not a metric name: \(family.name)")
    for label in family.labels { precondition(Self.isLabel(label), "not a label name: \(label)") }
    return families.withLock { families in
      if let known = families[family.name] {
        guard let same = known as? Family, same.labels == family.labels else {
          preconditionFailure("two metrics are called \(family.name)")
        }
        return handle(same)
      }
      families[family.name] = family
      return handle(family)
    }
  }

  static func isName(_ text: String) -> Bool { follows(text, UInt8(ascii: ":")) }

  /// The rules of Prometheus' data model; labels that begin with two underscores are its own.
  static func isLabel(_ text: String) -> Bool { follows(text, nil) && !text.hasPrefix("__") }

  private static func follows(_ text: String, _ extra: UInt8?) -> Bool {
    guard let first = text.utf8.first, !(first >= 0x30 && first <= 0x39) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39, 0x5F: true
      default: byte == extra
      }
    }
  }

  /// The text exposition format, version 0.0.4: `text/plain; version=0.0.4; charset=utf-8`.
  package func exposition() -> String {
    let all = families.withLock { $0.values.sorted { $0.name < $1.name } }
    var text = ""
    for family in all {
      text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
      text += "# TYPE \(family.name) \(family.type)\n"
      family.append(to: &text)
    }
    return text
  }
}

/// All series of one name.
protocol MetricFamily: Sendable {
  var name: String { get }
  var help: String { get }
  var labels: [String] { get }
  var type: String { get }
  func append(to text: inout String)
}

/// The series of a family by the values of their labels, never more than a limit: what comes later shares one series
/// whose labels all say `other`.
final class SeriesTable<Cell: Sendable>: Sendable {
  static var limit: Int { 200 }

  let labels: [String]
  private let cells = Lock<[[String]: Cell]>([:])
  private let make: @Sendable () -> Cell

  init(labels: [String], make: @escaping @Sendable () -> Cell) {
    self.labels = labels
    self.make = make
    if labels.isEmpty { _ = self[[]] }
  }

  subscript(values: [String]) -> Cell {
    assert(values.count == labels.count, "one value for each label")
    var values = Array(values.prefix(labels.count))
    while values.count < labels.count { values.append("") }
    return cells.withLock { cells in
      if let cell = cells[values] { return cell }
      let key = cells.count < Self.limit ? values : labels.map { _ in "other" }
      if let cell = cells[key] { return cell }
      let cell = make()
      cells[key] = cell
      return cell
    }
  }

  func forEach(_ body: (String, Cell) -> Void) {
    let sorted = cells.withLock { $0.sorted { $0.key.lexicographicallyPrecedes($1.key) } }
    for (values, cell) in sorted {
      body(zip(labels, values).map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ","), cell)
    }
  }
}

func escaped(_ text: String, quotes: Bool) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": escaped += "\\\\"
    case "\n": escaped += "\\n"
    case "\"" where quotes: escaped += "\\\""
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}

func metricNumber(_ value: Double) -> String {
  if value.isNaN { return "NaN" }
  if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
  return Int64(exactly: value)?.description ?? value.description
}
