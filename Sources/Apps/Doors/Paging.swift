package import Contract
package import Formats
package import Network

/// `?limit=&cursor=` of every list: newest first, and stable while new ones are added, since the cursor is the id of the
/// last one shown.
package struct Paging<Kind: IdentifierKind>: Sendable {
  package let limit: Int
  package let cursor: Identifier<Kind>?

  /// - Parameter others: names of further query items that the list knows.
  package init(_ request: HTTPRequest, knows others: Set<String> = []) throws(APIError) {
    var limit = 50
    var cursor: Identifier<Kind>?
    for (name, value) in try request.query(knows: others.union(["limit", "cursor"])) {
      switch name {
      case "limit":
        guard let number = Int(value), (1...1000).contains(number) else {
          throw APIError(.invalidField, detail: "limit is a number from 1 to 1000")
        }
        limit = number
      case "cursor":
        guard let id = Identifier<Kind>(value) else { throw APIError(.invalidCursor) }
        cursor = id
      default: break
      }
    }
    self.limit = limit
    self.cursor = cursor
  }

  /// `{"items": […], "next": cursor or null}`; `found` has one more than the limit where there is more.
  package func page<Item>(
    _ found: [Item], id: (Item) -> Identifier<Kind>, _ write: (inout JSONWriter, Item) -> Void
  ) -> HTTPResponse {
    let shown = found.prefix(limit)
    return .json(
      200,
      JSONWriter.object { json in
        json.field("items", Array(shown)) { write(&$0, $1) }
        json.field("next", found.count > limit ? shown.last.map { id($0).description } : nil)
      })
  }
}

extension HTTPRequest {
  /// The query, each name once, all of them known.
  package func query(knows known: Set<String>) throws(APIError) -> [String: String] {
    guard let items = queryItems() else { throw APIError(.malformedRequest, detail: "the query is not well formed") }
    var values: [String: String] = [:]
    for (name, value) in items {
      guard known.contains(name) else { throw APIError(.unknownField, detail: name.shortened) }
      guard values.updateValue(value, forKey: name) == nil else {
        throw APIError(.malformedRequest, detail: "\(name.shortened) is given twice")
      }
    }
    return values
  }

  /// For what has no query.
  package func refuseQuery() throws(APIError) { _ = try query(knows: []) }
}
