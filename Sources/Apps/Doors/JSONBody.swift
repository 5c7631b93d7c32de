package import Contract
package import Formats
package import Network

extension HTTPRequest {
  /// The body as a JSON object, each of whose fields is read by name; those that nobody read are refused by name.
  /// The query must be empty: what a body says is not said there.
  /// - Throws: `unsupportedMediaType`, `malformedJSON`, `malformedRequest`, `invalidField`, `unknownField`.
  package func jsonObject<Result>(_ read: (inout JSONFields) throws(APIError) -> Result) throws(APIError) -> Result {
    if let type = headers["content-type"] {
      let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
      guard essence == "application/json" else { throw APIError(.unsupportedMediaType) }
    } else if !body.isEmpty {
      throw APIError(.unsupportedMediaType)
    }
    try refuseQuery()
    let value: JSONValue
    // How long it may be is the route's to say, and was looked at before it was read.
    do { value = try JSON.parse(body, limits: JSON.Limits(bytes: body.count)) } catch {
      throw APIError(.malformedJSON, detail: error.description)
    }
    guard let members = value.object else { throw APIError(.invalidField, detail: "the body must be a JSON object") }
    var fields = JSONFields(members)
    let result = try read(&fields)
    try fields.finish()
    return result
  }
}

/// The fields of one JSON object of a request.
package struct JSONFields {
  private var members: [String: JSONValue] = [:]
  private var unread: [String] = []
  private let path: String

  package init(_ members: [JSONValue.Member], path: String = "") {
    self.path = path
    for member in members {
      self.members[member.key] = member.value
      unread.append(member.key)
    }
  }

  /// The field, where it is there and not null.
  package mutating func value(_ name: String) -> JSONValue? {
    unread.removeAll { $0 == name }
    guard let value = members[name], !value.isNull else { return nil }
    return value
  }

  package mutating func string(_ name: String) throws(APIError) -> String? {
    guard let value = value(name) else { return nil }
    guard let string = value.string else { throw invalid(name, "must be a string") }
    // Shown by no phone, and the end of the string to whatever is written in C.
    guard !string.utf8.contains(0) else { throw invalid(name, "has a null character") }
    return string
  }

  package mutating func requiredString(_ name: String) throws(APIError) -> String {
    guard let string = try string(name) else { throw invalid(name, "is missing") }
    return string
  }

  package mutating func bool(_ name: String) throws(APIError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let bool = value.bool else { throw invalid(name, "must be true or false") }
    return bool
  }

  package mutating func instant(_ name: String) throws(APIError) -> Instant? {
    guard let text = try string(name) else { return nil }
    guard let instant = Instant(text) else {
      throw invalid(name, "must be an RFC 3339 time, like 2026-11-30T06:00:00Z")
    }
    return instant
  }

  package mutating func array(_ name: String) throws(APIError) -> [JSONValue]? {
    guard let value = value(name) else { return nil }
    guard let array = value.array else { throw invalid(name, "must be a list") }
    return array
  }

  package func invalid(_ name: String, _ why: String) -> APIError {
    APIError(.invalidField, detail: "\(path)\(name) \(why)")
  }

  /// Refuses fields that nobody read.
  package func finish() throws(APIError) {
    if let name = unread.first { throw APIError(.unknownField, detail: path + name.shortened) }
  }
}

extension String {
  /// As a sentence may repeat it. Scalars, since one character can be as long as a text.
  var shortened: String { String(UnicodeScalarView(unicodeScalars.prefix(60))) }
}
