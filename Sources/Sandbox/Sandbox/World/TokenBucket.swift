import Contract

/// So many a second, and as many at once.
struct TokenBucket {
  let perSecond: Double
  private var tokens: Double
  private var filledAt: Instant

  init(perSecond: Double, now: Instant) {
    self.perSecond = perSecond
    tokens = max(1, perSecond)
    filledAt = now
  }

  /// A request for more than the bucket holds is granted when it is full.
  mutating func take(_ count: Int, at now: Instant) -> Bool {
    let size = max(1, perSecond)
    if now > filledAt {
      tokens = min(size, tokens + Double((now - filledAt).inMilliseconds) / 1000 * perSecond)
      filledAt = now
    }
    let wanted = min(Double(count), size)
    guard tokens >= wanted else { return false }
    tokens -= wanted
    return true
  }
}
