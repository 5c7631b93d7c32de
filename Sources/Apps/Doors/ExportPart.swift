package import Contract

/// What a room has of an account, for the export of all of it: a list under a name, read page by page.
package struct ExportPart: Sendable {
  package let name: String
  /// The JSON of the next elements after a cursor, and the cursor of the page after them; nil at the end.
  package let page:
    @Sendable (_ account: AccountID, _ cursor: ID128?) async throws -> (elements: [[UInt8]], next: ID128?)

  package init(
    name: String,
    page: @escaping @Sendable (AccountID, ID128?) async throws -> (elements: [[UInt8]], next: ID128?)
  ) {
    self.name = name
    self.page = page
  }
}
