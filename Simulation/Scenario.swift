import Contract
import Delivery
import Exchange

/// What a seed's world is made of. Some are calm, so that a fault is not always hidden behind another.
struct Scenario {
  var accounts: [AccountID]
  var caps: [Int64?]
  var addresses: [String]
  var requests: Int
  /// How long things are asked for and go wrong; afterwards the world only comes to rest.
  var activeTime: Int64
  var carriers: [CarrierScenario]

  // Disasters, as probabilities
  var crashPerStep: Double
  var crashes: Int
  var commitFails: Double
  var statementFails: Double
  var answerToClientLost: Double
  var clockSteps: Int
  var reconfigurations: Int
  var stops: Int

  init(_ dice: inout Dice) {
    accounts = (1...dice.number(1...3)).map { AccountID(ID128(high: 0xACC0_0000, low: UInt64($0))) }
    caps = accounts.map { _ in nil }
    for index in caps.indices where dice.chance(0.2) { caps[index] = Int64(dice.number(3...15)) * 10_000 }
    addresses = (0..<dice.number(1...5)).map { "+35840100000\($0)" }
    requests = dice.number(8...40)
    activeTime = dice.pick([(3, 2 * .minute), (3, 20 * .minute), (2, 3 * .hour), (1, 30 * .hour)])
    crashPerStep = dice.pick([(3, 0), (3, 0.005), (2, 0.03)])
    crashes = dice.pick([(3, 0), (2, 2), (1, 6)])
    commitFails = dice.pick([(3, 0), (2, 0.02), (1, 0.2)])
    statementFails = dice.pick([(3, 0), (2, 0.01), (1, 0.05)])
    answerToClientLost = dice.pick([(1, 0), (1, 0.1)])
    clockSteps = dice.pick([(6, 0), (1, 3)])
    reconfigurations = dice.pick([(3, 0), (1, 4), (1, 20)])
    stops = dice.pick([(3, 0), (1, 2)])
    carriers = []
    for number in 1...dice.number(1...3) {
      carriers.append(CarrierScenario(number, activeTime: activeTime, &dice))
    }
  }
}

/// How one carrier behaves.
struct CarrierScenario {
  enum Mood: CaseIterable {
    /// Answers quickly and almost always rightly.
    case well
    /// Answers late, sometimes after the exchange has stopped waiting.
    case slow
    /// Takes what it gets, or does not, and says nothing.
    case silent
    case throttling
    case down
    case withoutCredit
    case erratic
  }

  /// How it names what it took, and in its reports.
  enum Naming: CaseIterable {
    case oneID
    case idForEachPart
    /// Only gives our reference back.
    case reference
    case idAndReference
    case idForEachPartAndReference
  }

  var number: Int
  var rank: Int
  var prefixes: [String]
  var limits: CarrierPace.Limits
  var moods: [(from: Int64, mood: Mood)]
  var naming: Naming
  /// Beginnings that it refuses for itself.
  var refusedAddresses: Set<String>
  var reportLost: Double
  var reportDoubled: Double
  var reportDelayed: Double
  var reportContradicts: Double
  /// Reports overtake the answer to their attempt.
  var reportsEarly: Bool

  init(_ number: Int, activeTime: Int64, _ dice: inout Dice) {
    self.number = number
    rank = dice.number(1...3)
    prefixes = dice.chance(0.2) ? ["+35840"] : []
    limits = CarrierPace.Limits(
      partsPerSecond: dice.pick([(3, 100), (2, 5), (1, 0.5)]), window: dice.pick([(3, 50), (1, 3), (1, 1)]))
    moods = [(0, dice.chance(0.6) ? .well : dice.pick(Mood.allCases))]
    var at: Int64 = 0
    while at < activeTime {
      at += dice.number(activeTime / 8...activeTime)
      moods.append((at, dice.chance(0.5) ? .well : dice.pick(Mood.allCases)))
    }
    // In the end everything works again, or what is left expires.
    moods.append((activeTime + .hour, dice.chance(0.9) ? .well : .down))
    naming = dice.pick(Naming.allCases)
    refusedAddresses = dice.chance(0.3) ? ["+358401000000", "+358401000001"] : []
    reportLost = dice.pick([(3, 0), (1, 0.2)])
    reportDoubled = dice.pick([(2, 0), (1, 0.3)])
    reportDelayed = dice.pick([(2, 0), (1, 0.3)])
    reportContradicts = dice.pick([(3, 0), (1, 0.1)])
    reportsEarly = dice.chance(0.4)
  }

  func mood(at now: Int64) -> Mood { moods.last { $0.from <= now }?.mood ?? .well }
}
