import HTTPClient
import Runtime

/// Makes the calls to the carriers' client.
struct PushSender: Sendable {
  private let core: SandboxCore
  private let client: HTTPClient
  private let log: Logger

  private static let timeout = Duration.seconds(20)

  init(core: SandboxCore, client: HTTPClient, log: Logger) {
    self.core = core
    self.client = client
    self.log = log
  }

  /// Until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        while !Task.isCancelled, let push = core.change({ world, _ in world.takePush() }) {
          group.addTask { await send(from: push) }
        }
        await core.pushes.wait()
      }
    }
  }

  /// This push, and then others as long as there are any: cheaper than a task for each.
  private func send(from first: Push) async {
    var next: Push? = first
    while let push = next {
      let succeeded = await send(push)
      guard !Task.isCancelled else { return }
      next = core.change { world, now in
        world.settle(push, succeeded: succeeded, at: now)
        return world.takePush()
      }
    }
  }

  private func send(_ push: Push) async -> Bool {
    let request = OutgoingRequest(
      method: "POST", url: push.url, headers: [("Content-Type", "application/x-www-form-urlencoded")],
      body: push.body, timeout: Self.timeout, maximumResponse: 65_536, allowsPrivateAddresses: true)
    do {
      let response = try await client.send(request)
      if push.isAcknowledged(status: response.status, body: response.body) { return true }
      log.debug("A client did not take what it was pushed.", ["status": .integer(response.status)])
    } catch {
      log.debug("A client could not be reached with a push.", ["error": .error(error)])
    }
    return false
  }
}
