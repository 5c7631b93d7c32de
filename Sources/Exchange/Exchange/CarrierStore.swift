package import Contract
package import Cryptography
package import Database
package import Delivery
import Formats

/// A carrier as the operator configured it: a profile, and what the profile asks for.
package struct CarrierRecord: Sendable, Equatable {
  /// The number under which deliveries name it; never used again.
  package var number: Int
  package var name: String
  package var profile: String
  package var channel: Channel
  /// The profile's settings, secrets among them: never logged.
  package var settings: [String: String]
  /// What its callbacks carry in their path.
  package var callbackSecret: String
  package var isEnabled: Bool
  package var rank: Int
  package var prefixes: [String]
  /// Whether it may be reached at a private address.
  package var allowsPrivateAddresses: Bool
  /// Whether it is asked for receipts and texts, because it can not reach us.
  package var isPolled: Bool
  /// Nil for the profile's own.
  package var partsPerSecond: Double?
  package var window: Int?
  package var created: Instant
  /// False where the settings were encrypted with another master key: they are empty then.
  package var isReadable = true

  package init(
    number: Int = 0, name: String, profile: String, channel: Channel = .sms, settings: [String: String],
    callbackSecret: String, isEnabled: Bool = true, rank: Int = 100, prefixes: [String] = [],
    allowsPrivateAddresses: Bool = false, isPolled: Bool = false, partsPerSecond: Double? = nil, window: Int? = nil,
    created: Instant = Instant(milliseconds: 0)
  ) {
    self.number = number
    self.name = name
    self.profile = profile
    self.channel = channel
    self.settings = settings
    self.callbackSecret = callbackSecret
    self.isEnabled = isEnabled
    self.rank = rank
    self.prefixes = prefixes
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.isPolled = isPolled
    self.partsPerSecond = partsPerSecond
    self.window = window
    self.created = created
  }

  /// Whether it was taken out of service for good: no name that can be given has a tilde.
  package var isRetired: Bool { !isEnabled && name.utf8.contains(0x7E) }

  package var route: RouteTable.Carrier {
    RouteTable.Carrier(
      number: number, name: name, channel: channel, isEnabled: isEnabled, rank: rank, prefixes: prefixes)
  }

  /// A name that stands in addresses and timelines.
  package static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}

