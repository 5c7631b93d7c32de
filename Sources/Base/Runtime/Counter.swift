import Synchronization

/// A number that only goes up.
package struct Counter: Sendable {
  let family: CounterFamily

  /// - Parameters:
  ///   - count: less than nothing counts as nothing.
  ///   - values: one for each label, in their order.
  package func add(_ count: Int = 1, _ values: String...) { family.series[values].add(Int64(max(0, count))) }

  /// The sum so far.
  package func value(_ values: String...) -> Int64 { family.series[values].value }
}

/// A number that goes up and down.
package struct Gauge: Sendable {
  let family: GaugeFamily

  package func set(_ value: Int, _ values: String...) { family.series[values].set(Int64(value)) }
  package func add(_ count: Int, _ values: String...) { family.series[values].add(Int64(count)) }
  package func value(_ values: String...) -> Int64 { family.series[values].value }
}

final class NumberCell: Sendable {
  private let number = Atomic<Int64>(0)

  var value: Int64 { number.load(ordering: .relaxed) }
  func set(_ value: Int64) { number.store(value, ordering: .relaxed) }
  func add(_ count: Int64) { number.wrappingAdd(count, ordering: .relaxed) }
}

struct CounterFamily: MetricFamily {
  let name: String
  let help: String
  let series: SeriesTable<NumberCell>

  init(name: String, help: String, labels: [String]) {
    self.name = name
    self.help = help
    series = SeriesTable(labels: labels) { NumberCell() }
  }

  var labels: [String] { series.labels }
  var type: String { "counter" }
  func append(to text: inout String) { series.appendNumbers(of: name, to: &text) }
}

struct GaugeFamily: MetricFamily {
  let name: String
  let help: String
  let series: SeriesTable<NumberCell>

  init(name: String, help: String, labels: [String]) {
    self.name = name
    self.help = help
    series = SeriesTable(labels: labels) { NumberCell() }
  }

  var labels: [String] { series.labels }
  var type: String { "gauge" }
  func append(to text: inout String) { series.appendNumbers(of: name, to: &text) }
}

struct ReadGauge: MetricFamily {
  let name: String
  let help: String
  let read: @Sendable () -> Double

  var labels: [String] { [] }
  var type: String { "gauge" }
  func append(to text: inout String) { text += "\(name) \(metricNumber(read()))\n" }
}

extension SeriesTable<NumberCell> {
  fileprivate func appendNumbers(of name: String, to text: inout String) {
    forEach { labels, cell in
      text += labels.isEmpty ? "\(name) \(cell.value)\n" : "\(name){\(labels)} \(cell.value)\n"
    }
  }
}
