import Contract
package import Database
package import Delivery
package import Doors
package import Exchange
import Formats

/// An account's texts, out and in, for its export.
package enum TextsExport {
  private static let pageLength = 100

  package static func parts(
    database: any Database, outbox: Outbox, inbox: Inbox, routes: @escaping @Sendable () -> RouteTable
  ) -> [ExportPart] {
    [
      ExportPart(name: "messages") { account, cursor in
        let routes = routes()
        return try await database.read { tx in
          let records = try outbox.deliveries(
            of: account, before: cursor.map { DeliveryID($0) }, limit: pageLength, tx: tx)
          let elements = try records.map { record in
            var json = JSONWriter()
            MessageView(record, body: outbox.openedBody(of: record).flatMap { TextBody(bytes: $0) }, routes: routes)
              .write(
                &json, attempts: try outbox.attempts(of: record.id, tx: tx),
                receipts: try outbox.receipts(of: record.id, tx: tx))
            return json.bytes
          }
          return (elements, records.count < pageLength ? nil : records.last?.id.value)
        }
      },
      ExportPart(name: "inbox") { account, cursor in
        try await database.read { tx in
          let records = try inbox.entries(
            of: account, unreadOnly: false, before: cursor.map { InboundID($0) }, limit: pageLength, tx: tx)
          let elements = records.map { record in
            var json = JSONWriter()
            record.write(&json)
            return json.bytes
          }
          return (elements, records.count < pageLength ? nil : records.last?.id.value)
        }
      },
    ]
  }
}
