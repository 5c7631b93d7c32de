/// Seeds that once showed a fault, with what it was. They are run by `Simulation --regressions`.
///
/// A seed only repeats its run while the simulation draws the same dice: each of these faults has its own test among
/// ExchangeTests or DeliveryTests, too.
let regressions: [(seed: UInt64, fault: String)] = []
