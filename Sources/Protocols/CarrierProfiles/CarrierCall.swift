/// One HTTP request to a carrier, ready to go.
///
/// Holds passwords and the text: its description shows neither.
package struct CarrierCall: Sendable, Equatable {
  package var method: String
  package var url: String
  package var headers: [Header]
  package var body: [UInt8]

  package struct Header: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(method: String, url: String, headers: [Header] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The first header of that name, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension CarrierCall: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Method, and the address up to its query.
  package var description: String {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    return "\(method) \(address) (\(headers.count) headers, \(body.count) octets)"
  }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: ["call": description]) }
}
