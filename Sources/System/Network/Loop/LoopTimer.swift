import Contract

/// One deadline that moves often and rarely comes: moving it later costs one store.
///
/// Used on its loop's thread only.
package final class LoopTimer {
  private unowned let loop: EventLoop
  private var due = Int64.max
  private var inWheelAt = Int64.max
  private var action: (() -> Void)?

  package init(loop: EventLoop, action: @escaping () -> Void) {
    self.loop = loop
    self.action = action
  }

  package var isSet: Bool { due != .max }

  /// Calls the action once, `milliseconds` from now or up to a tick later, instead of when it was set before.
  package func set(milliseconds: Int64) {
    guard action != nil else { return }
    due = loop.now + min(max(milliseconds, 0), 1 << 40)
    if due < inWheelAt { inWheelAt = loop.insert(self, at: due) }
  }

  package func set(_ duration: Duration) { set(milliseconds: duration.inMilliseconds) }

  package func clear() { due = .max }

  /// Lets go of the action for good.
  package func invalidate() {
    due = .max
    action = nil
  }

  /// The wheel gave the timer back.
  func cameBack(at time: Int64) {
    // An earlier entry may have replaced this one.
    guard time == inWheelAt else { return }
    inWheelAt = .max
    if due == .max { return }
    if due <= loop.now {
      due = .max
      action?()
    } else {
      inWheelAt = loop.insert(self, at: due)
    }
  }
}
