/// What the sandbox is made of when it starts; most of it can be changed later under `/sandbox`.
package struct SandboxConfiguration: Sendable {
  /// One carrier. Carriers of one kind share an address and are told apart by their users.
  package struct Carrier: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
      /// CardBoardFish's interface: `/HTTPSMS` and `/ClientDR/ClientDR`.
      case httpsms
      /// SMSGlobal's: `/http-api.php`.
      case smsglobal
    }

    package var name: String
    package var kind: Kind
    package var user: String
    package var password: String
    /// Numbers that belong to the carrier's client: what a phone texts to one of them comes to this carrier.
    package var numbers: [String]
    /// Where receipts are pushed. Without it HTTPSMS keeps them for a poll, and SMSGlobal gives none.
    package var receiptURL: String?
    /// Where incoming messages are pushed. Without it HTTPSMS keeps them for a poll, and SMSGlobal takes none.
    package var incomingURL: String?
    /// SMSGlobal's times come in the zone of the account; this is its offset from UTC.
    package var zoneOffset: Duration

    package init(
      name: String, kind: Kind, user: String = "sandbox", password: String = "sandbox", numbers: [String] = [],
      receiptURL: String? = nil, incomingURL: String? = nil, zoneOffset: Duration = .seconds(36_000)
    ) {
      self.name = name
      self.kind = kind
      self.user = user
      self.password = password
      self.numbers = numbers
      self.receiptURL = receiptURL
      self.incomingURL = incomingURL
      self.zoneOffset = zoneOffset
    }
  }

  /// How much is kept in memory. What is beyond goes, the oldest first.
  package struct Bounds: Sendable {
    package var phones = 100_000
    package var messagesPerPhone = 1000
    package var messages = 100_000
    /// Receipts and messages for a client that polls, per carrier.
    package var polled = 100_000
    /// Receipts, answers and pushes that are still to come. A carrier that has more of them takes nothing new.
    package var waiting = 200_000
    /// Bytes of each carrier's ledger, where there is no folder for it.
    package var ledger = 64 << 20

    package init() {}
  }

  package var host: String
  /// 0 takes a free one.
  package var port: Int
  /// Whether `host` may be an address that other machines reach. The sandbox asks nobody for a password.
  package var allowsOtherMachines: Bool
  /// Names, beside `localhost` and numeric addresses, under which browsers and programs may ask.
  package var hostNames: [String]
  /// Where the ledgers are kept; made when it is not there. nil keeps them in memory.
  package var dataFolder: String?
  package var carriers: [Carrier]
  /// Of the shares of faults: the same seed and the same requests make the same faults.
  package var seed: UInt64
  package var bounds: Bounds

  package static let defaultPort = 8090
  package static let defaultCarriers = [
    Carrier(name: "fast", kind: .httpsms), Carrier(name: "global", kind: .smsglobal),
  ]

  package init(
    host: String = "127.0.0.1", port: Int = defaultPort, allowsOtherMachines: Bool = false, hostNames: [String] = [],
    dataFolder: String? = nil, carriers: [Carrier] = defaultCarriers, seed: UInt64 = 1, bounds: Bounds = Bounds()
  ) {
    self.host = host
    self.port = port
    self.allowsOtherMachines = allowsOtherMachines
    self.hostNames = hostNames
    self.dataFolder = dataFolder
    self.carriers = carriers
    self.seed = seed
    self.bounds = bounds
  }

  func validate() throws(SandboxError) {
    guard allowsOtherMachines || HostRule.isLoopback(host) else { throw .notLoopback }
    var names: Set<String> = []
    var users: Set<String> = []
    for carrier in carriers {
      guard Self.isName(carrier.name) else { throw .invalidName }
      guard names.insert(carrier.name).inserted else { throw .doubledName(carrier.name) }
      guard !carrier.user.isEmpty, !carrier.password.isEmpty else { throw .emptyCredentials(carrier.name) }
      guard users.insert("\(carrier.kind) \(carrier.user)").inserted else { throw .doubledUser(carrier.name) }
    }
  }

  /// A carrier's name is part of a path and of a file's name.
  private static func isName(_ name: String) -> Bool {
    (1...40).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}

/// Why the sandbox does not start.
package enum SandboxError: Error, Equatable, CustomStringConvertible {
  case notLoopback
  case invalidName
  case doubledName(String)
  case doubledUser(String)
  case emptyCredentials(String)
  /// Another sandbox writes in this folder.
  case ledgerInUse(String)
  case folderUnusable(String)
  case ledgerUnusable(String, errno: Int32)
  case ledgerDamaged(String)

  package var description: String {
    switch self {
    case .notLoopback:
      "The sandbox listens on this machine's own addresses only, as it asks nobody for a password. "
        + "Use 127.0.0.1, or say that other machines may reach it."
    case .invalidName: "A carrier's name has 1 to 40 small letters, digits and hyphens."
    case .doubledName(let name): "Two carriers of the sandbox have the name \(name)."
    case .doubledUser(let name):
      "The carrier \(name) has the same user as another of its kind; they are told apart by it."
    case .emptyCredentials(let name): "The carrier \(name) needs a user and a password."
    case .ledgerInUse(let path): "Another sandbox uses \(path). Stop it, or give this one another folder."
    case .folderUnusable(let path): "The sandbox's folder \(path) can not be made. Make it yourself, or name another."
    case .ledgerUnusable(let path, let code): "The ledger \(path) can not be used (error \(code)). Nothing was changed."
    case .ledgerDamaged(let path):
      "The last line of the ledger \(path) can not be read. Nothing was changed; move the file away and start again."
    }
  }
}