/// The configured carriers, and the numbers of ours.
package struct CarrierStore: Sendable {
  private let key: MasterKey
  private static let purpose: MasterKey.Purpose = "carrier.settings"

  package init(key: MasterKey) { self.key = key }

  /// - Throws: `DatabaseError.uniqueViolation` where the name is taken.
  package func create(_ carrier: CarrierRecord, at now: Instant, tx: any Transaction) throws -> Int {
    let number = try tx.first("SELECT COALESCE(MAX(number), 0) + 1 FROM carriers") { $0.int(0) } ?? 1
    try tx.run(
      """
      INSERT INTO carriers (number, name, profile, channel, settings, enabled, rank, prefixes, allows_private,
        polled, parts_per_second, window, created, updated)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
      """,
      [
        .integer(number), .text(carrier.name), .text(carrier.profile), .integer(carrier.channel.rawValue),
        .bytes(seal(carrier)), .bool(carrier.isEnabled), .integer(carrier.rank),
        .text(carrier.prefixes.joined(separator: " ")), .bool(carrier.allowsPrivateAddresses), .bool(carrier.isPolled),
        .integer(carrier.partsPerSecond.map(Self.thousandths)), .integer(carrier.window), .instant(now),
      ])
    return number
  }

  private static func thousandths(_ rate: Double) -> Int64 {
    Int64(CarrierPace.Limits(partsPerSecond: rate).partsPerSecond * 1000)
  }

  package func carriers(tx: any Transaction) throws -> [CarrierRecord] {
    try tx.all(
      """
      SELECT number, name, profile, channel, settings, enabled, rank, prefixes, allows_private, polled,
        parts_per_second, window, created
      FROM carriers ORDER BY number
      """, [], read)
  }

  /// Gives a carrier other settings; its callbacks stay.
  package func setSettings(
    _ settings: [String: String], of carrier: CarrierRecord, at now: Instant, tx: any Transaction
  ) throws {
    var carrier = carrier
    carrier.settings = settings
    try tx.run(
      "UPDATE carriers SET settings = $2, updated = $3 WHERE number = $1",
      [.integer(carrier.number), .bytes(seal(carrier)), .instant(now)])
  }

  package func setEnabled(_ isEnabled: Bool, name: String, at now: Instant, tx: any Transaction) throws -> Bool {
    try tx.run(
      "UPDATE carriers SET enabled = $2, updated = $3 WHERE name = $1",
      [.text(name), .bool(isEnabled), .instant(now)]) > 0
  }

  /// Takes it out of service for good; its rows keep their history, and its name may be used again.
  package func retire(name: String, at now: Instant, tx: any Transaction) throws -> Bool {
    let number = try tx.first("SELECT number FROM carriers WHERE name = $1", [.text(name)]) { $0.int(0) }
    guard let number else { return false }
    try tx.run("DELETE FROM carrier_numbers WHERE carrier = $1", [.integer(number)])
    return try tx.run(
      "UPDATE carriers SET enabled = 0, name = $2, settings = $3, updated = $4 WHERE number = $1",
      [.integer(number), .text("\(name)~\(number)"), .bytes([]), .instant(now)]) > 0
  }

  /// A number of ours: texts to it belong to `account`, or, without one, to whoever wrote to their sender last.
  package func assign(_ address: String, to carrier: Int, account: AccountID?, tx: any Transaction) throws {
    try tx.run(
      """
      INSERT INTO carrier_numbers (address, carrier, account) VALUES ($1, $2, $3)
      ON CONFLICT (address) DO UPDATE SET carrier = $2, account = $3
      """, [.text(address), .integer(carrier), .id(account)])
  }

  /// The numbers of ours, by carrier.
  package func numbers(tx: any Transaction) throws -> [Int: [String]] {
    var numbers: [Int: [String]] = [:]
    try tx.rows("SELECT carrier, address FROM carrier_numbers ORDER BY address", []) { row in
      numbers[row.int(0), default: []].append(row.text(1))
    }
    return numbers
  }

  /// The numbers of ours that an account may send from: its own, and those that all share, of carriers in service.
  package func senders(of account: AccountID, tx: any Transaction) throws -> [String] {
    try tx.all(
      """
      SELECT address FROM carrier_numbers JOIN carriers ON carriers.number = carrier_numbers.carrier
      WHERE (account = $1 OR account IS NULL) AND enabled = 1 AND channel = $2
      ORDER BY account IS NULL, address
      """, [.id(account), .integer(Channel.sms.rawValue)]
    ) { $0.text(0) }
  }

  private func seal(_ carrier: CarrierRecord) -> [UInt8] {
    key.seal(
      JSONWriter.object { json in
        json.field("callbackSecret", carrier.callbackSecret)
        json.object("settings") { json in
          for (name, value) in carrier.settings.sorted(by: { $0.key < $1.key }) {
            json.key(dynamic: name)
            json.string(value)
          }
        }
      }, purpose: Self.purpose)
  }

  private func read(_ row: any Row) -> CarrierRecord {
    let sealed = row.bytes(4)
    // One that can not be read must not keep all others out of service.
    let opened = sealed.isEmpty ? .object([]) : try? JSON.parse(key.open(sealed, purpose: Self.purpose))
    var settings: [String: String] = [:]
    for member in opened?["settings"]?.object ?? [] { settings[member.key] = member.value.string }
    var record = CarrierRecord(
      number: row.int(0), name: row.text(1), profile: row.text(2), channel: Channel(rawValue: row.int(3)) ?? .sms,
      settings: settings, callbackSecret: opened?["callbackSecret"]?.string ?? "", isEnabled: row.bool(5),
      rank: row.int(6), prefixes: row.text(7).split(separator: " ").map(String.init),
      allowsPrivateAddresses: row.bool(8), isPolled: row.bool(9),
      partsPerSecond: row.integerIfPresent(10).map { Double($0) / 1000 },
      window: row.integerIfPresent(11).map(Int.init), created: row.instant(12))
    record.isReadable = opened != nil
    return record
  }
}
