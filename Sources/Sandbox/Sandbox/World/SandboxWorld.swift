import Contract
import Formats
import Foundation
import HTTPSMS
import Runtime

/// The outside world: carriers, phones, and what is still to happen between them.
///
/// It knows no socket and no clock: calls say what happens and when, and `takeEffects` says what the shell has to do.
struct SandboxWorld {
  enum Event {
    /// A text reaches its phone.
    case arrival(TextInTransit)
    case receipt(TextInTransit, ReceiptOutcome)
    case push(PushItem, carrier: Int)
    /// A phone answers a number.
    case answer(from: PhoneNumber, to: String, text: String)
    case resumeLane(Int)
    /// An answer of a carrier has waited long enough.
    case release(UInt64)
  }

  enum ReceiptOutcome { case delivered, failed, expired }

  /// A text that a carrier has accepted, for one phone.
  struct TextInTransit {
    var id: UInt64
    var carrier: Int
    var to: PhoneNumber
    var from: Sender
    var text: String
    var binary: String?
    var parts: Int
    /// HTTPSMS's `UR` or SMSGlobal's `userfield`.
    var reference: String?
    var wantsReceipt: Bool
    var expires: Instant
  }

  /// What the shell has to do after a call.
  struct Effects {
    /// Answers that may go now.
    var released: [UInt64] = []
    var hasPushes = false
    /// Something of the agenda is due earlier than was known.
    var isDueEarlier = false
  }

  let bounds: SandboxConfiguration.Bounds
  var carriers: [CarrierState]
  var phones: PhoneBook
  var agenda = Agenda<Event>()
  var lanes: PushLanes
  var json = JSONWriter()

  /// Answers that wait, by hold.
  private var holds: Set<UInt64> = []
  private var released: [UInt64] = []
  private var lastHold: UInt64 = 0
  private var announcedDue: Instant?

  /// Out of line a push is tried again so often, and so long apart, as the carriers' documents say.
  private static let lateRetries = 12
  private static let lateRetry = Duration.seconds(1800)

  /// A world whose ledgers are in memory.
  init(_ configuration: SandboxConfiguration, now: Instant) {
    bounds = configuration.bounds
    phones = PhoneBook(bounds: configuration.bounds)
    lanes = PushLanes(carriers: configuration.carriers.count)
    carriers = []
    for (index, carrier) in configuration.carriers.enumerated() {
      var faults = CarrierFaults()
      faults.seed = configuration.seed &+ UInt64(index)
      carriers.append(CarrierState(carrier, ledger: Ledger(bound: bounds.ledger), faults: faults, now: now))
    }
    if let demo = PhoneNumber("+358401234567") {
      _ = phones.setBehaviour(PhoneBehaviour(answers: "You said: {text}"), of: demo)
    }
  }

  /// Goes on with the ledgers in this folder, and makes those that are not there.
  mutating func openLedgers(in folder: String) throws(SandboxError) {
    for index in carriers.indices {
      try carriers[index].use(Ledger(file: "\(folder)/ledger-\(carriers[index].name).jsonl"))
    }
  }

  /// Gives the ledgers back; what comes now is refused.
  func closeLedgers() {
    for carrier in carriers { carrier.ledger.close() }
  }

  func carrier(named name: String) -> Int? { carriers.firstIndex { $0.name == name } }

  /// Whether so much is still to come that nothing new is taken.
  var isOverloaded: Bool { agenda.count + lanes.count >= bounds.waiting }

  // MARK: - Effects

  mutating func takeEffects() -> Effects {
    let due = agenda.nextDue
    let isDueEarlier = due.map { due in announcedDue.map { due < $0 } ?? true } ?? false
    announcedDue = due
    guard isDueEarlier || !released.isEmpty || lanes.canTake else { return Effects() }
    defer { released = [] }
    return Effects(released: released, hasPushes: lanes.canTake, isDueEarlier: isDueEarlier)
  }

  /// Something that an answer can wait for; `release` lets it go, once.
  mutating func makeHold() -> UInt64 {
    lastHold += 1
    holds.insert(lastHold)
    return lastHold
  }

  mutating func release(_ hold: UInt64?) {
    if let hold, holds.remove(hold) != nil { released.append(hold) }
  }

  /// Nobody waits for it after all.
  mutating func forget(_ hold: UInt64?) { if let hold { holds.remove(hold) } }

  // MARK: - Time

  /// Lets happen what is due, at the time at which it was due.
  /// - Returns: false when there is more; call again.
  mutating func runDue(_ now: Instant, limit: Int = 1000) -> Bool {
    for _ in 0..<limit {
      guard let (event, due) = agenda.takeDue(at: now) else { return true }
      switch event {
      case .arrival(let text): _ = arrive(text, at: due)
      case .receipt(let text, let outcome): _ = giveReceipt(text, outcome, at: due)
      case .push(let item, let carrier): tell(item, carrier: carrier)
      case .answer(let phone, let number, let text):
        // An answer that finds no way is dropped, as a phone's would be.
        _ = try? send(from: phone, to: number, text: text, at: due)
      case .resumeLane(let lane): lanes.resume(lane)
      case .release(let hold): release(hold)
      }
    }
    return (agenda.nextDue.map { $0 > now }) ?? true
  }

  // MARK: - Pushes

  /// Puts something in the line to the client, or where the client's polls find it.
  mutating func tell(_ item: PushItem, carrier: Int) {
    if url(for: item, carrier: carrier) != nil { return lanes.add(item, carrier: carrier) }
    keepForPoll(item, carrier: carrier)
  }

  private func url(for item: PushItem, carrier: Int) -> String? {
    item.isReceipt ? carriers[carrier].receiptURL : carriers[carrier].incomingURL
  }

  private mutating func keepForPoll(_ item: PushItem, carrier: Int) {
    release(item.awaitedBy)
    guard case .httpsms(let content) = item.content else {
      carriers[carrier].counts.untold += 1
      return
    }
    carriers[carrier].polled.append(content)
    if carriers[carrier].polled.count > bounds.polled {
      _ = carriers[carrier].polled.popFirst()
      carriers[carrier].counts.untold += 1
    }
  }

  /// The next call to make; nil when there is none, or when enough are being made.
  mutating func takePush() -> Push? {
    while let (lane, items) = lanes.take() {
      guard let first = items.first else { continue }
      let carrier = PushLanes.carrier(of: lane)
      if let url = url(for: first, carrier: carrier) { return Push(lane: lane, url: url, items: items) }
      // The address was taken away meanwhile.
      _ = lanes.settle(lane, succeeded: true)
      for item in items { keepForPoll(item, carrier: carrier) }
    }
    return nil
  }

  mutating func settle(_ push: Push, succeeded: Bool, at now: Instant) {
    let carrier = PushLanes.carrier(of: push.lane)
    for item in push.items { release(item.awaitedBy) }
    switch lanes.settle(push.lane, succeeded: succeeded) {
    case .done: carriers[carrier].counts.told += push.items.count
    case .retry(let wait): agenda.add(.resumeLane(push.lane), at: now + wait)
    case .gaveUp(let items):
      for var item in items {
        item.failures += 1
        item.awaitedBy = nil
        if item.failures <= Self.lateRetries {
          agenda.add(.push(item, carrier: carrier), at: now + Self.lateRetry)
        } else {
          carriers[carrier].counts.untold += 1
        }
      }
    }
  }
}
