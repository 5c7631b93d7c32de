package import Contract
package import Database
package import Doors
package import Exchange
import Formats
package import Network
package import Runtime

/// `/api/v1/account/export`: everything that there is of one's account, as one JSON document.
package struct ExportDoor: Sendable {
  private let door: APIDoor
  private let database: any Database
  private let accounts: AccountStore
  private let outbox: Outbox
  private let parts: [ExportPart]
  private let currency: String?
  private let clock: any WallClock

  /// - Parameters:
  ///   - parts: what the other rooms have.
  ///   - currency: of the prices.
  package init(
    door: APIDoor, database: any Database, accounts: AccountStore, outbox: Outbox, parts: [ExportPart],
    currency: String?, clock: any WallClock
  ) {
    self.door = door
    self.database = database
    self.accounts = accounts
    self.outbox = outbox
    self.parts = parts
    self.currency = currency
    self.clock = clock
  }

  package func routes(_ router: inout Router) {
    router.on("GET", "/api/v1/account/export") { request in
      await door.answer(request, scope: nil) { try await export(request, $0) }
    }
  }

  private func export(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
    try request.refuseQuery()
    let session = try caller.session()
    let now = clock.now
    let head = try await head(of: caller.account, session, at: now)
    let account = caller.account.id
    var response = HTTPResponse(contentType: "application/json") { writer in
      try await write(head, account) { try await writer.write($0) }
    }
    response.headers.add(
      "content-disposition", "attachment; filename=\"switchboard-\(now.description.prefix(10)).json\"")
    response.headers.add("cache-control", "no-store")
    response.headers.add("x-content-type-options", "nosniff")
    return response
  }

  /// What is small: all but the end of the object.
  package func head(of account: AccountRecord, _ session: SessionID, at now: Instant) async throws -> [UInt8] {
    let (sessions, keys, terms, days) = try await database.read { [accounts, outbox] tx in
      (
        try accounts.sessions(of: account.id, at: now, tx: tx), try accounts.keys(of: account.id, tx: tx),
        try TermsStore.accepted(by: account.id, tx: tx), try outbox.spending(of: account.id, tx: tx)
      )
    }
    let whole = JSONWriter.object { json in
      json.field("exportedAt", now)
      json.key("account")
      account.write(&json)
      json.field("terms", terms) { json, terms in
        json.object { json in
          json.field("version", terms.version)
          json.field("acceptedAt", terms.at)
        }
      }
      json.field("sessions", sessions) { $1.write(&$0, current: session) }
      json.field("keys", keys) { json, key in
        json.object { json in
          json.field("id", key.id)
          json.field("name", key.name)
          json.field("scopes", key.scopes.map(\.rawValue).sorted()) { $0.string($1) }
          json.field("createdAt", key.created)
        }
      }
      json.field("spending", days) { json, day in
        json.object { json in
          json.field("day", String(Instant(milliseconds: day.day * 86_400_000).description.prefix(10)))
          json.field("amount", Price(micros: day.micros, currency: "").amount)
          json.field("currency", currency)
        }
      }
    }
    return Array(whole.dropLast())
  }

  /// Goes page by page, so that it holds up neither the writer nor the memory however much there is.
  package func write(_ head: [UInt8], _ account: AccountID, to send: ([UInt8]) async throws -> Void) async throws {
    try await send(head)
    for part in parts {
      var json = JSONWriter()
      json.string(part.name)
      try await send(Array(",".utf8) + json.bytes + Array(":[".utf8))
      var cursor: ID128?
      var isFirst = true
      repeat {
        let page = try await part.page(account, cursor)
        for element in page.elements {
          try await send((isFirst ? [] : [UInt8(ascii: ",")]) + element)
          isFirst = false
        }
        cursor = page.next
      } while cursor != nil
      try await send([UInt8(ascii: "]")])
    }
    try await send(Array("}\n".utf8))
  }
}
