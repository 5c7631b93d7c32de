/// A whole answer to an `OutgoingRequest`, whatever its status.
package struct OutgoingResponse: Sendable {
  package var status: Int
  /// In the order of the wire; trailers are left out.
  package var headers: [(name: String, value: String)]
  /// As it came: a `Content-Encoding` is not undone (none is asked for).
  package var body: [UInt8]

  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header of that name, in whatever case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.equalsIgnoringCase(name) }?.value
  }
}

extension OutgoingResponse: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without headers and body.
  package var description: String { "status \(status) with \(body.count) bytes" }
  package var debugDescription: String { description }
}
