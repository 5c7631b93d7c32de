/// What is to be pushed, in order for each phone.
///
/// Phones are spread over lanes; a lane has one push in flight at a time, and while that is retried the lane waits.
struct PushLanes {
  static let lanesPerCarrier = 32
  /// Pushes in flight at one time, over all carriers.
  static let concurrency = 32
  /// Items of one push.
  private static let batch = 100
  /// Waits between tries while the lane stands; after the last one the items go out of line.
  private static let retries: [Duration] =
    [.milliseconds(100), .milliseconds(500), .seconds(2), .seconds(5)] + Array(repeating: .seconds(10), count: 5)

  private enum Phase { case idle, ready, inFlight, waiting }

  private struct Lane {
    var items = Ring<PushItem>()
    var phase = Phase.idle
    /// Of the items at the front.
    var inHand = 0
    var tries = 0
  }

  private var lanes: [Lane]
  private var ready = Ring<Int>()
  private var inFlight = 0
  private(set) var count = 0

  init(carriers: Int) { lanes = Array(repeating: Lane(), count: carriers * Self.lanesPerCarrier) }

  static func carrier(of lane: Int) -> Int { lane / lanesPerCarrier }

  private static func lane(_ carrier: Int, _ phone: PhoneNumber) -> Int {
    carrier * lanesPerCarrier + Int((phone.value &* 0x9E37_79B9_7F4A_7C15) >> 59)
  }

  /// How many wait at one carrier.
  func count(ofCarrier carrier: Int) -> Int {
    lanes[carrier * Self.lanesPerCarrier..<(carrier + 1) * Self.lanesPerCarrier].reduce(0) { $0 + $1.items.count }
  }

  var canTake: Bool { inFlight < Self.concurrency && !ready.isEmpty }

  mutating func add(_ item: PushItem, carrier: Int) {
    let lane = Self.lane(carrier, item.phone)
    lanes[lane].items.append(item)
    count += 1
    if lanes[lane].phase == .idle { makeReady(lane) }
  }

  /// The items of the next push; they stay in their lane until `settle`.
  mutating func take() -> (lane: Int, items: [PushItem])? {
    guard inFlight < Self.concurrency, let lane = ready.popFirst() else { return nil }
    var items: [PushItem] = []
    for item in lanes[lane].items.prefix(Self.batch) {
      if let first = items.first, !first.goesWithOthers || first.isReceipt != item.isReceipt { break }
      items.append(item)
    }
    lanes[lane].phase = .inFlight
    lanes[lane].inHand = items.count
    inFlight += 1
    return (lane, items)
  }

  enum Settlement {
    case done
    /// The lane waits for so long; then call `resume`.
    case retry(after: Duration)
    /// The tries are used up, and these are no longer here.
    case gaveUp([PushItem])
  }

  mutating func settle(_ lane: Int, succeeded: Bool) -> Settlement {
    inFlight -= 1
    let tries = lanes[lane].tries
    if !succeeded, tries < Self.retries.count {
      lanes[lane].tries += 1
      lanes[lane].phase = .waiting
      return .retry(after: Self.retries[tries])
    }
    let items = lanes[lane].items.prefix(lanes[lane].inHand)
    lanes[lane].items.removeFirst(items.count)
    lanes[lane].tries = 0
    count -= items.count
    if lanes[lane].items.isEmpty { lanes[lane].phase = .idle } else { makeReady(lane) }
    return succeeded ? .done : .gaveUp(items)
  }

  mutating func resume(_ lane: Int) { if lanes[lane].phase == .waiting { makeReady(lane) } }

  private mutating func makeReady(_ lane: Int) {
    lanes[lane].phase = .ready
    ready.append(lane)
  }
}
