/// The loops of a program, started at once.
package final class EventLoopGroup: Sendable {
  package let loops: [EventLoop]

  /// - Parameter count: threads; one serves tens of thousands of requests a second.
  package init(count: Int = 1) throws(SystemError) {
    var loops: [EventLoop] = []
    for index in 0..<max(1, count) {
      do { loops.append(try EventLoop(name: "loop-\(index)")) } catch {
        for loop in loops { loop.stop() }
        throw error
      }
    }
    self.loops = loops
  }

  deinit { stop() }

  /// The loops close what they watch and end after their last task. Stop the services on them first.
  package func stop() { for loop in loops { loop.stop() } }
}
