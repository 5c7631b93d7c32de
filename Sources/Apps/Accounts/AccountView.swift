import Contract
import Exchange
import Formats

extension AccountRecord {
  /// As the API shows it.
  func write(_ json: inout JSONWriter) {
    json.object { json in
      json.field("id", id)
      json.field("phone", phone)
      json.field("name", name)
      json.field("role", role.rawValue)
      json.field("locale", locale)
      json.field("zone", zone)
      json.field("region", region)
      json.field("currency", currency)
      json.field("createdAt", created)
    }
  }
}
