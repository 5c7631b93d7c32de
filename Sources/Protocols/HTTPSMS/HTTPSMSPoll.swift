/// A client that asks for its receipts and messages: `/ClientDR/ClientDR?UN=…&P=…`.
package struct HTTPSMSPoll: Sendable, Equatable {
  package var user: String
  package var password: String

  /// Some clients write `?&UN=`, which makes a field without a name; it is left alone, like every unknown one.
  package init(fields: [(String, [UInt8])]) throws(HTTPSMSRefusal) {
    var found: [String: String] = [:]
    for (name, value) in fields where name == "UN" || name == "P" {
      guard found.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil else {
        throw .wrong(name, "is there twice")
      }
    }
    guard let user = found["UN"] else { throw .missing("UN") }
    guard let password = found["P"] else { throw .missing("P") }
    guard !user.isEmpty, !password.isEmpty else { throw HTTPSMSRefusal(.badLogin, "UN and P must not be empty.") }
    self.user = user
    self.password = password
  }
}
