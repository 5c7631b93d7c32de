import Testing

@testable import Runtime

@Suite("Metrics") struct MetricsTests {
  private let metrics = Metrics()

  @Test func theTextIsWhatPrometheusReads() {
    let sent = metrics.counter("sms_sent_total", "Messages sent.\nBy \"state\" \\ class.", labels: ["state", "class"])
    let queue = metrics.gauge("queue_length", "Deliveries that wait.")
    metrics.gauge("up_ratio", "A share.") { 0.25 }
    let took = metrics.histogram("took_seconds", "How long.", buckets: [0.1, 1], labels: ["step"])
    let size = metrics.histogram("size_bytes", "How large.", buckets: [1])
    sent.add(2, "delivered", "code")
    sent.add(1, "a\"b\\c\nd", "bulk")
    sent.add(-5, "delivered", "code")
    queue.set(7)
    queue.add(-9)
    took.observe(.milliseconds(100), "send")
    took.observe(0.5, "send")
    took.observe(2, "send")
    took.observe(.nan, "send")
    size.observe(1)
    #expect(
      metrics.exposition() == """
        # HELP queue_length Deliveries that wait.
        # TYPE queue_length gauge
        queue_length -2
        # HELP size_bytes How large.
        # TYPE size_bytes histogram
        size_bytes_bucket{le="1"} 1
        size_bytes_bucket{le="+Inf"} 1
        size_bytes_sum 1
        size_bytes_count 1
        # HELP sms_sent_total Messages sent.\\nBy "state" \\\\ class.
        # TYPE sms_sent_total counter
        sms_sent_total{state="a\\"b\\\\c\\nd",class="bulk"} 1
        sms_sent_total{state="delivered",class="code"} 2
        # HELP took_seconds How long.
        # TYPE took_seconds histogram
        took_seconds_bucket{step="send",le="0.1"} 1
        took_seconds_bucket{step="send",le="1"} 2
        took_seconds_bucket{step="send",le="+Inf"} 3
        took_seconds_sum{step="send"} 2.6
        took_seconds_count{step="send"} 3
        # HELP up_ratio A share.
        # TYPE up_ratio gauge
        up_ratio 0.25

        """)
  }

  @Test func aMetricWithoutLabelsIsThereBeforeItIsUsed() {
    _ = metrics.counter("a_total", "A.")
    #expect(metrics.exposition() == "# HELP a_total A.\n# TYPE a_total counter\na_total 0\n")
  }

  @Test func theSameNameIsTheSameMetric() {
    metrics.counter("a_total", "A.").add()
    metrics.counter("a_total", "A.").add(2)
    #expect(metrics.counter("a_total", "A.").value() == 3)
  }

  @Test func labelsCanNotGrowWithoutBound() {
    let counter = metrics.counter("a_total", "A.", labels: ["word"])
    for number in 0..<10_000 { counter.add(1, "w\(number)") }
    #expect(metrics.exposition().split(separator: "\n").count == 2 + 200 + 1)
    #expect(counter.value("other") == 9800)
    #expect(counter.value("w0") == 1)
  }

  @Test func countsOfManyThreadsAddUp() async {
    let counter = metrics.counter("a_total", "A.")
    let histogram = metrics.histogram("b_seconds", "B.", buckets: [1])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1000 {
            counter.add()
            histogram.observe(0.5)
          }
        }
      }
    }
    #expect(counter.value() == 8000)
    #expect(metrics.exposition().contains("b_seconds_count 8000\n"))
  }

  @Test func namesFollowTheRules() {
    for good in ["a", "A_b:c9", "_x", ":x"] { #expect(Metrics.isName(good), "\(good)") }
    for bad in ["", "9a", "a-b", "a b", "ä", "a.b"] { #expect(!Metrics.isName(bad), "\(bad)") }
    for good in ["a", "_x", "A9"] { #expect(Metrics.isLabel(good), "\(good)") }
    for bad in ["", "__x", "9", "a:b", "a-b"] { #expect(!Metrics.isLabel(bad), "\(bad)") }
  }
}
