import Foundation
import Testing

/// One request that must be refused, with the code and a word that the answer must have.
struct BadRequest: Sendable, CustomTestStringConvertible {
  let what: String
  let method: String
  let path: String
  let headers: [(name: String, value: String)]
  var body: [UInt8]?
  let status: Int
  let code: String
  /// What the answer's detail names: the field, the limit, the place.
  let names: String

  var testDescription: String { what }

  init(
    _ what: String, _ method: String, _ path: String, _ body: String,
    headers: [(name: String, value: String)] = [("Content-Type", "application/json")], _ status: Int, _ code: String,
    names: String = ""
  ) {
    self.what = what
    self.method = method
    self.path = path
    self.body = Array(body.utf8)
    self.headers = headers
    self.status = status
    self.code = code
    self.names = names
  }

  /// One without a body.
  init(_ what: String, _ method: String, _ path: String, _ status: Int, _ code: String, names: String = "") {
    self.init(what, method, path, "", headers: [], status, code, names: names)
    body = nil
  }

  /// A message that is good but for one field.
  static func message(_ field: String, _ code: String, names: String) -> BadRequest {
    let name = field.prefix { $0 != ":" }
    var fields = [#""to":"+358401234567""#, #""text":"Hello""#].filter { !$0.hasPrefix(name + ":") }
    fields.append(field)
    let shown = field.count > 60 ? field.prefix(60) + "…" : field[...]
    return BadRequest(
      "a message with \(shown)", "POST", "/api/v1/messages", "{\(fields.joined(separator: ","))}", 422, code,
      names: names)
  }
}
