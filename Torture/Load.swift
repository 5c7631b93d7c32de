import Formats
import Runtime

/// Clients that send messages and do not rest before each is accepted: on an error, or no answer, they ask again with
/// the same idempotency key.
struct Load: Sendable {
  let wire: Wire
  let journal: Journal
  /// Where the exchange is now, and the key to it; changes with every restart.
  let exchange: Lock<String>
  let key: String
  let seed: UInt64

  private static let clients = 8
  /// Few addresses that get many messages each, and many that get few.
  private static let busy = (0..<6).map { "+35840100000\($0)" }
  private static let quiet = (10..<90).map { "+3584010001\($0)" }
  private static let classes = ["normal", "normal", "normal", "code", "alarm", "bulk", "bulk"]

  static var addresses: [String] { busy + quiet }

  /// Until the task is cancelled; the messages under way are still brought to their 202.
  func run() async {
    await withDiscardingTaskGroup { group in
      for client in 0..<Self.clients { group.addTask { await self.run(client) } }
    }
  }

  private func run(_ client: Int) async {
    var random = SeededRandom(seed: seed &+ UInt64(client) &* 1_000_003)
    var number = 0
    while !Task.isCancelled {
      number += 1
      let isBusy = UInt8.random(in: 0..<10, using: &random) < 6
      let address = (isBusy ? Self.busy : Self.quiet).randomElement(using: &random) ?? Self.busy[0]
      let deliveryClass = Self.classes.randomElement(using: &random) ?? "normal"
      await send("\(client)-\(number)", address, deliveryClass)
      // A burst now and then, else a stroll.
      if UInt8.random(in: 0..<10, using: &random) < 7 {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 20...200, using: &random)))
      }
    }
  }

  private func send(_ name: String, _ address: String, _ deliveryClass: String) async {
    let text = "torture \(name) to \(address)"
    let body = JSONWriter.object { json in
      json.field("to", address)
      json.field("text", text)
      json.field("class", deliveryClass)
      json.field("reference", name)
    }
    let began = ContinuousClock.now
    var requests = 0
    // Not the task's cancellation but the 202 ends this: what was asked for once may have been accepted.
    await Task {
      while true {
        requests += 1
        let answer = await wire.call(
          "POST", exchange.withLock { $0 } + "/api/v1/messages", body,
          headers: [("Authorization", "Bearer \(key)"), ("Idempotency-Key", name)], timeout: .seconds(5))
        if let answer, answer.status == 202, let id = answer.json["id"]?.string {
          return journal.note(
            Accepted(
              id: id, name: name, text: text, address: address, deliveryClass: deliveryClass, began: began,
              answered: ContinuousClock.now, requests: requests))
        }
        if let answer, answer.status != 503 {
          journal.note(
            surprise:
              "\(name) was answered \(answer.status) \(String(decoding: answer.body.prefix(200), as: UTF8.self))"
          )
        }
        try? await Task.sleep(for: .milliseconds(20))
      }
    }.value
  }
}
