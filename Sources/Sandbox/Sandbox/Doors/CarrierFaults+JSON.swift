import Contract
import Formats
import HTTPSMS

extension CarrierFaults {
  /// Reads a whole set of faults: what is left out is off, and the seed is the one that was there.
  init(
    _ fields: inout SandboxFields, kind: SandboxConfiguration.Carrier.Kind, seed former: UInt64
  ) throws(SandboxRefusal) {
    delay = try fields.milliseconds("delayMs") ?? .zero
    isDown = try fields.bool("down") ?? false
    isSilent = try fields.bool("silent") ?? false
    silentTakes = try fields.bool("silentTakes") ?? false
    refuse = try fields.object("refuse") { (fields) throws(SandboxRefusal) in
      guard let code = try fields.integer("code", in: -1000...1000).map({ Int($0) }) else {
        throw fields.invalid("code", "is missing")
      }
      guard Self.codes(of: kind).contains(code) else {
        throw fields.invalid("code", "is not an error code of this carrier")
      }
      return Refusal(code: code, share: try fields.share("share") ?? 1)
    }
    throttle = try fields.object("throttle") { (fields) throws(SandboxRefusal) in
      guard let rate = try fields.number("perSecond", in: 0.001...1_000_000) else {
        throw fields.invalid("perSecond", "is missing")
      }
      return rate
    }
    receipts =
      try fields.object("receipts") { (fields) throws(SandboxRefusal) in
        Receipts(
          delay: try fields.milliseconds("delayMs") ?? .zero, lost: try fields.share("lost") ?? 0,
          doubled: try fields.share("doubled") ?? 0, beforeAnswer: try fields.share("beforeAnswer") ?? 0,
          shuffled: try fields.share("shuffled") ?? 0)
      } ?? Receipts()
    seed = try fields.integer("seed", in: 0...Int64.max).map { UInt64($0) } ?? former
  }

  private static func codes(of kind: SandboxConfiguration.Carrier.Kind) -> [Int] {
    switch kind {
    case .httpsms: HTTPSMSError.allCases.map(\.rawValue)
    case .smsglobal: Array(1...999)
    }
  }

  func write(to json: inout JSONWriter) {
    json.field("delayMs", delay.inMilliseconds)
    json.field("down", isDown)
    json.field("silent", isSilent)
    json.field("silentTakes", silentTakes)
    if let refuse {
      json.object("refuse") { json in
        json.field("code", refuse.code)
        json.field("share", refuse.share)
      }
    } else {
      json.key("refuse")
      json.null()
    }
    if let throttle {
      json.object("throttle") { json in json.field("perSecond", throttle) }
    } else {
      json.key("throttle")
      json.null()
    }
    json.object("receipts") { json in
      json.field("delayMs", receipts.delay.inMilliseconds)
      json.field("lost", receipts.lost)
      json.field("doubled", receipts.doubled)
      json.field("beforeAnswer", receipts.beforeAnswer)
      json.field("shuffled", receipts.shuffled)
    }
    json.field("seed", seed)
  }
}
