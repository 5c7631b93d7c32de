import Contract
package import Database
package import Doors
package import Exchange
import Formats
package import Network

/// `GET /api/v1/senders`: the numbers of ours that an account may send from.
package struct SendersDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let carriers: CarrierStore

  package init(door: APIDoor, database: any Database, carriers: CarrierStore) {
    self.door = door
    self.database = database
    self.carriers = carriers
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/senders") { request in
      await door.answer(request, scope: .messagesSend) { try await list(request, $0) }
    }
  }

  private func list(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    let account = caller.account.id
    let senders = try await database.read { [carriers] tx in try carriers.senders(of: account, tx: tx) }
    return .json(200, JSONWriter.object { json in json.field("items", senders) { $0.string($1) } })
  }
}
