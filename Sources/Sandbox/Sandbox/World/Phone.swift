import Contract

/// A message as its phone shows it.
struct PhoneMessage: Sendable, Equatable {
  var id: UInt64
  var at: Instant
  var to: String
  var from: String
  var text: String
  /// Hexadecimal digits of a message that is no text.
  var binary: String?
  var parts: Int
  var isSent: Bool
}

/// One phone of the world.
struct Phone {
  /// How an answer to a number finds its way back.
  struct Route {
    /// The number as it stands on the wire.
    var from: String
    var carrier: Int
    /// SMSGlobal's, of the last text from there.
    var userfield: String?
  }

  fileprivate(set) var messages = Ring<(number: UInt64, message: PhoneMessage)>()
  /// The last ones, the newest at the end.
  private(set) var routes: [Route] = []

  private static let routeLimit = 64

  func route(to number: String) -> Route? { routes.last { $0.from == number } }

  mutating func remember(_ route: Route) {
    if let last = routes.indices.last, routes[last].from == route.from {
      routes[last] = route
      return
    }
    routes.removeAll { $0.from == route.from }
    if routes.count == Self.routeLimit { routes.removeFirst() }
    routes.append(route)
  }
}

/// Every phone that was ever texted, within bounds.
struct PhoneBook {
  private let bounds: SandboxConfiguration.Bounds
  private var phones: [PhoneNumber: Phone] = [:]
  private var order = Ring<PhoneNumber>()
  /// Every message once, in the order of arrival, also those that their phone has dropped already.
  private var arrivals = Ring<(phone: PhoneNumber, number: UInt64)>()
  private var lastNumber: UInt64 = 0

  /// Of those phones that do not behave as all do.
  private(set) var behaviours: [PhoneNumber: PhoneBehaviour] = [:]
  var defaultBehaviour = PhoneBehaviour()
  static let behaviourLimit = 10_000

  init(bounds: SandboxConfiguration.Bounds) { self.bounds = bounds }

  subscript(number: PhoneNumber) -> Phone? { phones[number] }

  func behaviour(of number: PhoneNumber) -> PhoneBehaviour {
    behaviours.isEmpty ? defaultBehaviour : behaviours[number] ?? defaultBehaviour
  }

  /// - Returns: false when too many phones have a behaviour of their own.
  mutating func setBehaviour(_ behaviour: PhoneBehaviour, of number: PhoneNumber) -> Bool {
    guard behaviours[number] != nil || behaviours.count < Self.behaviourLimit else { return false }
    behaviours[number] = behaviour
    return true
  }

  mutating func add(_ message: PhoneMessage, to number: PhoneNumber, from route: Phone.Route? = nil) {
    if phones[number] == nil {
      order.append(number)
      if phones.count >= bounds.phones, let oldest = order.popFirst() { phones[oldest] = nil }
    }
    lastNumber += 1
    phones[number, default: Phone()].add(message, lastNumber, route, bounds.messagesPerPhone)
    arrivals.append((number, lastNumber))
    while arrivals.count > bounds.messages, let oldest = arrivals.popFirst() {
      phones[oldest.phone]?.drop(oldest.number)
    }
  }

  /// Phones that were texted and phones with a behaviour of their own, in the order of their numbers.
  func numbers(after cursor: PhoneNumber?, limit: Int) -> [PhoneNumber] {
    let all = Array(phones.keys) + behaviours.keys.filter { phones[$0] == nil }
    return Array(all.filter { $0.value > cursor?.value ?? 0 }.sorted { $0.value < $1.value }.prefix(limit))
  }

  /// The phones that had the newest messages, each with its last one.
  func newest(_ limit: Int) -> [(PhoneNumber, PhoneMessage?)] {
    var seen: Set<PhoneNumber> = []
    let recent = arrivals.suffix(limit * 10).reversed().map(\.phone).filter { seen.insert($0).inserted }
    let idle = behaviours.keys.filter { !seen.contains($0) }.sorted { $0.value < $1.value }
    return (recent + idle).prefix(limit).map { ($0, phones[$0]?.messages.last?.message) }
  }
}

extension Phone {
  fileprivate mutating func add(_ message: PhoneMessage, _ number: UInt64, _ route: Route?, _ bound: Int) {
    messages.append((number, message))
    if messages.count > bound { _ = messages.popFirst() }
    if let route { remember(route) }
  }

  fileprivate mutating func drop(_ number: UInt64) {
    if messages.first?.number == number { _ = messages.popFirst() }
  }
}
