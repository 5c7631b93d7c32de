import Contract
package import Database
package import Network
package import Runtime

/// `/health/live`, `/health/ready`, `/metrics`: what an operator's tools ask.
package struct OperationsDoor: Sendable {
  private let database: any Database
  private let metrics: Metrics
  private let isStopping: @Sendable () -> Bool
  private let refresh: @Sendable () async -> Void

  package init(
    database: any Database, metrics: Metrics, isStopping: @escaping @Sendable () -> Bool = { false },
    refresh: @escaping @Sendable () async -> Void = {}
  ) {
    self.refresh = refresh
    self.database = database
    self.metrics = metrics
    self.isStopping = isStopping
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/health/live") { _ in HTTPResponse(text: "alive\n") }
    router.on("GET", "/health/ready") { _ in await ready() }
  }

  /// On the same listener, or on one of its own.
  package func metricsRoute(_ router: inout Router) {
    router.on("GET", "/metrics") { _ in
      await refresh()
      return HTTPResponse(
        contentType: "text/plain; version=0.0.4; charset=utf-8", bytes: Array(metrics.exposition().utf8))
    }
  }

  /// Ready means that a message could be accepted now: something was just written.
  private func ready() async -> HTTPResponse {
    if isStopping() { return HTTPResponse(status: 503, text: "stopping\n") }
    do {
      try await database.transaction { tx in
        // A row of nobody's stream; an update that finds no row would write nothing.
        try tx.run(
          """
          INSERT INTO streams (stream, seq, pruned) VALUES ($1, 0, 0) ON CONFLICT (stream) DO UPDATE SET seq = 0
          """, [.id(ID128(high: 0, low: 0))])
      }
      return HTTPResponse(text: "ready\n")
    } catch {
      return HTTPResponse(status: 503, text: "not ready: the database takes nothing\n")
    }
  }
}
