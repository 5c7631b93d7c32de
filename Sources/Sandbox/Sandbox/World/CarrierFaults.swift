import Contract

/// How a carrier misbehaves. Shares go from 0 (never) to 1 (always).
struct CarrierFaults: Sendable, Equatable {
  struct Refusal: Sendable, Equatable {
    /// One of the carrier's own error codes.
    var code: Int
    var share: Double
  }

  struct Receipts: Sendable, Equatable {
    /// Between a text's arrival and its receipt.
    var delay: Duration = .zero
    var lost = 0.0
    var doubled = 0.0
    /// The receipt is with the client before the answer to the submission is.
    var beforeAnswer = 0.0
    /// Comes up to a second late, and so after others that were sent later.
    var shuffled = 0.0
  }

  /// Before each answer, on the sandbox's clock.
  var delay: Duration = .zero
  /// Answers nothing but 503 and closes the connection.
  var isDown = false
  /// Reads requests and never answers them.
  var isSilent = false
  /// Whether a silent carrier takes the messages all the same.
  var silentTakes = false
  var refuse: Refusal?
  /// Messages a second; what is beyond is refused as throughput exceeded.
  var throttle: Double?
  var receipts = Receipts()
  var seed: UInt64 = 1

  /// Whether the carrier behaves.
  var isOff: Bool {
    var none = CarrierFaults()
    none.seed = seed
    none.silentTakes = silentTakes
    return self == none
  }
}
