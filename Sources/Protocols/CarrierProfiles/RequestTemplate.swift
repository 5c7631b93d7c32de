import Cryptography

/// How one request to the carrier is made: the address, headers and body, all with slots.
struct RequestTemplate: Sendable {
  enum Body: Sendable {
    case none
    case form([FieldTemplate])
    case json(JSONTemplate)
    case xml(Template)
  }

  enum Authorization: Sendable {
    case none
    /// RFC 7617.
    case basic(user: Template, password: Template)
    /// RFC 6750 section 2.1.
    case bearer(Template)
  }

  let method: String
  let url: Template
  let query: [FieldTemplate]
  let headers: [FieldTemplate]
  let authorization: Authorization
  let body: Body

  /// nil when something in it has no value that must have one: the address, the sign-in, a whole body.
  func call(_ values: SlotValues, kinds: [String: SettingField.Kind]) -> CarrierCall? {
    var address: [UInt8] = []
    address.reserveCapacity(256)
    guard renderAddress(values, kinds, to: &address) else { return nil }
    if !query.isEmpty {
      let mark = address.count
      FieldTemplate.appendForm(query, values, to: &address)
      if address.count > mark { address.insert(UInt8(ascii: "?"), at: mark) }
    }

    var call = CarrierCall(method: method, url: String(decoding: address, as: UTF8.self))
    call.headers.reserveCapacity(headers.count + 2)
    guard appendAuthorization(values, to: &call) else { return nil }
    for header in headers {
      var value: [UInt8] = []
      if header.render(values, in: .header, to: &value) {
        call.headers.append(.init(header.name, String(decoding: value, as: UTF8.self)))
      }
    }
    switch body {
    case .none: break
    case .form(let fields):
      call.body.reserveCapacity(512)
      FieldTemplate.appendForm(fields, values, to: &call.body)
      call.headers.append(.init("Content-Type", "application/x-www-form-urlencoded"))
    case .json(let json):
      call.body.reserveCapacity(512)
      guard json.render(values, to: &call.body) else { return nil }
      call.headers.append(.init("Content-Type", "application/json"))
    case .xml(let xml):
      guard xml.render(values, in: .xml, to: &call.body) else { return nil }
      call.headers.append(.init("Content-Type", "text/xml; charset=utf-8"))
    }
    return call
  }

  private func renderAddress(
    _ values: SlotValues, _ kinds: [String: SettingField.Kind], to output: inout [UInt8]
  ) -> Bool {
    for segment in url.segments {
      switch segment {
      case .literal(let octets): output += octets
      case .slot(let slot):
        var place = Place.url
        if case .setting(let name) = slot, let kind = kinds[name], kind == .url || kind == .host { place = .rawURL }
        guard values.with(slot, { place.append($0, to: &output) }) else { return false }
        // An address in a setting may end in a slash; the template's next one follows.
        if place.isRaw, output.last == UInt8(ascii: "/") { output.removeLast() }
      }
    }
    return true
  }

  private func appendAuthorization(_ values: SlotValues, to call: inout CarrierCall) -> Bool {
    switch authorization {
    case .none: return true
    case .basic(let user, let password):
      var pair: [UInt8] = []
      guard user.render(values, in: .plain, to: &pair) else { return false }
      pair.append(UInt8(ascii: ":"))
      guard password.render(values, in: .plain, to: &pair) else { return false }
      call.headers.append(.init("Authorization", "Basic " + Base64.encode(pair)))
    case .bearer(let token):
      var value = Array("Bearer ".utf8)
      guard token.render(values, in: .header, to: &value) else { return false }
      call.headers.append(.init("Authorization", String(decoding: value, as: UTF8.self)))
    }
    return true
  }
}

extension Place {
  var isRaw: Bool { if case .rawURL = self { true } else { false } }
}

/// A named value of a query, a form or the headers, with alternatives: the first whose condition holds and whose slots
/// all have something is taken. Where none is, the field is left out.
struct FieldTemplate: Sendable {
  struct Choice: Sendable {
    let condition: Condition?
    let value: Template
  }

  let name: String
  let choices: [Choice]

  func render(_ values: SlotValues, in place: Place, to output: inout [UInt8]) -> Bool {
    for choice in choices where choice.condition?.holds(for: values) ?? true {
      if choice.value.render(values, in: place, to: &output) { return true }
    }
    return false
  }

  static func appendForm(_ fields: [FieldTemplate], _ values: SlotValues, to output: inout [UInt8]) {
    var isFirst = true
    for field in fields {
      let start = output.count
      if !isFirst { output.append(UInt8(ascii: "&")) }
      var name = field.name
      name.withUTF8 { Place.url.append($0, to: &output) }
      output.append(UInt8(ascii: "="))
      if field.render(values, in: .url, to: &output) {
        isFirst = false
      } else {
        output.removeLast(output.count - start)
      }
    }
  }
}
