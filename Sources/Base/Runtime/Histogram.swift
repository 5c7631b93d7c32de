/// How values spread over fixed buckets.
package struct Histogram: Sendable {
  /// Bounds in seconds for what takes from a tenth of a millisecond to a minute.
  package static let seconds: [Double] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  let family: HistogramFamily

  /// - Parameter values: one for each label, in their order.
  package func observe(_ value: Double, _ values: String...) { family.series[values].observe(value) }

  /// A duration, in seconds.
  package func observe(_ duration: Duration, _ values: String...) {
    let (seconds, attoseconds) = duration.components
    family.series[values].observe(Double(seconds) + Double(attoseconds) * 1e-18)
  }
}

final class HistogramCell: Sendable {
  struct Content {
    var counts: [UInt64]
    var sum = 0.0
  }

  private let bounds: [Double]
  private let content: Lock<Content>

  init(bounds: [Double]) {
    self.bounds = bounds
    content = Lock(Content(counts: Array(repeating: 0, count: bounds.count + 1)))
  }

  func observe(_ value: Double) {
    guard value.isFinite else { return }
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    content.withLock { content in
      content.counts[bucket] &+= 1
      content.sum += value
    }
  }

  var now: Content { content.withLock { $0 } }
}

struct HistogramFamily: MetricFamily {
  let name: String
  let help: String
  let buckets: [Double]
  let series: SeriesTable<HistogramCell>

  init(name: String, help: String, labels: [String], buckets: [Double]) {
    self.name = name
    self.help = help
    self.buckets = buckets
    series = SeriesTable(labels: labels) { HistogramCell(bounds: buckets) }
  }

  var labels: [String] { series.labels }
  var type: String { "histogram" }

  func append(to text: inout String) {
    series.forEach { labels, cell in
      let content = cell.now
      var total: UInt64 = 0
      for (index, count) in content.counts.enumerated() {
        total &+= count
        let bound = index < buckets.count ? metricNumber(buckets[index]) : "+Inf"
        text += "\(name)_bucket{\(labels)\(labels.isEmpty ? "" : ",")le=\"\(bound)\"} \(total)\n"
      }
      let suffix = labels.isEmpty ? "" : "{\(labels)}"
      text += "\(name)_sum\(suffix) \(metricNumber(content.sum))\n"
      text += "\(name)_count\(suffix) \(total)\n"
    }
  }
}
