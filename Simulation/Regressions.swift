/// Seeds that show a fault the engine once had, with what it was: `Simulation --regressions` runs them.
///
/// A seed only repeats its run while the simulation draws the same dice, so each of these faults has its own test among
/// ExchangeTests or DeliveryTests, too.
let regressions: [(seed: UInt64, fault: String)] = [
  (14, "An attempt that a report overtook was not recorded when the process died before its answer."),
  (1, "Two ids of one millisecond had the same short reference, and a report met another message."),
  (39, "A report by reference of one part marked the whole text as delivered."),
  (10, "A failure of an earlier attempt ended a message that a carrier had taken."),
  (604, "A started scheduled message shared its place with another and was woken beside it."),
  (2, "A message was rejected because its carrier was disabled while it was under way."),
  (7, "The dispatcher looked again every millisecond while a carrier was being probed."),
  (39, "The dispatcher looked again every millisecond for a disabled carrier."),
  (1064, "A closed carrier's messages were moved to a later time, one by one, every second."),
]
