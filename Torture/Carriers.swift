import Contract
import Formats
import Foundation
import Runtime

/// One line of a carrier's ledger: a submission that it took.
struct Copy: Sendable {
  let carrier: String
  let id: String
  let at: Instant
  let to: String
  let text: String
  let reference: String?
}

/// The carriers of the sandbox: their faults, their ledgers, and receipts that they bring late.
struct Carriers: Sendable {
  static let names = ["fast", "global"]

  let wire: Wire
  let sandbox: String
  /// Where each carrier reaches the exchange: the path of its callbacks.
  var hooks: [String: String] = [:]

  /// Small faults of the kinds after which a message has to go on all the same.
  func misbehave(_ random: inout SeededRandom) async throws {
    let down = UInt8.random(in: 0..<8, using: &random)
    for (index, name) in Self.names.enumerated() {
      let delay = Int.random(in: 1...40, using: &random)
      let refusals = Double.random(in: 0...0.1, using: &random)
      let shares = (0..<3).map { _ in Double.random(in: 0...0.3, using: &random) }
      let lost = Double.random(in: 0...0.05, using: &random)
      let receiptDelay = Int.random(in: 0...300, using: &random)
      try await set(
        name,
        JSONWriter.object { json in
          json.field("delayMs", delay)
          json.field("down", Int(down) == index)
          json.object("refuse") { json in
            // "An error of ours, try again" in the words of each.
            json.field("code", name == "fast" ? -20 : 13)
            json.key("share")
            json.raw(Array(String(refusals).utf8))
          }
          json.object("receipts") { json in
            json.field("delayMs", receiptDelay)
            for (key, share) in zip(["doubled", "beforeAnswer", "shuffled"], shares) {
              json.key(dynamic: key)
              json.raw(Array(String(share).utf8))
            }
            json.key("lost")
            json.raw(Array(String(lost).utf8))
          }
        })
    }
  }

  func behave() async throws { for name in Self.names { try await set(name, Array("{}".utf8)) } }

  private func set(_ name: String, _ faults: [UInt8]) async throws {
    _ = try await wire.insist("PUT", "\(sandbox)/sandbox/carriers/\(name)/faults", faults)
  }

  /// Everything that the carriers took, in order of time.
  func ledgers() async throws -> [Copy] {
    var copies: [Copy] = []
    for name in Self.names {
      let answer = try await wire.insist("GET", "\(sandbox)/sandbox/carriers/\(name)/ledger")
      for line in answer.body.split(separator: 0x0A) {
        guard let entry = try? JSON.parse(Array(line)), let id = entry["id"]?.string,
          let at = entry["at"]?.string.flatMap({ Instant($0) }), let to = entry["to"]?.string,
          let text = entry["text"]?.string
        else { throw Failure("a line of the ledger of \(name) can not be read") }
        copies.append(
          Copy(carrier: name, id: id, at: at, to: to, text: text, reference: entry["reference"]?.string))
      }
    }
    return copies.sorted { ($0.at, $0.carrier, $0.id) < ($1.at, $1.carrier, $1.id) }
  }

  /// What a phone shows: the ids of the copies that came.
  func phone(_ number: String) async throws -> Set<String> {
    let answer = try await wire.insist("GET", "\(sandbox)/sandbox/phones/\(number)/messages?limit=1000")
    return Set(answer.json.array?.compactMap { $0["id"]?.string } ?? [])
  }

  /// Brings a receipt that was lost with the carrier, or by it, after all.
  func report(_ copy: Copy, to exchange: String) async {
    guard let hook = hooks[copy.carrier] else { return }
    let body: String
    if copy.carrier == "fast" {
      let seconds = copy.at.milliseconds / 1000
      let receipt = "1#\(copy.id):Switchboard:\(copy.to.dropFirst()):1::\(seconds):\(copy.reference ?? ""):"
      body = "INCOMING=" + (receipt.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    } else {
      body = "msgid=\(copy.id)&dlrstatus=DELIVRD&dlr_err=000&donedate=2601010000"
    }
    _ = await wire.call(
      "POST", exchange + hook, Array(body.utf8),
      headers: [("Content-Type", "application/x-www-form-urlencoded")])
  }
}
